import { beforeEach, describe, expect, it } from 'vitest'
import { saveGroup } from '../../src/aliases/save-group.ts'
import { publishing } from '../../src/catalog/clock/clock-store.ts'
import { recordFacts } from '../../src/catalog/facts/record-facts.ts'
import { recordGoodFetch } from '../../src/catalog/snapshots/good-fetch-store.ts'
import { priceChangedEvent } from '../../src/events/payloads/price-changed.ts'
import { resourceAddedEvent } from '../../src/events/payloads/resource-added.ts'
import { recordEvents } from '../../src/events/store.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { seriesRows } from '../../src/prices/explore/series-store.ts'
import type { AnnouncedPrice } from '../../src/prices/schema.ts'
import { model, observed } from '../prices/observed.ts'
import { ownList, snapshot } from '../prices/support.ts'
import { addOperator } from '../support/accounts.ts'
import { testApp } from '../support/app/app.ts'
import { testDatabase } from '../support/database.ts'
import { publish, renameIn, seedProviders, withdraw } from '../support/prices.ts'

const at = (day: string) => `2026-01-${day}T00:00:00.000Z` as Instant
const NAMES = encodeURIComponent(JSON.stringify([['acme', 'new']]))

describe('the routes of the price pages', () => {
  const db = testDatabase({ each: true })
  const app = testApp(db)
  let session: string
  const get = async (path: string) => (await app.send(`GET ${path}`, { session })).json as Record<string, never>

  beforeEach(async () => {
    session = (await addOperator(db.sql)).sessionToken
    await seedProviders(db.sql, at('01'), [{ provider: 'acme' }, { provider: 'other' }, { provider: 'inc' }])
    await publish(db.sql, [{ provider: 'acme', resource: 'old', price: '0.000002' }], at('02'))
    await publish(
      db.sql,
      [
        { provider: 'other', resource: 'm', price: '1', unit: 'usd_per_image', dimension: 'output_images' },
        { provider: 'inc', resource: 'c', price: '3', unit: 'credit_per_token', currency: 'INC_AI_CREDIT' },
      ],
      at('03'),
    )
    await publishing(db.sql, async (tx, stamp) => renameIn(tx, stamp, 'acme', 'old', 'new'), at('04'))
    await publish(db.sql, [{ provider: 'acme', resource: 'new', price: '0.0000025' }], at('05'))
  })

  it('give the rows that the price history answers with at the same instant', async () => {
    for (const query of ['', `?asOf=${at('03')}`, `?asOf=${at('10')}`, `?asOf=${at('10')}&providers=inc,acme`]) {
      const packed = await get(`/v1/app/prices${query}`)
      const { asOf, kinds, instants, resources, rows } = packed as unknown as PackedPrices
      const separator = query ? '&' : '?'
      const instant = query.includes('asOf') ? '' : `&asOf=${asOf}`
      const history = await get(`/v1/prices/history${query}${separator}current=true${instant}`)
      const unpacked = resources.flatMap(({ provider, resource, source, prices }) =>
        Array.from({ length: prices.length / 3 }, (_, n) => {
          const { dimension, unit, currency } = kinds[Number(prices[3 * n])]!
          const recordedAt = instants[Number(prices[3 * n + 2])]
          return { provider, resource, source, dimension, unit, currency, price: prices[3 * n + 1], recordedAt }
        }),
      )
      const served = history.prices as unknown as object[]
      expect(rows).toBe(served.length)
      expect(served.map((row) => expect.objectContaining(row))).toHaveLength(unpacked.length)
      for (const row of unpacked) expect(served).toContainEqual(expect.objectContaining(row))
    }
  })

  it('show at once what is published, and say from when it is final', async () => {
    const named = encodeURIComponent(JSON.stringify([['acme', 'young']]))
    const before = await get('/v1/app/prices')
    expect(before).not.toHaveProperty('finalFrom')
    const now = new Date().toISOString() as Instant
    await publish(db.sql, [{ provider: 'acme', resource: 'young', price: '0.000001' }], now)
    const [packed, series] = [
      await get('/v1/app/prices'),
      await get(`/v1/app/series?resources=${named}`),
    ] as unknown as [PackedPrices & Record<string, string>, { rows: object[] } & Record<string, string>]
    const finalFrom = new Date(Date.parse(now) + 15 * 60_000).toISOString()
    expect(packed).toMatchObject({ asOf: now, finalFrom })
    expect(packed.resources.map(({ resource }) => resource)).toContain('young')
    expect(series).toMatchObject({ asOf: now, finalFrom, rows: [{ price: '0.000001', publishedAt: now }] })
    expect(Date.parse(packed.newest!)).toBeLessThanOrEqual(Date.parse(now) - 15 * 60_000 + 60_000)
    // Another model's page has nothing that is not final.
    expect(await get(`/v1/app/series?resources=${NAMES}`)).not.toHaveProperty('finalFrom')
    // What programs can read is the same as before.
    const final = await get(`/v1/app/prices?asOf=${packed.newest}`)
    expect((final as unknown as PackedPrices).resources.map(({ resource }) => resource)).not.toContain('young')
    expect(final).not.toHaveProperty('finalFrom')
    expect(await app.send(`GET /v1/prices/history?asOf=${now}`, { session })).toMatchObject({
      code: 'as_of_too_recent',
    })
  })

  it('say from when the end of a price is final that nothing follows', async () => {
    const [ending] = await publish(db.sql, [{ provider: 'acme', resource: 'ends', price: '0.000001' }], at('07'))
    const named = encodeURIComponent(JSON.stringify([['acme', 'ends']]))
    expect(await get(`/v1/app/series?resources=${named}`)).not.toHaveProperty('finalFrom')
    const now = new Date().toISOString() as Instant
    await withdraw(db.sql, [ending!], now)
    const finalFrom = new Date(Date.parse(now) + 15 * 60_000).toISOString()
    expect(await get(`/v1/app/series?resources=${named}`)).toMatchObject({ finalFrom, rows: [{ unpublishedAt: now }] })
  })

  it('say who confirmed the current price, and keep only prices that were confirmed so', async () => {
    const source = ownList('initech-page')
    await snapshot(db.sql, 'initech-page', model('i', 0.000001, { provider: 'initech' }), { source, at: at('06') })
    await publishing(db.sql, (tx, stamp) => recordGoodFetch(tx, 'initech-page', stamp.at), at('07'))
    const named = encodeURIComponent(JSON.stringify([['initech', 'i']]))
    const { rows } = (await get(`/v1/app/series?resources=${named}&asOf=${at('08')}`)) as unknown as {
      rows: { confirmation: unknown }[]
    }
    const confirmedBy = { agree: [{ source: 'initech-page', rank: 'provider' }], disagree: [] }
    expect(rows.map(({ confirmation }) => confirmation)).toEqual([
      { confirmedAt: at('07'), confirmedBy },
      { confirmedAt: at('07'), confirmedBy },
    ])
    const confirmed = async (by: string) => {
      const packed = await get(`/v1/app/prices?asOf=${at('08')}&confirmed=${by}`)
      return (packed as unknown as PackedPrices).resources.map(({ resource }) => resource)
    }
    expect(await confirmed('provider')).toEqual(['i'])
    expect(await confirmed('independent')).toEqual([])
    const { resources } = (await get(`/v1/app/prices?asOf=${at('08')}`)) as unknown as PackedPrices
    expect(resources.flatMap(({ resource, confirmedBy }) => (confirmedBy ? [[resource, confirmedBy]] : []))).toEqual([
      ['i', 'provider'],
    ])
  })

  it('say what is stated of a resource beside its prices, and by which source, as it was at the instant', async () => {
    await recordFacts(db.sql, 'seed', [
      { provider: 'acme', resource: 'new', fact: 'context', value: '200000' },
      { provider: 'acme', resource: 'new', fact: 'released', value: '2025-08-07' },
      { provider: 'acme', resource: 'not priced', fact: 'context', value: '8000' },
    ])
    const packed = (await get('/v1/app/prices')) as unknown as PackedPrices
    expect(packed.facts).toEqual(
      expect.arrayContaining([{ context: 200_000, released: '2025-08-07' }, { context: 8000 }]),
    )
    const facts = packed.resources.flatMap(({ resource, facts }) =>
      facts === undefined ? [] : [[resource, packed.facts[facts]]],
    )
    expect(facts).toEqual([['new', { context: 200_000, released: '2025-08-07' }]])
    const { facts: shown } = await get(`/v1/app/series?resources=${NAMES}`)
    const stated = { provider: 'acme', resource: 'new', source: 'seed', statedSince: expect.any(String) }
    expect(shown).toEqual([
      { ...stated, fact: 'context', value: '200000' },
      { ...stated, fact: 'released', value: '2025-08-07' },
    ])
    expect((await get(`/v1/app/prices?asOf=${at('10')}`)).facts).toEqual([])
    expect((await get(`/v1/app/series?resources=${NAMES}&asOf=${at('10')}`)).facts).toEqual([])
  })

  it('give what is announced at an instant and has not begun, and never change an answer about the past', async () => {
    const lines = model('titan', 0.000002, { provider: 'sold' })
    const ahead = (price: string, day: string) => ({
      observation: observed('titan', 'input_tokens', price, { provider: 'sold', effectiveFrom: `2026-01-${day}` }),
      from: at(day),
    })
    const take = (day: string, ...announced: AnnouncedPrice[]) => {
      const parsed = { providers: [{ provider: 'sold', name: 'Sold' }], observations: lines, ignored: [], announced }
      return snapshot(db.sql, 'sold-page', lines, { at: at(day), parsed })
    }
    const upcoming = async (day: string) => {
      const names = encodeURIComponent(JSON.stringify([['sold', 'titan']]))
      return (await get(`/v1/app/series?resources=${names}&asOf=${at(day)}`)).upcoming as unknown as object[]
    }
    await take('06')
    await take('07', ahead('0.000003', '20'))
    const announced = {
      ...{ provider: 'sold', resource: 'titan', source: 'sold-page', dimension: 'input_tokens', tier: {} },
      ...{ unit: 'usd_per_token', currency: 'USD', places: 6, per: 'million tokens' },
      ...{ price: '0.000003', beginsAt: at('20'), effectiveFrom: '2026-01-20', announcedAt: at('07') },
    }
    const before = [await upcoming('06'), await upcoming('07')]
    expect(before).toEqual([[], [announced]])
    // The table of all prices has it beside the price.
    const { resources, instants, kinds } = (await get(`/v1/app/prices?asOf=${at('07')}`)) as unknown as PackedPrices
    const [kind, price, instant] = resources.find(({ resource }) => resource === 'titan')!.upcoming!
    expect([kinds[Number(kind)]!.dimension, price, instants[Number(instant)]]).toEqual([
      'input_tokens',
      '0.000003',
      at('20'),
    ])
    await take('09', ahead('0.000004', '21'))
    await take('10')
    const changed = { price: '0.000004', beginsAt: at('21'), effectiveFrom: '2026-01-21', announcedAt: at('09') }
    expect(await upcoming('09')).toEqual([{ ...announced, ...changed }])
    expect([await upcoming('06'), await upcoming('07'), await upcoming('10')]).toEqual([...before, []])
  })

  it('give what people read a price in, and which instants there are', async () => {
    const { kinds, first, creditProviders } = (await get('/v1/app/prices')) as unknown as PackedPrices
    expect(kinds).toContainEqual(expect.objectContaining({ unit: 'usd_per_token', places: 6, per: 'million tokens' }))
    expect(kinds).toContainEqual(expect.objectContaining({ unit: 'usd_per_image', places: 0, per: 'image' }))
    expect([first, creditProviders]).toEqual([at('02'), ['inc']])
    const recent = await app.send(`GET /v1/app/prices?asOf=${new Date().toISOString()}`, { session })
    expect([recent.status, recent.code]).toEqual([400, 'as_of_too_recent'])
  })

  it('give a resource with its former names, and as it was at an instant', async () => {
    const [newest] = await publish(db.sql, [{ provider: 'acme', resource: 'new', price: '0.000003' }], at('06'))
    await withdraw(db.sql, [newest!], at('07'))
    const read = async (day: string) =>
      (await get(`/v1/app/series?resources=${NAMES}&asOf=${at(day)}`)) as unknown as SeriesAnswer
    const now = await read('08')
    expect(now.rows.map(({ resource, price, listed }) => [resource, price, listed])).toEqual([
      ['old', '0.000002', 'new'],
      ['new', '0.0000025', 'new'],
      ['new', '0.000003', 'new'],
    ])
    expect(now.renamings).toEqual([{ provider: 'acme', from: 'old', to: 'new', at: at('04') }])
    expect(now.rows[2]!.unpublishedAt).toBe(at('07'))
    expect((await read('06')).rows[2]!.unpublishedAt).toBeNull()
    expect((await read('03')).rows).toEqual([])
  })

  it('give what the credits cost that a resource is priced in', async () => {
    const credit = { provider: 'inc', dimension: 'credits', unit: 'usd_per_credit', resource: 'INC_AI_CREDIT' }
    await publish(
      db.sql,
      [
        { ...credit, price: '2' },
        { ...credit, resource: 'INC_PLATFORM_CREDIT', price: '7' },
      ],
      at('06'),
    )
    const read = async (name: string[]) => {
      const resources = encodeURIComponent(JSON.stringify([name]))
      return (await get(`/v1/app/series?resources=${resources}&asOf=${at('10')}`)) as unknown as SeriesAnswer
    }
    expect((await read(['inc', 'c'])).credits).toEqual([
      expect.objectContaining({ resource: 'INC_AI_CREDIT', price: '2', places: 0 }),
    ])
    expect((await read(['acme', 'new'])).credits).toEqual([])
    const own = await read(['inc', 'INC_AI_CREDIT'])
    expect([own.rows.length, own.credits]).toEqual([1, []])
  })

  it('give each row of a group once, under the name that its own source lists it by', async () => {
    const members = ['old', 'new', 'newest'].map((resource) => ({ provider: 'acme', resource }))
    const sellers = [...members, { provider: 'other', resource: 'm' }]
    await saveGroup(db.sql, { name: 'all', members: sellers, actor: 'ada', at: at('06') })
    // Another source still lists the old name, and one name was renamed twice.
    await publish(db.sql, [{ provider: 'acme', resource: 'old', price: '0.000007', source: 'elsewhere' }], at('07'))
    await publish(db.sql, [{ provider: 'acme', resource: 'oldest', price: '0.000001' }], at('08'))
    const rename = (from: string, to: string, day: string) =>
      publishing(db.sql, async (tx, stamp) => renameIn(tx, stamp, 'acme', from, to), at(day))
    await rename('oldest', 'elsewhere', '09')
    await rename('oldest', 'new', '10')
    await rename('new', 'newest', '11')
    const read = async (day: string) =>
      (await get(`/v1/app/series?group=all&asOf=${at(day)}`)) as unknown as SeriesAnswer
    const shown = ({ rows }: SeriesAnswer) => rows.map(({ resource, price, listed }) => [resource, price, listed])
    const after = await read('12')
    expect(shown(after)).toEqual([
      ['old', '0.000002', 'newest'],
      ['m', '1', 'm'],
      ['new', '0.0000025', 'newest'],
      ['old', '0.000007', 'old'],
      ['oldest', '0.000001', 'newest'],
    ])
    expect(after.leftOut).toBe(0)
    expect(after.renamings).toEqual([
      { provider: 'acme', from: 'old', to: 'new', at: at('04') },
      { provider: 'acme', from: 'oldest', to: 'new', at: at('10') },
      { provider: 'acme', from: 'new', to: 'newest', at: at('11') },
    ])
    expect(shown(await read('03'))).toEqual([
      ['old', '0.000002', 'old'],
      ['m', '1', 'm'],
    ])
    const elsewhere = encodeURIComponent(JSON.stringify([['acme', 'elsewhere']]))
    const wrong = (await get(`/v1/app/series?resources=${elsewhere}&asOf=${at('12')}`)) as unknown as SeriesAnswer
    expect([wrong.rows, wrong.renamings]).toEqual([[], []])
  })

  it('show where a price was read, in the unit of people, and say so where it was never served', async () => {
    await snapshot(db.sql, 'list', model('titan', 0.000002), { at: at('06') })
    const [row] =
      await db.sql`select current_hash as hash from price_line where resource = 'titan' and current_hash is not null`
    const found = await get(`/v1/app/evidence/${row!.hash}`)
    expect(found).toMatchObject({ contentHash: row!.hash, places: 6, per: 'million tokens', rank: 'community' })
    const { status, json } = await app.send(`GET /v1/app/evidence/${'0'.repeat(64)}`, { session })
    expect([status, json]).toMatchObject([404, { error: { code: 'price_not_found' } }])
  })

  it('keep the newest rows of each price line where there are too many', async () => {
    const names = [{ provider: 'acme', resource: 'new' }]
    const output = { provider: 'acme', resource: 'new', price: '0.000009', dimension: 'output_tokens' }
    await publish(db.sql, [output], at('06'))
    await publish(db.sql, [{ provider: 'acme', resource: 'new', price: '0.000003' }], at('07'))
    const read = async (most?: number) => {
      const { rows, leftOut } = await seriesRows(db.sql, at('10'), names, most)
      return [rows.map(({ price }) => price), leftOut]
    }
    expect(await read()).toEqual([['0.000002', '0.0000025', '0.000009', '0.000003'], 0])
    expect(await read(3)).toEqual([['0.000002', '0.000009', '0.000003'], 1])
    const answer = (await get(`/v1/app/series?resources=${NAMES}&asOf=${at('10')}`)) as unknown as SeriesAnswer
    expect([answer.rows.length, answer.leftOut]).toEqual([4, 0])
  })

  it('give changes in the unit of people, page by page, and narrowed', async () => {
    await record(db.sql, at('06'))
    const feed = (await get('/v1/app/feed?limit=2')) as unknown as Feed
    expect(
      feed.items.map(({ type, direction, percent, before, after, per }) => [
        type,
        direction,
        percent,
        before,
        after,
        per,
      ]),
    ).toEqual([
      ['resource.added', undefined, undefined, undefined, undefined, undefined],
      ['price.changed', 'down', '−50%', '3', '1.5', 'million tokens'],
    ])
    const rest = (await get(`/v1/app/feed?limit=2&before=${feed.next}`)) as unknown as Feed
    expect(rest).toMatchObject({ items: [{ direction: 'up', percent: '+25%', before: '2', after: '2.5' }] })
    expect(rest.next).toBeUndefined()
    const count = async (query: string) => ((await get(`/v1/app/feed?${query}`)) as unknown as Feed).items.length
    const counts = [
      'direction=up',
      'types=resource.added',
      'providers=acme',
      'resource=new',
      `asOf=${at('05')}`,
      'minSignificance=high',
    ]
    expect(await Promise.all(counts.map(count))).toEqual([1, 1, 2, 1, 0, 3])
    expect(await get('/v1/app/feed?minSignificance=grave')).toMatchObject({ error: { code: 'invalid_query' } })
  })

  it('give a hundred changes at once, or as many as are asked for up to 200', async () => {
    const added = Array.from({ length: 201 }, (_, n) =>
      resourceAddedEvent('acme', false, { source: 'seed', resource: `x${n}`, lines: [] }),
    )
    await publishing(db.sql, (tx, stamp) => recordEvents(tx, stamp, added), at('06'))
    const count = async (query: string) => ((await get(`/v1/app/feed${query}`)) as unknown as Feed).items.length
    expect([await count(''), await count('?limit=1'), await count('?limit=200')]).toEqual([100, 1, 200])
    for (const limit of ['0', '201', '1.5', 'x'])
      expect(await get(`/v1/app/feed?limit=${limit}`)).toMatchObject({ error: { field: 'limit' } })
  })

  it('give an Atom feed at a private address that can be replaced and ended', async () => {
    await record(db.sql, at('06'))
    const { path } = (await app.send('POST /v1/account/feed', { session })).json as { path: string }
    const atom = await app.send(`GET ${path}?direction=up`)
    expect([atom.status, atom.headers['content-type']]).toEqual([200, 'application/atom+xml; charset=utf-8'])
    expect(atom.text.match(/<title>[^<]*<\/title>/g)).toEqual([
      '<title>Pricetape: what changed</title>',
      '<title>new at acme rose: input tokens 2.00 → 2.50 USD per million tokens (+25%)</title>',
    ])
    expect(atom.text).toContain('href="http://localhost:8080/prices/acme/new"')
    expect((await app.send(`GET ${path}?minSignificance=high`)).text.match(/<entry>/g)).toHaveLength(3)
    expect((await app.send(`GET ${path}?minSignificance=grave`)).status).toBe(400)
    const tokens = await db.sql`select encode(token_hash, 'escape') as token from feed_address`
    expect(JSON.stringify(tokens)).not.toContain(path.split('/')[2])
    const replaced = (await app.send('POST /v1/account/feed', { session })).json as { path: string }
    expect((await app.send(`GET ${path}`)).status).toBe(404)
    expect((await app.send(`GET ${replaced.path}`)).status).toBe(200)
    expect((await get('/v1/account/feed')).feed).toMatchObject({ lastUsedAt: expect.any(String) })
    await app.send('DELETE /v1/account/feed', { session })
    expect((await app.send(`GET ${replaced.path}`)).status).toBe(404)
  })
})

