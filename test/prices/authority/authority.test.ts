import { describe, expect, it } from 'vitest'
import { type SourceDeclaration, sourceDeclaration } from '../../../src/catalog/schema.ts'
import { storeSnapshot } from '../../../src/catalog/snapshots/snapshot-store.ts'
import { canonicalJson } from '../../../src/lib/canonical-json.ts'
import type { Instant } from '../../../src/lib/instant.ts'
import { kindOfPrice } from '../../../src/prices/authority/authority-rules.ts'
import { isNeeded } from '../../../src/prices/authority/authority-store.ts'
import { confirmPrices } from '../../../src/prices/ingest/confirm-prices.ts'
import { decideReview } from '../../../src/prices/review/decide-review.ts'
import type { Observation } from '../../../src/prices/schema.ts'
import { recordWitnessPrices } from '../../../src/prices/witness/record-witness-prices.ts'
import { testApi } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { EMPTY } from '../../support/empty.ts'
import { day, model, models, observed } from '../observed.ts'
import { declareLists, eventsOf, snapshot } from '../support.ts'

const LIST = sourceDeclaration.parse({ source: 'list', format: 'hand' })
const PAGE = sourceDeclaration.parse({ source: 'page', format: 'hand', rank: 'provider', speaksFor: ['acme'] })

