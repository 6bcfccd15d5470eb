import { describe, expect, it } from 'vitest'
import { sourceDeclaration } from '../../../src/catalog/schema.ts'
import { storeSnapshot } from '../../../src/catalog/snapshots/snapshot-store.ts'
import { collectorFor } from '../../../src/collectors/index.ts'
import { HOUR, plus } from '../../../src/lib/instant.ts'
import { confirmPrices, recheckAt } from '../../../src/prices/ingest/confirm-prices.ts'
import { ingestPrices } from '../../../src/prices/ingest/ingest-prices.ts'
import { decideReview } from '../../../src/prices/review/decide-review.ts'
import { listAbsentPrices } from '../../../src/prices/review/list-absent-prices.ts'
import type { Observation } from '../../../src/prices/schema.ts'
import { openReviewItems } from '../../../src/prices/store/review-store.ts'
import { testDatabase } from '../../support/database.ts'
import { day, model, models, observed } from '../observed.ts'
import { eventsOf, priceNow, snapshot } from '../support.ts'

const who = { actor: 'ada', reason: 'seen on the price page' }

describe('a price that is listed and cannot be read', () => {
  const db = testDatabase({ each: true })

  /** Takes the list of models.dev with one more model, as its parser reads it. */
  async function take(n: number, more: object) {
    const fillers = Object.fromEntries(
      Array.from({ length: 12 }, (_, i) => [`filler-${i}`, { cost: { input: i + 1, output: 4 * i + 5 } }]),
    )
    const list = { acme: { name: 'Acme', models: { ...fillers, ...more } } }
    const bytes = Buffer.from(JSON.stringify(list))
    const source = sourceDeclaration.parse({ source: 'dev', format: 'models-dev' })
    const { parse, parserVersion } = collectorFor('models-dev')!
    const at = day(n)
    const snapshotHash = await storeSnapshot(db.sql, { bytes, at })
    return ingestPrices(db.sql, { source, snapshotHash, parserVersion, parsed: parse(bytes, { source, at }), at })
  }

  it.each([
    ['a comma', { cost: { input: '1,5', output: 6 } }, '"1,5"'],
    ['N/A', { cost: { input: 'N/A', output: 'N/A' } }, '"N/A"'],
    ['the mark of a dynamic price', { cost: { input: -1, output: -1 } }, '-1'],
    ['null', { cost: { input: null, output: null } }, 'null'],
    ['a range', { cost: { input: '1-2', output: 6 } }, '"1-2"'],
    ['no cost', { name: 'The model' }, 'a model without a price'],
  ])('because it is %s is not a removal, and its text is shown', async (_, broken, text) => {
    await take(1, { wanted: { cost: { input: 1.5, output: 6 } } })
    for (const n of [2, 3, 4, 5, 6]) expect((await take(n, { wanted: broken })).events).toEqual({})
    expect(await priceNow(db.sql, 'wanted')).toBe('0.0000015')
    const [item] = await openReviewItems(db.sql)
    expect(item).toMatchObject({ kind: 'unreadable', reasons: ['unreadable_price'], detail: { resources: ['wanted'] } })
    expect(item?.detail.texts).toContain(`wanted input_tokens {} = ${text}`)
    expect((await take(7, { wanted: { cost: { input: 1.5, output: 6 } } })).events).toEqual({})
    expect(await openReviewItems(db.sql)).toEqual([])
  })

  it('is compared once, not at every fetch, while a price of it is held', async () => {
    await take(1, {})
    await take(2, { wanted: { cost: { input: 5000, output: 20000 } } })
    await take(3, { wanted: { name: 'The model' } })
    expect(await confirmPrices(db.sql, 'dev', day(20))).toEqual({ due: false })
  })

  it('is removed when a person says so, and not asked about again when a person says no', async () => {
    await take(1, { wanted: { cost: { input: 1.5, output: 6 } } })
    const asked = async (n: number, text: string) => {
      await take(n, { wanted: { cost: { input: text, output: 6 } } })
      return openReviewItems(db.sql)
    }
    const [first] = await asked(2, 'soon')
    await decideReview(db.sql, { reviewId: first!.reviewId, decision: 'reject', ...who, at: day(3) })
    expect(await asked(4, 'soon')).toEqual([])
    const [second] = await asked(5, 'discontinued')
    await decideReview(db.sql, { reviewId: second!.reviewId, decision: 'approve', ...who, at: day(6) })
    expect(await priceNow(db.sql, 'wanted')).toBeUndefined()
    expect(await priceNow(db.sql, 'wanted', 'output_tokens')).toBe('0.000006')
    expect(await asked(7, 'discontinued')).toEqual([])
  })

  it('is the removal of its resource when a person removes all its prices', async () => {
    await take(1, { wanted: { cost: { input: 1.5, output: 6 } } })
    await take(2, { wanted: { name: 'The model' } })
    const [item] = await openReviewItems(db.sql)
    const { events } = await decideReview(db.sql, {
      reviewId: item!.reviewId,
      decision: 'approve',
      ...who,
      at: day(3),
    })
    expect(events).toEqual({ 'resource.removed': 1 })
    const [removed] = await eventsOf(db.sql, 'resource.removed')
    expect(removed).toMatchObject({ resource: 'wanted', lines: [{ price: '0.0000015' }, { price: '0.000006' }] })
    expect((await take(4, { wanted: { name: 'The model' } })).events).toEqual({})
    expect((await take(5, { wanted: { cost: { input: 1.5, output: 6 } } })).events).toEqual({ 'price.corrected': 2 })
  })

  it('is a cached price of zero beside a price of input', async () => {
    const cached = (price: string) => observed('m', 'cache_read_tokens', price)
    const take = (n: number, price: string) =>
      snapshot(db.sql, 'one', [...models(12), ...model('m', 0.000002), cached(price)], { at: day(n) })
    await take(1, '0.0000002')
    for (const n of [2, 3, 4, 5]) await take(n, '0')
    expect(await priceNow(db.sql, 'm', 'cache_read_tokens')).toBe('0.0000002')
  })
})

