import { describe, expect, it } from 'vitest'
import { sourceDeclaration } from '../../../src/catalog/schema.ts'
import { testDatabase } from '../../support/database.ts'
import { EMPTY } from '../../support/empty.ts'
import { day, model, models, observed } from '../observed.ts'
import { eventsOf, priceNow, snapshot } from '../support.ts'

describe('a price that looks wrong', () => {
  const db = testDatabase({ each: true })
  const at = (n: number) => ({ at: day(n) })
  /** A source in which one model is held, because its prices became a thousand times higher. */
  async function holdFlip() {
    await snapshot(db.sql, 'one', [...model('steady', 0.0000011), ...model('flipping', 0.000002), ...models(10)], at(1))
    await snapshot(db.sql, 'one', [...model('steady', 0.0000011), ...model('flipping', 0.002), ...models(10)], at(2))
  }

  it('is held while every other line of the source goes on', async () => {
    const lines = [...model('steady', 0.000001), ...model('flipping', 0.000002), ...models(10)]
    await snapshot(db.sql, 'one', lines, at(1))
    const next = lines.map((item) => {
      if (item.resource === 'steady')
        return { ...item, price: item.dimension === 'input_tokens' ? '0.0000011' : item.price }
      return item.resource === 'flipping' ? { ...item, price: `${Number(item.price) * 1000}` } : item
    })
    const report = await snapshot(db.sql, 'one', next, at(2))
    expect(report).toMatchObject({ held: { power_of_ten: 2 }, events: { 'price.changed': 1 } })
    expect(await priceNow(db.sql, 'flipping')).toBe('0.000002')
    expect(await priceNow(db.sql, 'steady')).toBe('0.0000011')
    const items = await db.sql`select kind, reasons from review where source = 'one' and decided_at is null`
    expect(items).toMatchObject([{ kind: 'price', reasons: ['power_of_ten', 'implausible_price'] }])
  })

  it('is held once, however often the source repeats it', async () => {
    await holdFlip()
    const again = [...model('flipping', 0.002), ...model('steady', 0.0000011), ...models(10)]
    const report = await snapshot(db.sql, 'one', again, at(3))
    expect([report.held, report.published]).toEqual([{}, 0])
  })

  it('is doubted for what its canonical id says, also when it is judged again', async () => {
    const canonicalResource = 'maker/m'
    for (const [n, provider] of ['beta', 'gamma'].entries())
      await snapshot(
        db.sql,
        provider,
        [observed('m', 'input_tokens', '0.000001', { provider, canonicalResource })],
        at(0.5 + n / 4),
      )
    await snapshot(db.sql, 'one', models(10), at(1))
    const first = observed('m-v1:0', 'input_tokens', '0.0001', { canonicalResource })
    for (const n of [2, 3, 4, 5, 10]) await snapshot(db.sql, 'one', [...models(10), first], at(n))
    const items = await db.sql`select reasons from review where source = 'one' and decided_at is null`
    expect(items).toEqual([{ reasons: ['unlike_other_sellers'] }])
    expect(await priceNow(db.sql, 'm-v1:0')).toBeUndefined()
  })

  it('is published after it has stood with what it was recorded with, and its resource keeps its facts', async () => {
    const facts = { canonicalResource: 'maker/m', category: 'chat' }
    await snapshot(db.sql, 'one', [...models(10), ...model('m', 0.000002, facts)], at(1))
    const raised = model('m', 0.000008, { ...facts, effectiveFrom: '2026-01-20' })
    for (const n of [20, 21, 22, 23]) await snapshot(db.sql, 'one', [...models(10), ...raised], at(n))
    const [event] = await eventsOf(db.sql, 'price.changed')
    expect(event).toMatchObject({
      canonicalResource: 'maker/m',
      effectiveFrom: '2026-01-20',
      current: { price: '0.000008' },
    })
    expect(await db.sql`select canonical_resource as id, category from resource where resource = 'm'`).toEqual([
      { id: 'maker/m', category: 'chat' },
    ])
    expect(
      await db.sql`select distinct canonical_resource as id from publication where resource = 'm' and unpublished_at is null`,
    ).toEqual([{ id: 'maker/m' }])
  })

  it('is forgotten when the source returns to what is published', async () => {
    await holdFlip()
    const back = [...model('flipping', 0.000002), ...model('steady', 0.0000011), ...models(10)]
    const report = await snapshot(db.sql, 'one', back, at(4))
    expect([report.held, report.events]).toEqual([{}, {}])
    const [item] = await db.sql`select decision from review where source = 'one' order by opened_at limit 1`
    expect(item?.decision).toBe('superseded')
  })

  it('becomes one item when a fifth of a provider is re-priced at once', async () => {
    const options = { provider: 'bulk' }
    await snapshot(db.sql, 'bulk', models(20, options), at(10))
    const raised = models(20, options).map((item, i) =>
      i < 16 ? { ...item, price: `${(Number(item.price) * 1.25).toFixed(12)}`.replace(/0+$/, '') } : item,
    )
    const report = await snapshot(db.sql, 'bulk', raised, at(11))
    expect(report).toMatchObject({ held: { mass_change: 16 }, events: EMPTY })
    const items =
      await db.sql`select kind, (select count(*) from review_row w where w.review_id = v.review_id) as rows from review v where source = 'bulk'`
    expect(items).toMatchObject([{ kind: 'mass_change', rows: '16' }])
  })

  it('is not a batch when spot prices move, as they do with demand', async () => {
    const options = { provider: 'spots', pricingTier: { service: 'spot' } }
    await snapshot(db.sql, 'spots', models(10, options), at(11.5))
    const moved = models(10, options).map((item) => ({
      ...item,
      price: `${(Number(item.price) * 1.25).toFixed(12)}`.replace(/0+$/, ''),
    }))
    expect(await snapshot(db.sql, 'spots', moved, at(11.75))).toMatchObject({ held: EMPTY, changed: 20 })
  })

  it('is the same price in another currency', async () => {
    const options = { provider: 'abroad' }
    await snapshot(db.sql, 'abroad', [...model('x', 0.000002, options), ...models(6, options)], at(12))
    const euro = model('x', 0.000002, { ...options, unit: 'eur_per_token', currency: 'EUR' })
    const report = await snapshot(db.sql, 'abroad', [...euro, ...models(6, options)], at(13))
    expect(report).toMatchObject({ held: { currency_changed: 2 }, published: 0, missing: 0, events: EMPTY })
    for (const n of [14, 15, 16, 17]) await snapshot(db.sql, 'abroad', [...euro, ...models(6, options)], at(n))
    expect(await priceNow(db.sql, 'x')).toBe('0.000002')
  })

  it('is published once it has stayed for a day, when it only flips back', async () => {
    const options = { provider: 'aba' }
    const [a, b] = [model('aba', 0.000002, options), model('aba', 0.0000025, options)]
    await snapshot(db.sql, 'aba', a, at(20))
    await snapshot(db.sql, 'aba', b, at(21))
    expect(await snapshot(db.sql, 'aba', a, at(22))).toMatchObject({ held: { flips_back: 2 }, events: EMPTY })
    expect(await snapshot(db.sql, 'aba', a, at(22.5))).toMatchObject({ events: EMPTY })
    expect(await snapshot(db.sql, 'aba', a, at(23))).toMatchObject({ events: { 'price.changed': 2 } })
    expect(await priceNow(db.sql, 'aba')).toBe('0.000002')
  })

  it.each([
    { back: 'to the price of yesterday', price: 0.0000025, held: { flips_back: 2 }, events: EMPTY },
    { back: 'to one that ended eight days ago', price: 0.000002, held: EMPTY, events: { 'price.changed': 2 } },
  ])('flips back within seven days: $back', async ({ price, held, events }) => {
    const options = { provider: 'abca' }
    await snapshot(db.sql, 'abca', model('abca', 0.000002, options), at(1))
    await snapshot(db.sql, 'abca', model('abca', 0.0000025, options), at(20))
    await snapshot(db.sql, 'abca', model('abca', 0.000003, options), at(27))
    expect(await snapshot(db.sql, 'abca', model('abca', price, options), at(28))).toMatchObject({ held, events })
  })

  it('falls tenfold with that of other sellers: the maker’s is published after a day, another’s after 14', async () => {
    const sold = (prices: number[]) =>
      prices.flatMap((price, i) =>
        model(`${i < 3 ? '' : 'lab/'}sold`, price, { provider: i === 0 ? 'lab' : `shop-${i}` }),
      )
    await snapshot(db.sql, 'sellers', sold([0.00009, 0.00009, 0.00009, 0.00009, 0.000009, 0.000009]), at(1))
    const cut = sold([0.000009, 0.000009, 0.00009, 0.00009, 0.000009, 0.000009])
    const held = { large_change: 2, tenfold_with_others: 2 }
    expect(await snapshot(db.sql, 'sellers', cut, at(20))).toMatchObject({ held, events: EMPTY })
    expect(await snapshot(db.sql, 'sellers', cut, at(20.5))).toMatchObject({ events: EMPTY })
    expect(await snapshot(db.sql, 'sellers', cut, at(21))).toMatchObject({ events: { 'price.changed': 2 } })
    expect(await snapshot(db.sql, 'sellers', cut, at(33.9))).toMatchObject({ events: EMPTY })
    expect(await snapshot(db.sql, 'sellers', cut, at(34))).toMatchObject({ events: { 'price.changed': 2 } })
  })

  it('is believed when a source of independent origin tells the same', async () => {
    const options = { provider: 'vouched' }
    await snapshot(db.sql, 'v1', model('v', 0.000008, options), at(20))
    const other = (format: string) => ({
      source: sourceDeclaration.parse({ source: `v-${format}`, format, primary: false }),
    })
    const source = (n: number) => ({ ...at(n), source: sourceDeclaration.parse({ source: 'v1', format: 'litellm' }) })
    await snapshot(db.sql, 'v1', model('v', 0.000008, options), source(31))
    await snapshot(db.sql, 'other', model('v', 0.000002, options), { ...other('models-dev'), ...at(32) })
    const copied = await snapshot(db.sql, 'v1', model('v', 0.000002, options), source(33))
    expect(copied.held).toEqual({ large_change: 2 })
    await snapshot(db.sql, 'v1', model('v', 0.000008, options), source(34))
    await snapshot(db.sql, 'other', model('v', 0.000002, options), { ...other('curated'), ...at(35) })
    const vouched = await snapshot(db.sql, 'v1', model('v', 0.000002, options), source(36))
    expect(vouched).toMatchObject({ held: EMPTY, changed: 2 })
  })
})