describe('the source in force', () => {
  const db = testDatabase({ each: true })
  const list = (lines: Observation[], n: number) => snapshot(db.sql, 'list', lines, { source: LIST, at: day(n) })
  const page = (lines: Observation[], n: number) => snapshot(db.sql, 'page', lines, { source: PAGE, at: day(n) })

  /** What is served at an instant: source, resource, dimension and price of each row. */
  const served = async (at: Instant) => {
    const rows = await db.sql<{ line: string }[]>`
      select concat_ws(' ', l.source, l.resource, l.dimension, r.price) as line
      from publication p join price_row r using (content_hash) join price_line l on l.line_id = r.line_id
      where p.published_at <= ${at} and (p.unpublished_at is null or p.unpublished_at > ${at}) order by 1`
    return rows.map(({ line }) => line)
  }

  it('hands a resource over to its provider’s own page at the same price without an event', async () => {
    await list(model('m', 0.000001), 1)
    const report = await page(model('m', 0.000001), 2)
    expect(report.events).toEqual(EMPTY)
    expect(report.suppressed).toEqual({ source_changed: 2 })
    expect(await served(day(2))).toEqual(['page m input_tokens 0.000001', 'page m output_tokens 0.000004'])
    expect(await served(day(1))).toEqual(['list m input_tokens 0.000001', 'list m output_tokens 0.000004'])
    const rows = await db.sql`
      select distinct body::jsonb->>'continues' as continues from publication where source = 'page'`
    expect(rows).toEqual([{ continues: 'list' }])
  })

  it('keeps no price of a list that no longer lists the resource, though another source is served for the rest', async () => {
    const batch = [
      observed('m', 'input_tokens', '0.0000005', { pricingTier: { service: 'batch' } }),
      observed('m', 'input_tokens', '0.000002', { pricingTier: { context: '>200000' } }),
    ]
    const filler = models(20)
    await list([...filler, ...model('m', 0.000001), ...batch], 1)
    await page(model('m', 0.000001), 2)
    expect(await served(day(2.5))).toContain('list m input_tokens 0.0000005')
    const events = []
    for (let n = 3; n <= 18; n++) {
      await page(model('m', 0.000001), n - 0.5)
      events.push((await list(filler, n)).events)
    }
    // The step ends after a day and three fetches, the price of batches after 14 days.
    expect(events.map((one) => one['price.changed'] ?? 0)).toEqual([0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0])
    expect((await eventsOf(db.sql, 'price.changed')).map(({ resource, current }) => [resource, current])).toEqual([
      ['m', undefined],
      ['m', undefined],
    ])
    expect(await eventsOf(db.sql, 'resource.removed')).toEqual([])
    expect((await served(day(19))).filter((line) => line.includes(' m '))).toEqual([
      'page m input_tokens 0.000001',
      'page m output_tokens 0.000004',
    ])
    const listed = await db.sql`select source from resource where resource = 'm' and removed_at is null`
    expect(listed).toEqual([{ source: 'page' }])
  })

  it('is compared once a day while what it lost stays, because another source lists it', async () => {
    const filler = models(20)
    await page([...filler, ...model('m', 0.000001)], 1)
    await list(model('m', 0.000001), 1.5)
    for (const n of [2, 3, 4, 5]) await page(filler, n)
    const due = async (n: number) => (await confirmPrices(db.sql, 'page', day(n))).due
    expect(await due(5.1)).toBe(false)
    expect(await due(6)).toBe(true)
    await page(filler, 6)
    expect(await due(6.5)).toBe(false)
    await db.sql`update source set declared = false where source = 'list'`
    expect((await page(filler, 7)).events).toEqual({ 'resource.removed': 1 })
  })

  it('removes nothing that another source lists at a price that waits', async () => {
    const filler = models(20)
    await list([...filler, ...model('m', 0.000001)], 1)
    const other = sourceDeclaration.parse({ source: 'other', format: 'hand' })
    const wrong = [observed('m', 'input_tokens', '0.9')]
    const removed: unknown[] = []
    for (let n = 2; n <= 8; n++) {
      await snapshot(db.sql, 'other', wrong, { source: other, at: day(n - 0.5) })
      removed.push((await list(filler, n)).events['resource.removed'])
    }
    expect(removed.filter(Boolean)).toEqual([])
    expect(await served(day(8))).toContain('list m input_tokens 0.000001')
    // One that lists it no longer keeps it no longer.
    await snapshot(db.sql, 'other', [observed('n', 'input_tokens', '0.000001')], { source: other, at: day(8.5) })
    expect((await list(filler, 9)).events).toEqual({ 'resource.removed': 1 })
  })

  it('hands a lost resource over to a source that has a gap where a price was zero', async () => {
    const filler = models(20)
    const both = [observed('m', 'input_tokens', '0.000001'), observed('m', 'output_tokens', '0')]
    const other = sourceDeclaration.parse({ source: 'other', format: 'hand' })
    await declareLists(
      db.sql,
      [LIST, other].map((declared) => ({ ...declared, intervalSeconds: 3_600 })),
    )
    const unread = {
      ...{ provider: 'acme', resource: 'm', dimension: 'output_tokens' as const, unit: 'usd_per_token' as const },
      ...{ currency: 'USD' as const, pricingTier: {}, text: '0', locator: '/' },
    }
    const providers = [{ provider: 'acme', name: 'Acme' }]
    const parsed = { providers, observations: [both[0]!], ignored: [], unreadable: [unread] }
    await list([...filler, ...both], 1)
    for (let n = 2; n <= 8; n++) {
      await snapshot(db.sql, 'other', parsed.observations, { source: other, at: day(n - 0.5), parsed })
      await list(filler, n)
    }
    expect(await eventsOf(db.sql, 'resource.removed')).toEqual([])
    expect(await served(day(8))).toContain('other m input_tokens 0.000001')
  })

  it('sends one price.changed for a price that the page has otherwise, from the price that was served', async () => {
    await list(model('m', 0.000001), 1)
    const input = observed('m', 'input_tokens', '0.0000015')
    const report = await page([input, observed('m', 'output_tokens', '0.000004')], 2)
    expect(report.events).toEqual({ 'price.changed': 1 })
    expect(await eventsOf(db.sql, 'price.changed')).toMatchObject([
      { source: 'page', resource: 'm', previous: { price: '0.000001' }, current: { price: '0.0000015' } },
    ])
    expect(await served(day(2))).toEqual(['page m input_tokens 0.0000015', 'page m output_tokens 0.000004'])
  })

  it('serves nothing of a list about what a page decides, and keeps it as evidence', async () => {
    await list([...model('m', 0.000001), ...model('other', 0.000002)], 1)
    await page(model('m', 0.000001), 2)
    const report = await list([...model('m', 0.000003), ...model('other', 0.000002)], 3)
    expect(report).toMatchObject({ published: 0, events: EMPTY, lines: 4 })
    expect(await served(day(3))).toEqual([
      'list other input_tokens 0.000002',
      'list other output_tokens 0.000008',
      'page m input_tokens 0.000001',
      'page m output_tokens 0.000004',
    ])
    const evidence = await db.sql`select source, resource, price::text from witness_price order by price`
    expect(evidence).toEqual([
      { source: 'list', resource: 'm', price: '0.000003' },
      { source: 'list', resource: 'm', price: '0.000012' },
    ])
  })

  it('adds or removes no resource because its source changed, whichever lines the page has more or fewer', async () => {
    const cached = observed('n', 'cache_read_tokens', '0.0000001')
    await list([...model('m', 0.000001), observed('m', 'cache_read_tokens', '0.0000001')], 1)
    const lines = [...model('m', 0.000001), observed('m', 'cache_write_tokens', '0.00000125')]
    const report = await page([...lines, ...model('n', 0.000001), cached], 2)
    expect(report.events).toEqual({ 'resource.added': 1 })
    expect((await served(day(2))).filter((line) => line.includes(' m '))).toEqual([
      'page m cache_write_tokens 0.00000125',
      'page m input_tokens 0.000001',
      'page m output_tokens 0.000004',
    ])
    expect(await eventsOf(db.sql, 'resource.removed')).toEqual([])
  })

  it('takes a resource over although it also lists what cannot be read, unless that is served', async () => {
    await list([...model('m', 0.000001), ...model('n', 0.000001)], 1)
    const unread = (resource: string, dimension: Observation['dimension'], text: string) => ({
      ...{ provider: 'acme', resource, dimension, unit: 'usd_per_token', currency: 'USD', pricingTier: {} },
      ...{ text, locator: '/' },
    })
    const observations = [...model('m', 0.0000012), observed('n', 'input_tokens', '0.0000012')]
    const parsed = {
      providers: [{ provider: 'acme', name: 'Acme' }],
      observations,
      ignored: [],
      unreadable: [unread('m', 'reasoning_tokens', '0'), unread('n', 'output_tokens', 'N/A')],
    }
    await snapshot(db.sql, 'page', observations, { source: PAGE, at: day(2), parsed })
    expect(await served(day(2))).toEqual([
      'list n input_tokens 0.000001',
      'list n output_tokens 0.000004',
      'page m input_tokens 0.0000012',
      'page m output_tokens 0.0000048',
    ])
  })

  it('leaves kinds of prices that the page has nowhere to the list', async () => {
    const batch = observed('m', 'input_tokens', '0.0000005', { pricingTier: { service: 'batch' } })
    const image = observed('m', 'input_images', '0.001', { unit: 'usd_per_image' })
    const listed = [...model('m', 0.000001), batch, image]
    await list(listed, 1)
    await page(model('m', 0.000001), 2)
    const report = await list([...model('m', 0.000009), { ...batch, price: '0.0000004' }, image], 3)
    expect(report.events).toEqual({ 'price.changed': 1 })
    expect(await served(day(3))).toEqual([
      'list m input_images 0.001',
      'list m input_tokens 0.0000004',
      'list m input_tokens 0.0000005',
      'page m input_tokens 0.000001',
      'page m output_tokens 0.000004',
    ])
    // Later snapshots of the page go their usual way: a line that cannot be read holds no other.
    const later = await page(
      [observed('m', 'input_tokens', '0.0000011'), observed('m', 'output_tokens', '0.000004')],
      4,
    )
    expect(later.events).toEqual({ 'price.changed': 1 })
  })

  it('decides about the regions that it reads, and a list of another region beside it about those', async () => {
    const inRegion = (region: string, price: string) =>
      observed('p5', 'instance_hours', price, { unit: 'usd_per_instance_hour', pricingTier: { region } })
    const west = sourceDeclaration.parse({ ...PAGE, source: 'west' })
    await declareLists(db.sql, [PAGE, west, LIST])
    const everywhere = ['east-1', 'west-1', 'south-1'].map((region) => inRegion(region, '9'))
    await list(everywhere, 1)
    await page([inRegion('east-1', '5')], 2)
    await snapshot(db.sql, 'west', [inRegion('west-1', '6')], { source: west, at: day(3) })
    await list(everywhere, 4)
    for (const n of [5, 7, 9]) {
      await page([inRegion('east-1', '5')], n)
      await snapshot(db.sql, 'west', [inRegion('west-1', '6')], { source: west, at: day(n + 1) })
    }
    expect(await served(day(11))).toEqual([
      'list p5 instance_hours 9',
      'page p5 instance_hours 5',
      'west p5 instance_hours 6',
    ])
    expect(await eventsOf(db.sql, 'resource.removed')).toEqual([])
  })

  it.each([
    [{}, 'acme input_tokens  '],
    [{ service: 'batch', context: '>200000' }, 'acme input_tokens batch  context service'],
    [{ region: 'eu-1', service: 'spot' }, 'acme input_tokens spot eu-1 region service'],
  ])('knows the kind of a price in tier %j in the database as in the rules', async (pricingTier, kind) => {
    const tier = canonicalJson(pricingTier)
    const [row] = await db.sql`select price_kind('acme', 'input_tokens', ${tier}) as kind`
    expect(row).toEqual({ kind })
    expect(kindOfPrice({ provider: 'acme', dimension: 'input_tokens', pricingTier: tier })).toBe(kind)
  })

  it('leaves them to the next list alone, however many list them', async () => {
    const second = sourceDeclaration.parse({ source: 'second', format: 'hand' })
    await declareLists(db.sql, [PAGE, LIST, second])
    const batch = (price: string) => observed('m', 'input_tokens', price, { pricingTier: { service: 'batch' } })
    await page(model('m', 0.000001), 1)
    await list([...model('m', 0.000001), batch('0.0000005')], 2)
    await snapshot(db.sql, 'second', [...model('m', 0.000001), batch('0.0000004')], { source: second, at: day(3) })
    expect((await served(day(3))).filter((line) => line.includes('input'))).toEqual([
      'list m input_tokens 0.0000005',
      'page m input_tokens 0.000001',
    ])
  })

  it('hands them to a list that stands before the one that is served, with one event', async () => {
    const second = sourceDeclaration.parse({ source: 'second', format: 'hand' })
    await declareLists(db.sql, [PAGE, LIST, second])
    const batch = (price: string) => observed('m', 'input_tokens', price, { pricingTier: { service: 'batch' } })
    await page(model('m', 0.000001), 1)
    const later = (price: string, n: number) =>
      snapshot(db.sql, 'second', [...model('m', 0.000001), batch(price)], { source: second, at: day(n) })
    await later('0.0000004', 2)
    const report = await list([...model('m', 0.000002), batch('0.0000005')], 3)
    expect(report).toMatchObject({ published: 1, events: { 'price.changed': 1 } })
    expect((await served(day(3))).filter((line) => line.includes('input'))).toEqual([
      'list m input_tokens 0.0000005',
      'page m input_tokens 0.000001',
    ])
    expect(await eventsOf(db.sql, 'price.changed')).toMatchObject([
      { previous: { price: '0.0000004' }, current: { price: '0.0000005' } },
    ])
    expect((await later('0.0000004', 4)).published).toBe(0)
  })

  it('takes them from a page that lost the model, where the list that took it over does not read them', async () => {
    const second = sourceDeclaration.parse({ source: 'second', format: 'hand' })
    await declareLists(db.sql, [PAGE, LIST, second])
    const batch = observed('m', 'input_tokens', '0.0000005', { pricingTier: { service: 'batch' } })
    await page([...model('m', 0.000001), ...model('n', 0.000001), batch], 1)
    await page(model('n', 0.000001), 2)
    await list([...model('m', 0.000001), ...model('n', 0.000001)], 3.5)
    const lines = [...model('m', 0.000001), { ...batch, price: '0.0000004' }]
    const report = await snapshot(db.sql, 'second', lines, { source: second, at: day(4) })
    expect(report.events).toEqual({ 'price.changed': 1 })
    expect((await served(day(4))).filter((line) => line.includes(' m input'))).toEqual([
      'list m input_tokens 0.000001',
      'second m input_tokens 0.0000004',
    ])
  })

  it('leaves a resource with the list while the page’s price is in doubt', async () => {
    await list([...model('m', 0.000001), ...models(6)], 1)
    const wrong = model('m', 0.001)
    const report = await page(wrong, 2)
    expect(report.held).not.toEqual({})
    expect((await served(day(2))).filter((line) => line.includes(' m '))).toEqual([
      'list m input_tokens 0.000001',
      'list m output_tokens 0.000004',
    ])
    const right = await page(model('m', 0.000001), 3)
    expect(right.events).toEqual(EMPTY)
    expect((await served(day(3))).filter((line) => line.includes(' m '))).toEqual([
      'page m input_tokens 0.000001',
      'page m output_tokens 0.000004',
    ])
  })

  it('gives a resource back to the list when the page was not read for a week, and takes it again', async () => {
    await list(model('m', 0.000001), 1)
    await page(model('m', 0.0000012), 2)
    await list(model('m', 0.000001), 3)
    expect(await isNeeded(db.sql, 'list', day(8))).toBe(false)
    expect(await isNeeded(db.sql, 'list', day(10))).toBe(true)
    const back = await list(model('m', 0.000001), 10)
    expect(back.events).toEqual({ 'price.changed': 2 })
    expect(await served(day(10))).toEqual(['list m input_tokens 0.000001', 'list m output_tokens 0.000004'])
    const again = await page(model('m', 0.0000012), 11)
    expect(again.events).toEqual({ 'price.changed': 2 })
    expect(await served(day(11))).toEqual(['page m input_tokens 0.0000012', 'page m output_tokens 0.0000048'])
    expect(await served(day(9))).toEqual(['page m input_tokens 0.0000012', 'page m output_tokens 0.0000048'])
  })

  it('keeps one name for a model that the page spells otherwise', async () => {
    await list(model('claude-4-5', 0.000001), 1)
    const report = await page(model('Claude-4.5', 0.000001), 2)
    expect(report.events).toEqual(EMPTY)
    expect(await served(day(2))).toEqual([
      'page claude-4-5 input_tokens 0.000001',
      'page claude-4-5 output_tokens 0.000004',
    ])
  })

  it('keeps that name at every later reading, and so sends no event about it', async () => {
    await list(model('claude-4-5', 0.000001), 1)
    await page(model('Claude-4.5', 0.000001), 2)
    const before = await served(day(2))
    const reports = [
      await page([...model('Claude-4.5', 0.000001), ...model('new', 0.000002)], 3),
      await list([...model('claude-4-5', 0.000001), ...model('other', 0.000002)], 4),
      await page([...model('Claude-4.5', 0.000001), ...model('new', 0.000002)], 5),
    ]
    expect(reports.map(({ events }) => events)).toEqual([{ 'resource.added': 1 }, { 'resource.added': 1 }, EMPTY])
    expect(await served(day(5))).toEqual(expect.arrayContaining(before))
    expect((await served(day(5))).filter((line) => /claude/i.test(line))).toEqual(before)
  })

  it('reads a model that a list has under two names once, under the one that is served', async () => {
    const twice = [...model('claude-4-5', 0.000001), ...model('anthropic/claude-4-5', 0.000002)]
    expect(await list(twice, 1)).toMatchObject({ events: { 'resource.added': 1 }, lines: 4 })
    await page(model('anthropic/claude-4-5', 0.000001), 2)
    const report = await list(twice, 3)
    expect(report.events).toEqual(EMPTY)
    expect((await served(day(3))).filter((line) => line.includes('input'))).toEqual([
      'page claude-4-5 input_tokens 0.000001',
    ])
  })

  it('leaves each name of a provider’s own list as it is', async () => {
    await page([...model('claude-4-5', 0.000001), ...model('anthropic/claude-4-5', 0.000002)], 1)
    expect((await served(day(1))).filter((line) => line.includes('input'))).toEqual([
      'page anthropic/claude-4-5 input_tokens 0.000002',
      'page claude-4-5 input_tokens 0.000001',
    ])
  })

  it('is the first of two lists of one rank, in the order of the declaration', async () => {
    const second = sourceDeclaration.parse({ source: 'second', format: 'hand' })
    await declareLists(db.sql, [LIST, second])
    await snapshot(db.sql, 'second', model('m', 0.000002), { source: second, at: day(1) })
    await list(model('m', 0.000001), 2)
    await snapshot(db.sql, 'second', model('m', 0.000003), { source: second, at: day(3) })
    expect(await served(day(3))).toEqual(['list m input_tokens 0.000001', 'list m output_tokens 0.000004'])
  })

  it('begins without an event where others were served before, and sends what changes from then on', async () => {
    const declared = (...sources: SourceDeclaration[]) => declareLists(db.sql, sources)
    const second = sourceDeclaration.parse({ source: 'second', format: 'hand', witness: true })
    const named = [...model('n', 0.000003), ...model('o', 0.000005, { provider: 'other' })]
    const input = (source: SourceDeclaration, n: number) => ({ source, at: day(n) })
    await declared(LIST, second)
    await list(model('m', 0.000001), 1)
    await recordWitnessPrices(db.sql, {
      ...input(second, 1), snapshotHash: await storeSnapshot(db.sql, { bytes: Buffer.from('n'), at: day(1) }),
      parserVersion: 1, parsed: { providers: [], observations: named, ignored: [] },
    }) // biome-ignore format: one thing after another
    const serving = { ...second, witness: false }
    await declared(LIST, serving)
    const report = await snapshot(db.sql, 'second', named, input(serving, 2))
    expect(report).toMatchObject({ published: 4, events: { 'provider.added': 1 }, suppressed: { first_snapshot: 4 } })
    expect(await served(day(2))).toContain('second n input_tokens 0.000003')
    const next = await snapshot(db.sql, 'second', [...named, ...model('p', 0.000003)], input(serving, 3))
    expect(next.events).toEqual({ 'resource.added': 1 })
  })

  it('is a list like others for providers that a source does not speak for', async () => {
    const other = { provider: 'reseller' }
    await list(model('m', 0.000001, other), 1)
    await page(model('m', 0.000002, other), 2)
    expect(await served(day(2))).toContain('list m input_tokens 0.000001')
    const [{ rows } = { rows: 0 }] = await db.sql`select count(*)::int as rows from resource where removed_at is null`
    expect(rows).toBe(2)
  })

  it('goes on with the list, without a removal, when the page lists the resource no more', async () => {
    await list([...model('m', 0.000001), ...models(3)], 1)
    await page([...model('m', 0.000001), ...models(3)], 2)
    await list([...model('m', 0.000001), ...models(3)], 3)
    for (const n of [4, 5, 6, 7, 8]) await page(models(3), n)
    expect(await isNeeded(db.sql, 'list', day(8))).toBe(true)
    const report = await list([...model('m', 0.000001), ...models(3)], 8.5)
    expect(report.events).toEqual(EMPTY)
    expect(await eventsOf(db.sql, 'resource.removed')).toEqual([])
    expect(await served(day(9))).toContain('list m input_tokens 0.000001')
  })
})

