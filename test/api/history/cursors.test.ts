import { beforeAll, describe, expect, it } from 'vitest'
import { deleteGroup } from '../../../src/aliases/delete-group.ts'
import { saveGroup } from '../../../src/aliases/save-group.ts'
import { publishing } from '../../../src/catalog/clock/clock-store.ts'
import { openCursor, sealCursor } from '../../../src/lib/cursor.ts'
import { sha256 } from '../../../src/lib/hash.ts'
import type { Instant } from '../../../src/lib/instant.ts'
import { connect } from '../../../src/lib/sql.ts'
import { cursorKeys } from '../../../src/prices/history/cursor-key-store.ts'
import { historyCursor } from '../../../src/prices/history/cursor-rules.ts'
import { rotateCursorKey } from '../../../src/prices/history/rotate-cursor-key.ts'
import { ask, keepBucketsFull, testApi, testServer } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { publish, publishIn, renameIn, seedProviders } from '../../support/prices.ts'

type Page = {
  asOf: string
  nextCursor: string | null
  alias?: { id: string; name: string; revision: number }
  members?: { provider: string; resource: string }[]
  prices: { contentHash: string; provider: string; resource: string }[]
}
const AT = '2026-01-01T00:00:00.000Z' as Instant
const LATER = '2026-01-02T00:00:00.000Z' as Instant
const RENAMED = '2026-01-03T00:00:00.000Z' as Instant
const ODD_NAMES = [',{"provider":"x"', '"contentHash":"', '}],"nextCursor":null', '\u001f', 'é 漢 🎉', '\\'].flatMap(
  (name) => [`${name}1`, `2${name}`],
)