describe('a snapshot that is not a price list', () => {
  const db = testDatabase({ each: true })

  it.each([
    ['is empty', () => [], 'no_prices'],
    ['lost most of its lines', () => models(12).slice(0, 4), 'collapsed'],
    [
      'is in another unit',
      () => models(12).map((item) => ({ ...item, price: `${Number(item.price) * 1000}` })),
      'unit_flipped',
    ],
  ] as const)('changes nothing when it %s', async (_, lines, reason) => {
    await snapshot(db.sql, 'good', models(12))
    const before = await db.sql`select count(*) from publication where unpublished_at is null`
    const report = await snapshot(db.sql, 'good', [...lines()])
    expect(report.quarantined?.reason).toBe(reason)
    expect(await db.sql`select count(*) from publication where unpublished_at is null`).toEqual(before)
    expect(await db.sql`select from price_line where missing_since is not null`).toHaveLength(0)
  })

  it('never doubles a line that it lists twice', async () => {
    const [line] = model('twice', 0.000001, { provider: 'twin' })
    const report = await snapshot(db.sql, 'twin', [line!, { ...line!, price: '0.000009' }])
    expect(report).toMatchObject({ published: 1, suppressed: { duplicate_line: 1 } })
  })

  it('is taken when its odd lines are left out', async () => {
    const odd = observed('odd', 'input_tokens', 'NaN', { provider: 'odd' })
    const report = await snapshot(db.sql, 'odd', [odd, ...model('even', 0.000001, { provider: 'odd' })])
    expect(report).toMatchObject({ published: 2, suppressed: { not_a_price: 1 } })
    expect(await eventsOf(db.sql, 'resource.added', 'odd')).toHaveLength(1)
  })

  it('that vanishes before anything of its line was published is superseded once', async () => {
    const rest = models(10, { provider: 'vanish' })
    const held = observed('dear', 'input_tokens', '0.5', { provider: 'vanish' })
    await snapshot(db.sql, 'vanishing', [...rest, held])
    for (let check = 0; check < 3; check++) await snapshot(db.sql, 'vanishing', rest)
    const statuses = await db.sql<{ status: string }[]>`
      select s.status from price_status s
      join price_row using (content_hash) join price_line using (line_id)
      where provider = 'vanish' and resource = 'dear' order by seq`
    expect(statuses.map(({ status }) => status)).toEqual(['pending', 'rejected'])
    const [line] = await db.sql`select held_hash from price_line where provider = 'vanish' and resource = 'dear'`
    expect(line).toEqual({ held_hash: null })
  })
})