describe('a decision about a page’s price', () => {
  const db = testDatabase({ each: true })

  it('ends the price of the list when it is approved, with one event from the price that was served', async () => {
    await snapshot(db.sql, 'list', [...model('m', 0.000001), ...models(6)], { source: LIST, at: day(1) })
    await snapshot(db.sql, 'page', model('m', 0.001), { source: PAGE, at: day(2) })
    const [review] = await db.sql<{ id: string }[]>`select review_id as id from review where decided_at is null`
    await decideReview(db.sql, {
      reviewId: review!.id,
      decision: 'approve',
      actor: 'ada',
      reason: 'read on the page',
      at: day(3),
    })
    const open = await db.sql`
      select source, body::jsonb->>'price' as price, body::jsonb->>'continues' as continues from publication
      where resource = 'm' and dimension = 'input_tokens' and unpublished_at is null`
    expect(open).toEqual([{ source: 'page', price: '0.001', continues: 'list' }])
    const changes = await eventsOf(db.sql, 'price.changed')
    expect(
      changes.map(({ previous, current }) => [previous, current].map((one) => (one as { price: string }).price)),
    ).toEqual(
      expect.arrayContaining([
        ['0.000001', '0.001'],
        ['0.000004', '0.004'],
      ]),
    )
    expect(changes).toHaveLength(2)
  })
})

