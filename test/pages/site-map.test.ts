import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { deleteGroup } from '../../src/aliases/delete-group.ts'
import { saveGroup } from '../../src/aliases/save-group.ts'
import type { Api } from '../../src/api/route.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { testServer } from '../support/api.ts'
import { send } from '../support/app/app.ts'
import { testDatabase } from '../support/database.ts'
import { publish, seedProviders } from '../support/prices.ts'

const ORIGIN = 'https://prices.example'
const AT = '2026-01-01T00:00:00.000Z' as Instant

const many = testDatabase()

describe('what search engines read first', () => {
  const db = testDatabase()
  let server: Api
  let group: string
  beforeAll(async () => {
    await seedProviders(db.sql, '2025-12-31T00:00:00.000Z' as Instant, [{ provider: 'acme' }])
    await publish(db.sql, [{ provider: 'acme', resource: 'm/1', price: '1' }], AT)
    await db.sql`
      insert into document (source, provider, document, title, url, updated_at)
      values ('seed', 'acme', 'terms', 'Terms', 'https://acme.example', ${AT})`
    const members = [{ provider: 'acme', resource: 'm/1' }]
    group = (await saveGroup(db.sql, { name: 'M', members, actor: 'a test' })).id
  })
  beforeEach(async () => {
    server = await testServer(db.sql, { PRICETAPE_PUBLIC_PAGES: 'true', PRICETAPE_PUBLIC_URL: ORIGIN })
    return () => server.close()
  })
  afterAll(() => void vi.useRealTimers())
  const map = async () => {
    const { status, text } = await send(server, 'GET /sitemap.xml')
    expect(status).toBe(200)
    return [...text.matchAll(/<url><loc>https:\/\/prices\.example(.*)<\/loc><\/url>/g)].map(([, path]) => path)
  }

  it('lists each public page once: groups, documents and resources under their addresses', async () => {
    expect(await map()).toEqual([
      ...['/', '/prices', '/documents', `/compare/${group}`, '/documents/acme/terms', '/prices/acme/m%2F1'],
    ])
  })

  it('keeps them from what needs an account, and may be kept for an hour', async () => {
    const { text, headers } = await send(server, 'GET /robots.txt')
    expect(text).toBe(
      [
        ...['User-agent: *', 'Disallow: /v1/', 'Disallow: /operator/', 'Disallow: /webhooks', 'Disallow: /keys'],
        ...['Disallow: /members', 'Disallow: /workspaces', 'Disallow: /account', `Sitemap: ${ORIGIN}/sitemap.xml`, ''],
      ].join('\n'),
    )
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'public, max-age=3600',
    })
  })

  it('lists what is new once the map is older than an hour', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const before = await map()
    const members = [{ provider: 'acme', resource: 'm/1' }]
    const { id } = await saveGroup(db.sql, { name: 'New', members, actor: 'a test' })
    vi.setSystemTime(Date.now() + 3_600_000)
    expect(await map()).toEqual(before)
    vi.setSystemTime(Date.now() + 1)
    expect(await map()).toContain(`/compare/${id}`)
    vi.useRealTimers()
    await deleteGroup(db.sql, { id, actor: 'a test' })
  })
})

it('the map for search engines lists 50,000 pages at most, as many as one may have', async () => {
  await many.sql`
    insert into alias_group (name, updated_at) select 'group ' || n, ${AT} from generate_series(1, 50000) as n`
  const server = await testServer(many.sql, { PRICETAPE_PUBLIC_PAGES: 'true', PRICETAPE_PUBLIC_URL: ORIGIN })
  expect((await send(server, 'GET /sitemap.xml')).text.match(/<loc>/g)).toHaveLength(50_000)
  await server.close()
})