describe('a zero', () => {
  const db = testDatabase({ each: true })
  type Format = 'azure' | 'aws' | 'curated'

  /** Machines of a cloud at their prices, as its list gives them. */
  const lists: Record<Format, (prices: [string, number][]) => object> = {
    azure: (prices) => ({
      Items: prices.map(([armSkuName, retailPrice]) => ({
        armSkuName, retailPrice, currencyCode: 'USD', type: 'Consumption', unitOfMeasure: '1 Hour',
        productName: 'Virtual Machines X Series', skuName: armSkuName, meterName: armSkuName,
      })),
      NextPageLink: null,
    }),
    aws: (prices) => ({
      products: Object.fromEntries(prices.map(([instanceType]) => [instanceType, { attributes: { instanceType } }])),
      terms: {
        OnDemand: Object.fromEntries(
          prices.map(([name, price]) => [
            name,
            { A: { priceDimensions: { R: { unit: 'Hrs', pricePerUnit: { USD: String(price) } } } } },
          ]),
        ),
      },
    }),
    curated: (prices) => ({
      prices: prices.map(([resource, price]) => ({ provider: 'acme', resource, dimension: 'instance_hours', price })),
    }),
  } // biome-ignore format: one thing after another

  it.each([
    ['azure', 'unreadable', 'unreadable_price'],
    ['aws', 'unreadable', 'unreadable_price'],
    ['curated', 'price', 'to_zero'],
  ] as const)('in a list of %s is not a removal: one item asks about it', async (format, kind, reason) => {
    const fillers = Array.from({ length: 12 }, (_, i): [string, number] => [`m-${i}`, i + 1.5])
    const source = sourceDeclaration.parse({ source: 'cloud', format })
    const { parse, parserVersion } = collectorFor(format)!
    for (const n of [1, 2, 3, 4, 5, 6]) {
      const bytes = Buffer.from(JSON.stringify(lists[format]([...fillers, ['wanted', n === 1 ? 2.5 : 0]])))
      const at = day(n)
      const snapshotHash = await storeSnapshot(db.sql, { bytes, at })
      const parsed = parse(bytes, { source, at })
      const { events } = await ingestPrices(db.sql, { source, snapshotHash, parserVersion, parsed, at })
      if (n > 1) expect(events).toEqual({})
    }
    expect(await priceNow(db.sql, 'wanted', 'instance_hours')).toBe('2.5')
    expect(await openReviewItems(db.sql)).toMatchObject([{ kind, reasons: [reason] }])
  })
})