type PackedPrices = {
  asOf: string
  first: string
  rows: number
  creditProviders: string[]
  kinds: { dimension: string; unit: string; currency: string }[]
  instants: string[]
  facts: object[]
  resources: {
    provider: string
    resource: string
    source: string
    prices: (number | string)[]
    facts?: number
    confirmedBy?: string
    upcoming?: (number | string)[]
  }[]
}
type SeriesAnswer = {
  leftOut: number
  credits: { resource: string; price: string }[]
  rows: { resource: string; price: string; listed: string; unpublishedAt: string | null }[]
  renamings: object[]
}
type Feed = { items: Record<string, unknown>[]; next?: string }

/** A rise, a fall and something new, in this order. */
async function record(sql: typeof testDatabase extends (...a: never[]) => { sql: infer S } ? S : never, when: Instant) {
  const line = { source: 'seed', dimension: 'input_tokens', unit: 'usd_per_token', currency: 'USD', pricingTier: {} }
  const point = (price: string) => ({ price, recordedAt: when, contentHash: 'a'.repeat(64) })
  const change = (resource: string, from: string, to: string) => ({
    ...line,
    resource,
    previous: point(from),
    current: point(to),
  })
  await publishing(
    sql,
    async (tx, stamp) => {
      await recordEvents(tx, stamp, [
        priceChangedEvent('acme', false, change('new', '0.000002', '0.0000025')),
        priceChangedEvent('other', false, change('m', '0.000003', '0.0000015')),
        resourceAddedEvent('acme', false, { source: 'seed', resource: 'x', lines: [] }),
      ])
    },
    when,
  )
}
