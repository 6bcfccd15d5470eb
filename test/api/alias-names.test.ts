import { expect, it } from 'vitest'
import { deleteGroup } from '../../src/aliases/delete-group.ts'
import { saveGroup } from '../../src/aliases/save-group.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { testApi } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { publish, seedProviders } from '../support/prices.ts'

const db = testDatabase({ each: true })
const api = testApi(db)

it('A group is found by its name however its accents are composed and its spaces are written', async () => {
  await seedProviders(db.sql, '2025-12-31T00:00:00.000Z' as Instant, [{ provider: 'acme' }])
  await publish(db.sql, [{ provider: 'acme', resource: 'm', price: '1' }], '2026-01-01T00:00:00.000Z' as Instant)
  await saveGroup(db.sql, { name: 'Cafe\u0301 Model', members: [{ provider: 'acme', resource: 'm' }], actor: 'test' })
  for (const name of ['Café Model', 'Cafe\u0301 Model', 'café\u00a0model', '\u2003CAFÉ  MODEL']) {
    const answer = await api.get(`/v1/prices/history?alias=${encodeURIComponent(name)}`)
    expect(answer.status, JSON.stringify(name)).toBe(200)
    expect(answer.json).toMatchObject({ alias: { name: 'Café Model' }, prices: [{ resource: 'm' }] })
  }
  expect((await api.get('/v1/prices/history?alias=Cafe%20Model')).status).toBe(404)
})

it('A group has its present members alone, and none once it is deleted', async () => {
  await seedProviders(db.sql, '2025-12-31T00:00:00.000Z' as Instant, [{ provider: 'acme' }])
  const priced = ['m', 'former'].map((resource) => ({ provider: 'acme', resource, price: '1' }))
  await publish(db.sql, priced, '2026-01-01T00:00:00.000Z' as Instant)
  const [m, former] = priced.map(({ provider, resource }) => ({ provider, resource }))
  const { id } = await saveGroup(db.sql, { name: 'Model', members: [m!, former!], actor: 'test' })
  await saveGroup(db.sql, { id, name: 'Model', members: [m!], actor: 'test' })
  const path = `/v1/prices/history?alias=${id}`
  expect((await api.get(path)).json).toMatchObject({ prices: [{ resource: 'm' }] })
  await deleteGroup(db.sql, { id, actor: 'test' })
  expect((await api.get(path)).status).toBe(404)
})