describe('lines that many resources lose at once', () => {
  const db = testDatabase({ each: true })
  const base = models(60)
  const cached = Array.from({ length: 60 }, (_, i) => {
    const { resource, price } = base[2 * i]!
    return observed(resource, 'cache_read_tokens', (Number(price) / 10).toFixed(12).replace(/0+$/, ''))
  })
  const take = (n: number, lines: Observation[]) => snapshot(db.sql, 'one', lines, { at: day(n) })

  it('stay served, and are one item to review', async () => {
    await take(1, [...base, ...cached])
    for (const n of [2, 3, 4, 5, 6]) expect((await take(n, base)).events).toEqual({})
    expect(await priceNow(db.sql, base[0]!.resource, 'cache_read_tokens')).toBe(cached[0]!.price)
    const items = await openReviewItems(db.sql)
    expect(items).toMatchObject([
      { kind: 'line_removal', reasons: ['lines_missing_everywhere'], detail: { texts: ['cache_read_tokens {}'] } },
    ])
    const shown = (await listAbsentPrices(db.sql, items[0]!.reviewId)).slice(0, 3)
    expect(shown.map(({ resource, dimension, ends }) => [resource, dimension, ends])).toEqual([
      [base[0]!.resource, 'cache_read_tokens', true],
      [base[0]!.resource, 'input_tokens', false],
      [base[0]!.resource, 'output_tokens', false],
    ])
    const request = { reviewId: items[0]!.reviewId, decision: 'approve' as const, ...who, at: day(7) }
    // Lines end; no row is published.
    expect(await decideReview(db.sql, request)).toMatchObject({ kind: 'line_removal', rows: 0 })
    expect(await priceNow(db.sql, base[0]!.resource, 'cache_read_tokens')).toBeUndefined()
    expect(await priceNow(db.sql, base[0]!.resource)).toBe(base[0]!.price)
  })

  it('are asked about after a day also where the list does not change any more', async () => {
    await take(1, [...base, ...cached])
    await take(2, base)
    const at = (hours: number) => plus(day(2), hours * HOUR)
    for (const hours of [8, 16]) expect(await confirmPrices(db.sql, 'one', at(hours))).toEqual({ due: false })
    expect(await recheckAt(db.sql, 'one', at(16))).toBe(at(24))
    expect(await confirmPrices(db.sql, 'one', at(24))).toEqual({ due: true })
    await take(3, base)
    const [item] = await openReviewItems(db.sql)
    expect(item).toMatchObject({ kind: 'line_removal', reasons: ['lines_missing_everywhere'] })
    expect(await confirmPrices(db.sql, 'one', day(9))).toEqual({ due: false })
    await decideReview(db.sql, { reviewId: item!.reviewId, decision: 'reject', ...who, at: day(10) })
    expect(await confirmPrices(db.sql, 'one', day(11))).toEqual({ due: false })
    // What a person refused to remove waits for nothing: the same list is not read again for its sake.
    for (const n of [15, 16, 17, 40]) expect(await confirmPrices(db.sql, 'one', day(n))).toEqual({ due: false })
    expect(await recheckAt(db.sql, 'one', day(40))).toBeUndefined()
    expect((await take(41, base)).events).toEqual({})
    expect(await priceNow(db.sql, base[0]!.resource, 'cache_read_tokens')).toBe(cached[0]!.price)
  })

  it('are asked about where a person refused to remove others that were missing before', async () => {
    await take(1, [...base, ...cached])
    for (const n of [2, 3, 4]) await take(n, [...base, ...cached.slice(30)])
    const [item] = await openReviewItems(db.sql)
    await take(5, base)
    await decideReview(db.sql, { reviewId: item!.reviewId, decision: 'reject', ...who, at: plus(day(5), HOUR) })
    expect(await confirmPrices(db.sql, 'one', plus(day(5), 8 * HOUR))).toEqual({ due: true })
    await take(6, base)
    await take(7, base)
    expect(await openReviewItems(db.sql)).toMatchObject([
      { kind: 'line_removal', detail: { resources: { length: 60 } } },
    ])
    expect(await confirmPrices(db.sql, 'one', day(60))).toEqual({ due: false })
  })

  it('wait for nothing more where a person refused to remove them, until more are lost', async () => {
    await take(1, [...base, ...cached])
    for (const n of [2, 3, 4]) await take(n, [...base, ...cached.slice(30)])
    const [item] = await openReviewItems(db.sql)
    await decideReview(db.sql, { reviewId: item!.reviewId, decision: 'reject', ...who, at: day(5) })
    expect(await confirmPrices(db.sql, 'one', day(30))).toEqual({ due: false })
    await take(31, base)
    await take(32, base)
    await take(33, base)
    expect(await openReviewItems(db.sql)).toMatchObject([{ kind: 'line_removal' }])
    expect(await confirmPrices(db.sql, 'one', day(60))).toEqual({ due: false })
  })

  it('wait as single ones do where they are no more than a fifth of those with their dimension', async () => {
    await take(1, [...base, ...cached])
    await take(2, [...base, ...cached.slice(12)])
    for (const n of [3, 4, 5, 15]) expect(await confirmPrices(db.sql, 'one', day(n))).toEqual({ due: false })
    expect(await confirmPrices(db.sql, 'one', day(16))).toEqual({ due: true })
    await take(17, [...base, ...cached.slice(12)])
    await take(18, base)
    for (const n of [19, 20]) expect(await confirmPrices(db.sql, 'one', day(n))).toEqual({ due: n === 20 })
  })

  it('stay served too when they are of many dimensions, a few of each', async () => {
    const dimensions = ['cache_read_tokens', 'cache_write_tokens', 'input_audio_tokens', 'output_audio_tokens'] as const
    const more = cached
      .slice(0, 16)
      .map((line, i) => ({ ...line, dimension: dimensions[i % 4]!, price: (Number(line.price) * 10).toFixed(9) }))
      .map((line) => ({ ...line, price: line.price.replace(/0+$/, '') }))
    await take(1, [...base, ...more])
    for (const n of [2, 3, 4, 5]) expect((await take(n, base)).events).toEqual({})
    expect(await priceNow(db.sql, more[0]!.resource, 'cache_read_tokens')).toBe(more[0]!.price)
    expect(await openReviewItems(db.sql)).toMatchObject([{ kind: 'line_removal', provider: 'acme' }])
  })

  it('are removed when only a few lose them', async () => {
    await take(1, [...base, ...cached.slice(0, 4)])
    for (const n of [2, 3, 9, 15]) await take(n, base)
    expect(await priceNow(db.sql, base[0]!.resource, 'cache_read_tokens')).toBe(cached[0]!.price)
    await take(17, base)
    expect(await priceNow(db.sql, base[0]!.resource, 'cache_read_tokens')).toBeUndefined()
  })
})