describe('cursors and alias groups', () => {
  const db = testDatabase()
  const api = testApi(db)
  const page = async (query: string): Promise<Page> => {
    const answer = await api.get(`/v1/prices/history?${query}`)
    expect(answer.status, answer.text).toBe(200)
    return answer.json as unknown as Page
  }
  const error = async (query: string) => {
    const answer = await api.get(`/v1/prices/history?${query}`)
    return { status: answer.status, ...(answer.json as { error: object }).error }
  }
  const rows = Array.from({ length: 60 }, (_, n) => ({
    provider: ['acme', 'globex', 'initech'][n % 3]!,
    resource: `m${n % 5}`,
    price: String(n),
    pricingTier: { sku: String(n) },
  }))
  const members = [
    { provider: 'acme', resource: 'm0' },
    { provider: 'globex', resource: 'm1' },
    { provider: 'snowflake', resource: 'm1' },
    { provider: 'newcomer', resource: 'm1' },
  ]
  const walk = async (query: string, limit: number): Promise<Page['prices']> => {
    const { prices, nextCursor } = await page(`${query}&limit=${limit}`)
    expect(prices.length).toBeLessThanOrEqual(limit)
    return nextCursor === null ? prices : [...prices, ...(await walk(`cursor=${nextCursor}`, limit))]
  }

  beforeAll(async () => {
    await seedProviders(db.sql, '2025-12-31T00:00:00.000Z' as Instant, [
      { provider: 'acme' },
      { provider: 'globex' },
      { provider: 'initech' },
      { provider: 'umbrella' },
      { provider: 'snowflake' },
      { provider: 'newcomer', status: 'pending' },
    ])
    const credit = { provider: 'snowflake', resource: 'm1', price: '1', currency: 'SNOWFLAKE_AI_CREDIT' }
    await publish(db.sql, [...rows, credit, { provider: 'newcomer', resource: 'm1', price: '5' }], AT)
    const odd = ODD_NAMES.map((resource) => ({ provider: 'initech', resource, price: '7' }))
    const former = { provider: 'umbrella', resource: 'former', price: '8' }
    await publish(db.sql, [...odd, former], LATER)
    await publishing(
      db.sql,
      async (tx, stamp) => {
        await publishIn(tx, stamp, [{ provider: 'umbrella', resource: 'listed', price: '9', currency: 'EUR' }])
        await renameIn(tx, stamp, 'umbrella', 'former', 'listed')
      },
      RENAMED,
    )
  })

  it('a walk returns each row once, in contentHash order, with pages of any size', async () => {
    const whole = await page(`providers=acme,globex&asOf=${AT}`)
    expect(whole.nextCursor).toBeNull()
    for (const limit of [1, 7, 20, 40, 41]) {
      const walked = await walk(`providers=acme,globex&asOf=${AT}`, limit)
      expect(walked.map((row) => row.contentHash)).toEqual(whole.prices.map((row) => row.contentHash))
    }
  })

  it('nextCursor is null exactly when the walk is finished: no empty last page', async () => {
    const first = await page(`providers=acme&asOf=${AT}&limit=10`)
    const second = await page(`cursor=${first.nextCursor}&limit=10`)
    expect(second.prices).toHaveLength(10)
    expect(second.nextCursor).toBeNull()
  })

  it('a cursor pins asOf, providers and position, but not limit', async () => {
    const first = await page('providers=acme&limit=5')
    const second = await page(`cursor=${first.nextCursor}&limit=3`)
    expect(second.asOf).toBe(first.asOf)
    expect(second.prices).toHaveLength(3)
    const third = await page(`cursor=${second.nextCursor}`)
    expect(third.prices).toHaveLength(12)
    expect([...second.prices, ...third.prices].every((row) => row.provider === 'acme')).toBe(true)
  })

  it('anything but limit beside a cursor is invalid_query with field cursor, even when they are wrong', async () => {
    const { nextCursor } = await page(`asOf=${AT}&limit=1`)
    const filters = ['resource=m1', 'canonicalResource=a/b', 'dimension=x', 'current=true', `since=${AT}`, 'since=']
    const others = [`asOf=${AT}`, 'providers=acme', 'alias=x', 'asOf=nonsense', 'providers=', 'alias=']
    for (const beside of [...others, ...filters]) {
      const refused = { status: 400, code: 'invalid_query', field: 'cursor' }
      expect(await error(`cursor=${nextCursor}&${beside}`)).toMatchObject(refused)
    }
  })

  it('a damaged, cut or foreign cursor is invalid_query with field cursor', async () => {
    const { nextCursor } = await page(`asOf=${AT}&limit=1`)
    const cursor = nextCursor!
    const changed = [...cursor].map((c, n) => cursor.slice(0, n) + (c === 'A' ? 'B' : 'A') + cursor.slice(n + 1))
    const cut = [1, 4, 9, 30].map((n) => cursor.slice(0, -n))
    const { sealing: key } = await cursorKeys(db.sql)
    const manyProviders = Array.from({ length: 201 }, (_, n) => `p${n}`)
    const after = 'a'.repeat(64)
    const [{ timeline }] = await db.sql<[{ timeline: string }]>`select timeline_id as timeline from history_timeline`
    const walk = { timeline, asOf: AT, after }
    const foreign = [
      `${cursor}A`,
      `${cursor}=`,
      'A'.repeat(13_000),
      sealCursor(key, [1, AT, after, null, null]),
      sealCursor(key, [3, timeline, AT, after, null, null, null, null]),
      sealCursor(key, [2, timeline, AT, 'zz', null, null, null, null]),
      sealCursor(key, [2, timeline, '2026-01-01', after, null, null, null, null]),
      sealCursor(key, [2, timeline, AT, after, null, null, { current: false }, null]),
      sealCursor(key, {}),
      historyCursor(key, { ...walk, providers: ['nobody'] }),
      historyCursor(key, { ...walk, providers: ['acme', 'acme'] }),
      historyCursor(key, { ...walk, providers: manyProviders }),
      historyCursor(new Uint8Array(32), { ...walk, providers: ['acme'] }),
      historyCursor(key, { ...walk, asOf: '2999-01-01T00:00:00.000Z' as Instant }),
    ]
    for (const wrong of [...changed.filter((_, n) => n % 7 === 0), ...cut, ...foreign]) {
      expect(await error(`cursor=${wrong}`), wrong).toMatchObject({
        status: 400,
        code: 'invalid_query',
        field: 'cursor',
      })
    }
    expect(changed.filter((text) => openCursor(key, text) !== undefined)).toEqual([])
  })

  it('a cursor that a client made itself is refused, whatever its content', async () => {
    const content = (providers: string[]) => JSON.stringify([1, AT, '0'.repeat(64), providers, null])
    const checked = (text: string) => Buffer.from(sha256(text).slice(0, 8) + text).toString('base64url')
    for (const providers of [['acme'], Array.from({ length: 2_600 }, () => 'acme')]) {
      const made = [checked(content(providers)), Buffer.from(content(providers)).toString('base64url')]
      for (const cursor of made) {
        const answer = await error(`cursor=${cursor}`)
        expect(answer).toMatchObject({ status: 400, code: 'invalid_query', field: 'cursor' })
      }
    }
  })

  it('a cursor does not expire: a walk goes on, on every node, while the key of cursors is changed twice', async () => {
    const sql = connect(db.url)
    const other = await testServer(sql)
    keepBucketsFull(other, db.sql)
    const query = `providers=acme,globex&asOf=${AT}`
    const whole = (await page(query)).prices
    const walked: Page['prices'] = []
    let next: string | null = `${query}&limit=7`
    for (let n = 0; next !== null; n++) {
      const node = n % 2 ? api.server : other
      const answer = await ask(node, `/v1/prices/history?${next}`, { authorization: `Bearer ${api.key}` })
      expect(answer.status, answer.text).toBe(200)
      const { prices, nextCursor } = answer.json as unknown as Page
      walked.push(...prices)
      next = nextCursor && `cursor=${nextCursor}&limit=7`
      if (n < 2) await rotateCursorKey(db.sql)
    }
    expect(walked).toEqual(whole)
    await other.close()
    await sql.end()
  })

  it('pages end where they should whatever resources are called', async () => {
    const whole = await page(`providers=initech&asOf=${LATER}`)
    for (const limit of [1, 3]) expect(await walk(`providers=initech&asOf=${LATER}`, limit)).toEqual(whole.prices)
    expect(whole.prices.map((row) => row.resource)).toEqual(expect.arrayContaining(ODD_NAMES))
  })

  it('a cursor works on another node and after a restart', async () => {
    const first = await page(`providers=acme&asOf=${AT}&limit=10`)
    const sql = connect(db.url)
    const other = await testServer(sql)
    const path = `/v1/prices/history?cursor=${first.nextCursor}`
    const there = await ask(other, path, { authorization: `Bearer ${api.key}` })
    expect((there.json as unknown as Page).prices).toEqual((await page(`cursor=${first.nextCursor}`)).prices)
    await other.close()
    await sql.end()
  })

  it('alias, by id or name, narrows to the members of active USD-priced providers and shows the whole group', async () => {
    const { id, revision } = await saveGroup(db.sql, { name: 'Model M', members, actor: 'test' })
    for (const alias of [id, id.toUpperCase(), 'Model M', 'model m']) {
      const answer = await page(`alias=${encodeURIComponent(alias)}&asOf=${AT}`)
      expect(answer.alias).toEqual({ id, name: 'Model M', revision })
      expect(answer.members).toEqual([...members].sort((a, b) => (a.provider < b.provider ? -1 : 1)))
      expect(new Set(answer.prices.map((row) => `${row.provider}/${row.resource}`))).toEqual(
        new Set(['acme/m0', 'globex/m1']),
      )
      expect(answer.prices).toHaveLength(8)
    }
    const named = await page(`alias=${id}&asOf=${AT}&providers=snowflake,globex,newcomer`)
    expect(new Set(named.prices.map((row) => row.provider))).toEqual(new Set(['snowflake', 'globex', 'newcomer']))
    expect((await page(`alias=${id}&asOf=${AT}&providers=initech`)).prices).toEqual([])
    expect((await page(`providers=acme&asOf=${AT}`)).alias).toBeUndefined()
  })

  it('a walk over 200 providers ends, and 201 are refused', async () => {
    const slugs = Array.from({ length: 201 }, (_, n) => `${'p'.repeat(60)}${n + 100}`)
    await db.sql`
      insert into provider (provider, name, created_at) select p, p, ${AT} from unnest(${slugs}::text[]) as p`
    const named = ['acme', ...slugs.slice(0, 199)].join(',')
    const headers = { authorization: `Bearer ${api.key}` }
    await api.server.listen({ port: 0, host: '127.0.0.1' })
    const { port } = api.server.server.address() as { port: number }
    const fetched = async (query: string) =>
      (await fetch(`http://127.0.0.1:${port}/v1/prices/history?${query}`, { headers })).json()
    const first = (await fetched(`providers=${named}&asOf=${AT}&limit=15`)) as Page
    const second = (await fetched(`cursor=${first.nextCursor}`)) as Page
    expect([first.prices.length, second.prices.length, second.nextCursor]).toEqual([15, 5, null])
    expect(await fetched(`providers=${slugs}`)).toMatchObject({ error: { code: 'invalid_query', field: 'providers' } })
    expect(await fetched(`providers=${slugs.slice(1)},${slugs[1]}`)).toMatchObject({ prices: [] })
    expect(await fetched(`alias=${'x'.repeat(60_000)}`)).toMatchObject({ error: { code: 'headers_too_long' } })
  })

  it('an unknown group is 404 alias_not_found', async () => {
    const ids = ['nothing', '', '%00', '%ED%A0%80', '0195d0c4-0000-7000-8000-000000000000', 'x'.repeat(5_000)]
    for (const alias of ids) {
      expect(await error(`alias=${alias}`), alias).toMatchObject({
        status: 404,
        code: 'alias_not_found',
        field: 'alias',
      })
    }
  })

  it('when the group changes between pages — members, name or deletion — the next page is 409 alias_changed', async () => {
    const made = await saveGroup(db.sql, { name: 'Changing', members, actor: 'test' })
    const save = (name: string, some: typeof members) =>
      saveGroup(db.sql, { id: made.id, name, members: some, actor: 'test' })
    const changes = [
      () => save('Changing', members.slice(0, 2)),
      () => save('Changed', members.slice(0, 2)),
      () => deleteGroup(db.sql, { id: made.id, actor: 'test' }),
    ]
    for (const change of changes) {
      const first = await page(`alias=${made.id}&asOf=${AT}&limit=2`)
      const second = await page(`cursor=${first.nextCursor}&limit=2`)
      expect(second.alias).toEqual(first.alias)
      await change()
      expect(await error(`cursor=${first.nextCursor}`)).toMatchObject({ status: 409, code: 'alias_changed' })
      expect(await error(`cursor=${second.nextCursor}`)).toMatchObject({ status: 409, code: 'alias_changed' })
    }
  })

  it("after alias_changed, the first page's asOf with the same alias and providers reads that instant; without asOf a newer one", async () => {
    const { id } = await saveGroup(db.sql, { name: 'Restarted', members, actor: 'test' })
    const walk = `alias=${id}&providers=acme`
    const first = await page(`${walk}&limit=2`)
    await saveGroup(db.sql, { id, name: 'Restarted', members, actor: 'test' })
    expect(await error(`cursor=${first.nextCursor}`)).toMatchObject({ status: 409, code: 'alias_changed' })
    const again = await page(`${walk}&asOf=${first.asOf}&limit=2`)
    expect([again.asOf, again.prices]).toEqual([first.asOf, first.prices])
    expect((await page(`${walk}&limit=2`)).asOf > first.asOf).toBe(true)
  })

  it('the rows of a group are the ordinary rows of its members, under a former name only where the group lists it', async () => {
    const query = `providers=acme,umbrella&asOf=${RENAMED}`
    const ordinary = (await page(query)).prices
    const own = { provider: 'acme', resource: 'm0' }
    const [former, listed] = ['former', 'listed'].map((resource) => ({ provider: 'umbrella', resource }))
    for (const [n, members] of [
      [own, listed!],
      [own, listed!, former!],
    ].entries()) {
      const { id } = await saveGroup(db.sql, { name: `Renamed ${n}`, members, actor: 'test' })
      const wanted = ordinary.filter((row) =>
        members.some(({ provider, resource }) => row.provider === provider && row.resource === resource),
      )
      expect(wanted).toHaveLength(4 + members.length - 1)
      // Whole rows: nothing is merged, and a price in euros stays one.
      expect((await page(`alias=${id}&${query}`)).prices).toEqual(wanted)
    }
  })

  it('walks a group page by page like any other rows', async () => {
    const { id } = await saveGroup(db.sql, { name: 'Walked', members, actor: 'test' })
    const whole = await page(`alias=${id}&asOf=${AT}`)
    expect(await walk(`alias=${id}&asOf=${AT}`, 3)).toEqual(whole.prices)
  })
})
