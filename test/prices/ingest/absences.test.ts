import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { sourceDeclaration } from '../../../src/catalog/schema.ts'
import { claimSource, recordOutcome, sourceState } from '../../../src/catalog/sources/source-store.ts'
import { snapshotAtHand } from '../../../src/collecting/snapshot-at-hand.ts'
import { collectorFor } from '../../../src/collectors/index.ts'
import type { Instant } from '../../../src/lib/instant.ts'
import { confirmPrices, recheckAt } from '../../../src/prices/ingest/confirm-prices.ts'
import { decideReview } from '../../../src/prices/review/decide-review.ts'
import type { Observation } from '../../../src/prices/schema.ts'
import { openReviewItems } from '../../../src/prices/store/review-store.ts'
import { testDatabase } from '../../support/database.ts'
import { day, model, models, observed } from '../observed.ts'
import { eventsOf, ownList, priceNow, snapshot } from '../support.ts'

describe('a resource that is no longer listed', () => {
  const db = testDatabase({ each: true })
  let n = 0
  beforeEach(() => {
    n = 0
  })
  const next = (provider: string, lines: Observation[]) =>
    snapshot(db.sql, provider, lines, { at: day(n++), source: ownList(provider) })
  /** Decides the oldest open item of a provider, the day after its last list. */
  const decide = async (provider: string, decision: 'approve' | 'reject') => {
    const [item] = await openReviewItems(db.sql, 9, { provider })
    await decideReview(db.sql, { reviewId: item!.reviewId, decision, actor: 'ada', reason: 'so', at: day(n++) })
  }
  /** A list with the resource `back`, which has two prices. */
  const withBoth = (provider: string, input: string) => [
    ...models(20, { provider }),
    observed('back', 'input_tokens', input, { provider }),
    observed('back', 'output_tokens', '0.000009', { provider }),
  ]

  it('is removed after three good fetches over three days, and served no more from then on', async () => {
    const rest = models(20, { provider: 'p1' })
    await next('p1', [...rest, ...model('gone', 0.0000077, { provider: 'p1' })])
    for (let i = 0; i < 3; i++) expect((await next('p1', rest)).events).toEqual({})
    expect(await priceNow(db.sql, 'gone')).toBe('0.0000077')
    expect((await next('p1', rest)).events).toEqual({ 'resource.removed': 1 })
    expect(await priceNow(db.sql, 'gone')).toBeUndefined()
    const [event] = await eventsOf(db.sql, 'resource.removed', 'p1')
    expect(event).toMatchObject({ resource: 'gone', lines: [{ price: '0.0000077' }, expect.any(Object)] })
    const before = await db.sql`
      select from publication where resource = 'gone' and published_at <= ${day(3)}
        and (unpublished_at is null or unpublished_at > ${day(3)})`
    expect(before).toHaveLength(2)
  })

  it('is compared again when its last line was missing long enough, not each time since the first one was', async () => {
    const rest = models(20, { provider: 'p1' })
    const gone = model('gone', 0.0000077, { provider: 'p1' })
    const cached = observed('gone', 'cache_read_tokens', '0.000001', { provider: 'p1' })
    await next('p1', [...rest, ...gone, cached])
    for (let i = 0; i < 4; i++) await next('p1', [...rest, ...gone])
    await next('p1', rest)
    const due = async (at: Instant) => (await confirmPrices(db.sql, 'p1', at)).due
    expect([await due(day(6)), await due(day(7)), await due(day(8))]).toEqual([false, false, true])
  })

  it('is compared no more while its list stays the same, once a person refused to remove it', async () => {
    const rest = models(20, { provider: 'p1' })
    const gone = ['a', 'b', 'c'].flatMap((name) => model(`gone-${name}`, 0.0000077, { provider: 'p1' }))
    await next('p1', [...rest, ...gone])
    for (let i = 0; i < 4; i++) await next('p1', rest)
    const due = async (at: Instant) => (await confirmPrices(db.sql, 'p1', at)).due
    expect(await openReviewItems(db.sql)).toMatchObject([{ kind: 'removal', reasons: ['mass_disappearance'] }])
    await decide('p1', 'reject')
    expect([await due(day(6)), await due(day(40))]).toEqual([false, false])
    expect(await recheckAt(db.sql, 'p1', day(40))).toBeUndefined()
    // Back and gone again, it is an absence of its own.
    n = 41
    await next('p1', [...rest, ...gone])
    for (let i = 0; i < 3; i++) await next('p1', rest)
    expect([await due(day(44)), await due(day(45))]).toEqual([false, true])
  })

  it('comes back as a correction, not as a new resource', async () => {
    const rest = models(20, { provider: 'p1' })
    const listed = [...rest, ...model('gone', 0.0000077, { provider: 'p1' })]
    for (const lines of [listed, rest, rest, rest, rest]) await next('p1', lines)
    const report = await next('p1', listed)
    expect(report.events).toEqual({ 'price.corrected': 2 })
    expect(await priceNow(db.sql, 'gone')).toBe('0.0000077')
    const [event] = await eventsOf(db.sql, 'price.corrected', 'p1')
    expect(event).toMatchObject({ action: 'restored', affected: { from: day(4), to: day(5) } })
  })

  it('comes back from no price: with other facts as a correction, at another price as a line that begins', async () => {
    const rest = models(20, { provider: 'p1' })
    const sold = (resource: string, price: string, category?: string) =>
      observed(resource, 'input_tokens', price, { provider: 'p1', category })
    await next('p1', [...rest, sold('sorted', '0.0000077'), sold('dearer', '0.0000088')])
    for (let i = 0; i < 4; i++) await next('p1', rest)
    const back = [sold('sorted', '0.0000077', 'chat'), sold('dearer', '0.000009')]
    const { events, suppressed } = await next('p1', [...rest, ...back])
    expect([events, suppressed]).toEqual([{ 'price.corrected': 1, 'price.changed': 1 }, {}])
    const [restored] = await eventsOf(db.sql, 'price.corrected', 'p1')
    expect(restored).toMatchObject({
      ...{ resource: 'sorted', action: 'restored', affected: { from: day(4), to: day(5) } },
      corrected: { price: '0.0000077', recordedAt: day(0) },
      current: { price: '0.0000077', recordedAt: day(5) },
    })
    const [begun] = await eventsOf(db.sql, 'price.changed', 'p1')
    expect(begun).toMatchObject({ resource: 'dearer', current: { price: '0.000009' } })
    expect(['previous' in restored!, 'previous' in begun!]).toEqual([false, false])
  })

  it('sends price.changed when a line ends in a resource that stays listed, and when it begins again', async () => {
    const rest = models(20, { provider: 'p8' })
    const cached = observed('filler-a0', 'cache_read_tokens', '0.0000001', { provider: 'p8' })
    await next('p8', [...rest, cached])
    for (let i = 0; i < 14; i++) expect((await next('p8', rest)).events).toEqual({})
    expect(await priceNow(db.sql, 'filler-a0', 'cache_read_tokens')).toBe('0.0000001')
    expect((await next('p8', rest)).events).toEqual({ 'price.changed': 1 })
    expect(await priceNow(db.sql, 'filler-a0', 'cache_read_tokens')).toBeUndefined()
    expect((await next('p8', [...rest, cached])).events).toEqual({ 'price.changed': 1 })
    const [ended, begun] = await eventsOf(db.sql, 'price.changed', 'p8')
    const { contentHash, recordedAt } = ended!.previous as { [field: string]: string }
    const point = { price: '0.0000001', contentHash, recordedAt }
    const line = { resource: 'filler-a0', dimension: 'cache_read_tokens' }
    expect([ended, begun]).toMatchObject([
      { ...line, previous: point },
      { ...line, current: point },
    ])
    expect(['current' in ended!, 'previous' in begun!]).toEqual([false, false])
    expect(await priceNow(db.sql, 'filler-a0', 'cache_read_tokens')).toBe('0.0000001')
  })

  it('says nothing of a resource that was only missing for a while', async () => {
    const all = [...models(20, { provider: 'p2' }), ...model('blinks', 0.0000077, { provider: 'p2' })]
    await next('p2', all)
    await next('p2', models(20, { provider: 'p2' }))
    await next('p2', models(20, { provider: 'p2' }))
    await next('p2', all)
    expect((await next('p2', models(20, { provider: 'p2' }))).events).toEqual({})
    const [line] = await db.sql`select missing_count from price_line where resource = 'blinks' limit 1`
    expect(line?.missing_count).toBe(1)
  })

  it('is asked about no more when it came back with a doubtful price and went again', async () => {
    const rest = models(20, { provider: 'p8' })
    const free = [observed('back', 'input_tokens', '0', { provider: 'p8' })]
    await next('p8', [...rest, observed('back', 'input_tokens', '0.000002', { provider: 'p8' })])
    for (let i = 0; i < 5; i++) await next('p8', rest)
    await next('p8', [...rest, ...free])
    expect(await openReviewItems(db.sql, 9, { provider: 'p8' })).toHaveLength(1)
    await next('p8', rest)
    expect(await openReviewItems(db.sql, 9, { provider: 'p8' })).toEqual([])
    expect(await db.sql`select held_hash, judged_again_at from price_line where resource = 'back'`).toEqual([
      { held_hash: null, judged_again_at: null },
    ])
  })

  it('is served whole when it came back with a doubtful price that a person approved', async () => {
    const rest = models(20, { provider: 'q1' })
    await next('q1', withBoth('q1', '0.000002'))
    for (let i = 0; i < 5; i++) await next('q1', rest)
    await next('q1', withBoth('q1', '0.00004'))
    await decide('q1', 'approve')
    // Its next check reads the same bytes again.
    expect(await db.sql`select read_again from source where source = 'q1'`).toEqual([{ read_again: true }])
    await next('q1', withBoth('q1', '0.00004'))
    expect([await priceNow(db.sql, 'back'), await priceNow(db.sql, 'back', 'output_tokens')]).toEqual([
      '0.00004',
      '0.000009',
    ])
  })

  it('is served at its earlier prices when a person rejected the one that it came back with', async () => {
    const rest = models(20, { provider: 'q4' })
    await next('q4', withBoth('q4', '0.000002'))
    for (let i = 0; i < 5; i++) await next('q4', rest)
    await next('q4', withBoth('q4', '0.00004'))
    const declared = { ...sourceDeclaration.parse({ source: 'q4', format: 'curated' }), kind: 'prices' as const }
    const { parserVersion } = collectorFor('curated')!
    // A collection that read the list before the decision ends after it.
    const collection = await claimSource(db.sql, { source: 'q4', id: randomUUID(), now: day(n), until: day(n + 1) })
    await decide('q4', 'reject')
    await db.sql.begin((tx) =>
      recordOutcome(tx, {
        source: 'q4',
        claimId: collection!.id,
        at: day(n),
        nextDueAt: day(n + 1),
        outcome: 'unchanged',
        confirmed: true,
        durationMs: 5,
        snapshotHash: collection!.state.ingestedHash!,
        parserVersion,
      }),
    )
    const isRead = async () => snapshotAtHand(declared, (await sourceState(db.sql, 'q4'))!, day(n)).isRead
    expect(await isRead()).toBe(false)
    await next('q4', withBoth('q4', '0.00004'))
    expect([await priceNow(db.sql, 'back'), await priceNow(db.sql, 'back', 'output_tokens')]).toEqual([
      '0.000002',
      '0.000009',
    ])
  })

  it('has its earlier prices in the history again when time releases what it came back with', async () => {
    const rest = models(20, { provider: 'q2' })
    const back = (price: string) => [...rest, observed('back', 'input_tokens', price, { provider: 'q2' })]
    await next('q2', back('0.000002'))
    for (let i = 0; i < 5; i++) await next('q2', rest)
    for (let i = 0; i < 5; i++) await next('q2', back('0.000007'))
    expect(await priceNow(db.sql, 'back')).toBe('0.000007')
    const served = await db.sql`
      select r.price from publication p join price_row r using (content_hash)
      where p.resource = 'back' and p.unpublished_at is null order by r.recorded_at`
    expect(served.map(({ price }) => price)).toEqual(['0.000002', '0.000007'])
  })

  it('is renamed to a name whose prices were held: they are published with it', async () => {
    const rest = models(20, { provider: 'q3' })
    const priced = (name: string) => observed(name, 'input_tokens', '0.0077', { provider: 'q3' })
    await next('q3', [...rest, priced('falcon-9')])
    await decide('q3', 'approve')
    await next('q3', [...rest, priced('falcon-9'), priced('Falcon_9')])
    expect(await openReviewItems(db.sql, 9, { provider: 'q3' })).toHaveLength(1)
    const report = await next('q3', [...rest, priced('Falcon_9')])
    expect(report.events).toEqual({ 'resource.renamed': 1 })
    expect(await priceNow(db.sql, 'Falcon_9')).toBe('0.0077')
    const [status] = await db.sql`select status, reason from price_status order by seq desc limit 1`
    expect(status).toEqual({ status: 'auto_approved', reason: 'the published price of falcon-9, which was renamed' })
    expect(await openReviewItems(db.sql, 9, { provider: 'q3' })).toEqual([])
    const [event] = await eventsOf(db.sql, 'resource.renamed', 'q3')
    expect(event).toMatchObject({ lines: [{ price: '0.0077' }] })
  })

  it('is renamed after three days to another spelling with other prices, and never removed', async () => {
    const rest = models(20, { provider: 'q9' })
    const priced = (name: string, price: string) => observed(name, 'input_tokens', price, { provider: 'q9' })
    await next('q9', [...rest, priced('falcon-9', '0.000002')])
    const events = []
    for (let n = 0; n < 5; n++) events.push((await next('q9', [...rest, priced('Falcon_9', '0.000003')])).events)
    expect(events).toEqual([{ 'resource.added': 1 }, {}, {}, { 'resource.renamed': 1 }, {}])
    expect(await eventsOf(db.sql, 'resource.renamed', 'q9')).toMatchObject([
      { previousResource: 'falcon-9', resource: 'Falcon_9', lines: [{ price: '0.000003' }] },
    ])
    expect(await eventsOf(db.sql, 'resource.removed', 'q9')).toEqual([])
  })

  it('is renamed to another spelling while that changes its prices: they are judged, and sent, as ever', async () => {
    const rest = models(20, { provider: 'q10' })
    const priced = (input: string, output: string) => [
      observed('Falcon_9', 'input_tokens', input, { provider: 'q10' }),
      observed('Falcon_9', 'output_tokens', output, { provider: 'q10' }),
    ]
    await next('q10', [...rest, observed('falcon-9', 'input_tokens', '0.000002', { provider: 'q10' })])
    for (let n = 0; n < 3; n++) await next('q10', [...rest, ...priced('0.000003', '0.000006')])
    const { events } = await next('q10', [...rest, ...priced('0.0000031', '0.000006')])
    expect(events).toEqual({ 'price.changed': 1, 'resource.renamed': 1 })
    const [renamed] = await eventsOf(db.sql, 'resource.renamed', 'q10')
    const shown = [expect.objectContaining({ price: '0.0000031' }), expect.objectContaining({ price: '0.000006' })]
    expect(renamed).toMatchObject({ previousResource: 'falcon-9', lines: expect.arrayContaining(shown) })
  })

  it('is renamed to another spelling that becomes free at once: the zero waits', async () => {
    const rest = models(20, { provider: 'q11' })
    const priced = (name: string, price: string) => observed(name, 'input_tokens', price, { provider: 'q11' })
    await next('q11', [...rest, priced('falcon-9', '0.000002')])
    for (let n = 0; n < 3; n++) await next('q11', [...rest, priced('Falcon_9', '0.000003')])
    const { events } = await next('q11', [...rest, priced('Falcon_9', '0')])
    expect(events).toEqual({ 'resource.renamed': 1 })
    expect(await priceNow(db.sql, 'Falcon_9')).toBe('0.000003')
    expect(await openReviewItems(db.sql, 9, { provider: 'q11' })).toMatchObject([{ reasons: ['to_zero'] }])
  })

  it('is not renamed unasked to a name whose price a person rejected', async () => {
    const rest = models(20, { provider: 'q6' })
    const priced = (name: string) => observed(name, 'input_tokens', '0.0077', { provider: 'q6' })
    await next('q6', [...rest, priced('falcon-9')])
    await decide('q6', 'approve')
    await next('q6', [...rest, priced('falcon-9'), priced('Falcon_9')])
    await decide('q6', 'reject')
    expect((await next('q6', [...rest, priced('Falcon_9')])).events).toEqual({})
    expect(await openReviewItems(db.sql, 9, { provider: 'q6' })).toMatchObject([{ kind: 'rename' }])
    expect(await priceNow(db.sql, 'falcon-9')).toBe('0.0077')
  })

  it('is renamed to a name whose prices were held also where history is imported', async () => {
    const rest = models(20, { provider: 'q7' })
    const priced = (name: string) => observed(name, 'input_tokens', '0.0077', { provider: 'q7' })
    await next('q7', [...rest, priced('falcon-9')])
    await decide('q7', 'approve')
    await next('q7', [...rest, priced('falcon-9'), priced('Falcon_9')])
    await snapshot(db.sql, 'q7', [...rest, priced('Falcon_9')], { at: day(n++), quiet: true })
    expect(await priceNow(db.sql, 'Falcon_9')).toBe('0.0077')
    expect(await openReviewItems(db.sql, 9, { provider: 'q7' })).toEqual([])
    expect(await eventsOf(db.sql, 'resource.renamed', 'q7')).toEqual([])
  })

  it('is served again at its price after it came back with one that a person had rejected', async () => {
    const rest = models(20, { provider: 'p9' })
    const at = (price: string) => [...rest, observed('back', 'input_tokens', price, { provider: 'p9' })]
    await next('p9', at('0.000002'))
    await next('p9', at('0.00004'))
    await decide('p9', 'reject')
    for (let i = 0; i < 5; i++) await next('p9', rest)
    expect(await priceNow(db.sql, 'back')).toBeUndefined()
    await next('p9', at('0.00004'))
    expect(await priceNow(db.sql, 'back')).toBe('0.000002')
    await next('p9', at('0.000002'))
    expect(await priceNow(db.sql, 'back')).toBe('0.000002')
  })

  it('is never removed with a whole provider, nor with more than a tenth of it', async () => {
    const [some, others] = [models(20, { provider: 'p3' }), models(20, { provider: 'p4' })]
    await next('p3', [...some, ...others])
    for (let i = 0; i < 5; i++) await next('p3', some)
    for (let i = 0; i < 5; i++) await next('p3', some.slice(0, 34))
    expect(await eventsOf(db.sql, 'resource.removed', 'p4')).toEqual([])
    expect(await eventsOf(db.sql, 'resource.removed', 'p3')).toEqual([])
    const items = await db.sql`
      select provider, kind, reasons from review where source = 'p3' and decided_at is null order by provider`
    expect(items).toMatchObject([
      { provider: 'p3', kind: 'removal', reasons: ['mass_disappearance'] },
      { provider: 'p4', kind: 'removal', reasons: ['whole_provider_missing'] },
    ])
  })

  it('is renamed before it could be removed or its new name added', async () => {
    const rest = models(12, { provider: 'p5' })
    await next('p5', [...rest, ...model('BGE-M3', 0.0000077, { provider: 'p5', canonicalResource: 'baai/bge-m3' })])
    const named = model('bge-m3', 0.0000077, { provider: 'p5', canonicalResource: 'baai/bge-m3' })
    expect((await next('p5', [...rest, ...named])).events).toEqual({ 'resource.renamed': 1 })
    const [event] = await db.sql`select resources, members, body from event where type = 'resource.renamed'`
    expect(event?.members).toEqual(['BGE-M3', 'bge-m3'])
    expect(event?.resources).toEqual(['BGE-M3', 'bge-m3', 'baai/bge-m3'])
    expect(JSON.parse(event?.body)).toMatchObject({
      previousResource: 'BGE-M3',
      resource: 'bge-m3',
      lines: [expect.any(Object), expect.any(Object)],
    })
    const [rename] = await db.sql`select old_resource, new_resource from resource_rename where provider = 'p5'`
    expect(rename).toEqual({ old_resource: 'BGE-M3', new_resource: 'bge-m3' })
    for (let i = 0; i < 4; i++) expect((await next('p5', [...rest, ...named])).events).toEqual({})
    expect(await priceNow(db.sql, 'BGE-M3')).toBe('0.0000077')
  })

  it('is not renamed any more when its old name is listed again', async () => {
    const rest = models(12, { provider: 'p5' })
    const canonicalResource = 'baai/bge-m3'
    for (const name of ['BGE-M3', 'bge-m3'])
      await next('p5', [...rest, ...model(name, 0.0000077, { provider: 'p5', canonicalResource })])
    expect(await eventsOf(db.sql, 'resource.renamed', 'p5')).toHaveLength(1)
    await next('p5', [
      ...rest,
      ...model('BGE-M3', 0.0000077, { provider: 'p5' }),
      ...model('bge-m3', 0.0000077, { provider: 'p5' }),
    ])
    const [rename] = await db.sql`select ended_at from resource_rename where provider = 'p5'`
    expect(rename?.ended_at).not.toBeNull()
  })

  it('is asked about when it may have been renamed, and removed when no one answers for 14 days', async () => {
    const rest = models(12, { provider: 'p6' })
    await next('p6', [...rest, ...model('magistral-medium-2506', 0.0000077, { provider: 'p6' })])
    for (let i = 0; i < 5; i++) await next('p6', [...rest, ...model('magistral-medium', 0.0000077, { provider: 'p6' })])
    expect(await eventsOf(db.sql, 'resource.removed', 'p6')).toEqual([])
    const items = await db.sql`select kind, detail from review where source = 'p6' and decided_at is null`
    expect(items).toMatchObject([
      { kind: 'rename', detail: { resources: ['magistral-medium-2506'], to: 'magistral-medium' } },
    ])
    for (let i = 0; i < 10; i++)
      await next('p6', [...rest, ...model('magistral-medium', 0.0000077, { provider: 'p6' })])
    expect(await eventsOf(db.sql, 'resource.removed', 'p6')).toMatchObject([{ resource: 'magistral-medium-2506' }])
    expect(await openReviewItems(db.sql, 9, { provider: 'p6' })).toEqual([])
  })

  it('is asked about when three providers of a source lose it at once', async () => {
    const providers = ['x1', 'x2', 'x3']
    const rest = providers.flatMap((provider) => models(12, { provider }))
    const shared = providers.flatMap((provider) => model('shared', 0.0000077, { provider }))
    await next('x', [...rest, ...shared])
    for (let i = 0; i < 4; i++) expect((await next('x', rest)).events).toEqual({})
  })

  it('keeps its other lines when one step of its price is withdrawn, and tells what applies now', async () => {
    const base = [...models(12, { provider: 'p7' }), ...model('long', 0.000002, { provider: 'p7' })]
    const step = observed('long', 'input_tokens', '0.000004', { provider: 'p7', pricingTier: { context: '>200000' } })
    await next('p7', [...base, step])
    for (let i = 0; i < 3; i++) await next('p7', base)
    const [event] = await eventsOf(db.sql, 'price.changed', 'p7')
    expect(event).toMatchObject({ tier: 'withdrawn', previous: { price: '0.000004' }, current: { price: '0.000002' } })
    expect(await priceNow(db.sql, 'long', 'input_tokens', '{"context":">200000"}')).toBeUndefined()
    expect(await priceNow(db.sql, 'long')).toBe('0.000002')
  })
})
