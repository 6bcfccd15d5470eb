import { expect, it } from 'vitest'
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