/** A random walk of three sources that list three models, with pauses in which they become stale. */
describe('sources in force over time', () => {
  const db = testDatabase({ each: true })
  const second = sourceDeclaration.parse({ source: 'second', format: 'hand' })
  const declared = { list: LIST, second, page: PAGE }

  type Row = { key: string; source: string; price: string }
  const open = () =>
    db.sql<Row[]>`
      select concat_ws(' ', l.resource, l.dimension) as key, l.source, r.price::text
      from price_line l join price_row r on r.content_hash = l.current_hash
      join publication p on p.content_hash = r.content_hash and p.unpublished_at is null order by 1`

  it.each([1, 2, 3])('serve one price a line, and every change of it has its one event (seed %i)', async (seed) => {
    const random = randomOf(seed)
    await declareLists(db.sql, Object.values(declared))
    const costs: Record<string, number[]> = { list: [1, 2, 3], second: [1, 2, 3], page: [1, 2, 3] }
    let before = new Map<string, Row>()
    for (let step = 0, now = 1; step < 14; step++, now += random() < 0.2 ? 9 : 0.5) {
      const name = ['list', 'second', 'page'][Math.floor(random() * 3)]! as keyof typeof declared
      const cost = costs[name]!
      if (random() < 0.5) cost[Math.floor(random() * 3)]! += 1
      const lists = cost.flatMap((price, n) => (random() < 0.15 ? [] : model(`m${n}`, price / 1e6)))
      const report = await snapshot(db.sql, name, [...lists, ...models(3)], { source: declared[name], at: day(now) })
      const rows = await open()
      const after = new Map(rows.map((row) => [row.key, row]))
      expect(after.size, `two sources at once: ${JSON.stringify(rows)}`).toBe(rows.length)
      const both = [...after.values()].filter(({ key }) => before.has(key))
      const changed = both.filter(({ key, price }) => before.get(key)!.price !== price)
      expect(report.events['price.changed'] ?? 0, `step ${step}`).toBe(changed.length)
      const since = await db.sql<{ type: string; resource: string }[]>`
        select type, body::jsonb->>'resource' as resource from event
        where body::jsonb->>'createdAt' = ${report.at ?? ''} and type in ('resource.added', 'resource.removed')`
      const served = (rows: Map<string, Row>, resource: string) => rows.has(`${resource} input_tokens`)
      for (const { type, resource } of since)
        expect([type, served(before, resource), served(after, resource)]).toEqual(
          type === 'resource.added' ? [type, false, true] : [type, true, false],
        )
      before = after
    }
  })
})

function randomOf(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

describe('current prices where two sources list one thing', () => {
  const db = testDatabase({ each: true })
  const api = testApi(db)

  it('are never two', async () => {
    await snapshot(db.sql, 'list', model('m', 0.000001), { source: LIST, at: day(1) })
    await snapshot(db.sql, 'page', model('m', 0.0000012), { source: PAGE, at: day(2) })
    const { json } = await api.get('/v1/prices/history?resource=m&dimension=input_tokens&current=true')
    expect((json as { prices: unknown }).prices).toMatchObject([{ source: 'page', price: '0.0000012' }])
  })
})