describe('a price list that is shorter, or older', () => {
  const db = testDatabase({ each: true })
  const take = (n: number, lines: Observation[]) => snapshot(db.sql, 'one', lines, { at: day(n) })

  it('stays approved when its next version comes before it was ingested', async () => {
    await take(1, models(30))
    const half = models(12)
    expect((await take(2, half)).quarantined?.reason).toBe('collapsed')
    const [item] = await openReviewItems(db.sql)
    await decideReview(db.sql, { reviewId: item!.reviewId, decision: 'approve', ...who, at: day(3) })
    expect((await take(4, [...half, ...model('more', 0.0000099)])).quarantined).toBeUndefined()
    expect((await take(5, half)).quarantined).toBeUndefined()
    expect((await take(6, models(2))).quarantined?.reason).toBe('collapsed')
  })

  it('is recognized when it was served before: nothing changes until its source repeated it for a day', async () => {
    const rest = models(20)
    const older = [...rest, ...models(6, { provider: 'beta' })]
    const newer = [
      ...rest,
      ...models(6, { provider: 'beta' }).map((item) => ({ ...item, resource: `new-${item.resource}` })),
    ]
    await take(1, older)
    for (const n of [2, 3, 4, 5]) await take(n, newer)
    const before = await db.sql`select count(*) from event`
    const again = await take(6, [...older].reverse())
    expect(again.quarantined?.message).toMatch(/^The source serves the price list of 2026-01-02T.* again/)
    expect((await take(6.5, older)).quarantined?.reason).toBe('served_again')
    expect(await db.sql`select count(*) from event`).toEqual(before)
    expect((await take(6.6, newer)).quarantined).toBeUndefined()
    expect(await openReviewItems(db.sql).then((items) => items.filter(({ kind }) => kind === 'snapshot'))).toEqual([])
    for (const n of [8, 8.5]) expect((await take(n, older)).quarantined?.reason).toBe('served_again')
    expect((await take(9, older)).quarantined).toBeUndefined()
  })

  it('is not believed, nor asked about again, after a person rejected it', async () => {
    const rest = models(20)
    const named = (prefix: string) =>
      models(6, { provider: 'beta' }).map((item) => ({ ...item, resource: `${prefix}-${item.resource}` }))
    await take(1, [...rest, ...named('old')])
    for (const n of [2, 3, 4, 5]) await take(n, [...rest, ...named('new')])
    await take(6, [...rest, ...named('old')])
    const [item] = (await openReviewItems(db.sql)).filter(({ kind }) => kind === 'snapshot')
    await decideReview(db.sql, { reviewId: item!.reviewId, decision: 'reject', ...who, at: day(6.5) })
    for (const n of [7, 7.5, 8, 9]) {
      expect((await take(n, [...rest, ...named('old')])).quarantined?.reason).toBe('served_again')
      expect((await openReviewItems(db.sql)).filter(({ kind }) => kind === 'snapshot')).toEqual([])
    }
    expect((await take(10, [...rest, ...named('new')])).quarantined).toBeUndefined()
  })
})

describe('a renaming', () => {
  const db = testDatabase({ each: true })

  it('is not published when the model came back under two regions', async () => {
    const rest = models(12)
    const at = (n: number) => ({ at: day(n) })
    await snapshot(db.sql, 'one', [...rest, ...model('falcon-9', 0.0000077)], at(1))
    const regions = [...model('eu/falcon-9', 0.0000077), ...model('us/falcon-9', 0.0000066)]
    for (const n of [2, 3, 4, 5]) await snapshot(db.sql, 'one', [...rest, ...regions], at(n))
    expect(await eventsOf(db.sql, 'resource.renamed')).toEqual([])
    expect(await priceNow(db.sql, 'falcon-9')).toBe('0.0000077')
  })
})
