import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aliasMemberAdded } from '../../../src/events/payloads/alias-member-added.ts'
import { priceChanged } from '../../../src/events/payloads/price-changed.ts'
import { priceCorrected } from '../../../src/events/payloads/price-corrected.ts'
import { priceRevised } from '../../../src/events/payloads/price-revised.ts'
import { providerAdded } from '../../../src/events/payloads/provider-added.ts'
import { resourceAdded } from '../../../src/events/payloads/resource-added.ts'
import { resourceRemoved } from '../../../src/events/payloads/resource-removed.ts'
import { resourceRenamed } from '../../../src/events/payloads/resource-renamed.ts'
import type { Instant } from '../../../src/lib/instant.ts'
import type { Sql } from '../../../src/lib/sql.ts'
import { decideReview } from '../../../src/prices/review/decide-review.ts'
import type { Observation } from '../../../src/prices/schema.ts'
import { type OpenReview, openReviewItems } from '../../../src/prices/store/review-store.ts'
import { testDatabase } from '../../support/database.ts'
import { day, observed } from '../observed.ts'
import { snapshot } from '../support.ts'

const SCHEMAS: Record<string, { parse: (body: unknown) => unknown }> = {
  'price.changed': priceChanged,
  'price.revised': priceRevised,
  'price.corrected': priceCorrected,
  'provider.added': providerAdded,
  'resource.added': resourceAdded,
  'resource.removed': resourceRemoved,
  'resource.renamed': resourceRenamed,
  'alias.member_added': aliasMemberAdded,
}

const line = fc.record({
  resource: fc.constantFrom('alpha', 'Alpha', 'beta-1', 'beta-2', 'gamma', 'vendor/gamma'),
  dimension: fc.constantFrom('input_tokens' as const, 'output_tokens' as const, 'cache_read_tokens' as const),
  price: fc.constantFrom('0', '0.000001', '0.0000012', '0.000002', '0.000003', '0.00001', '0.001', '0.5', 'NaN'),
  tier: fc.constantFrom({}, {}, { context: '>200000' }),
  category: fc.constantFrom(undefined, 'chat', 'agent'),
})
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ lines: fc.array(line, { maxLength: 14 }), quiet: fc.constant(false) }) },
  { weight: 1, arbitrary: fc.record({ decision: fc.constantFrom('approve' as const, 'reject' as const) }) },
)

/** What must hold of any history, whatever sources say and people decide. */
async function checkInvariants(sql: Sql, source: string): Promise<void> {
  const twice = await sql`
    select content_hash from publication where source = ${source} and unpublished_at is null
    group by content_hash having count(*) > 1`
  expect(twice).toHaveLength(0)
  const overlapping = await sql`
    select from publication a join publication b on a.content_hash = b.content_hash and a.published_at < b.published_at
    where a.source = ${source} and (a.unpublished_at is null or a.unpublished_at > b.published_at)`
  expect(overlapping).toHaveLength(0)
  const disagreeing = await sql`
    select r.content_hash, s.status
    from price_row r
    join price_line l using (line_id)
    cross join lateral (select status from price_status s where s.content_hash = r.content_hash order by seq desc limit 1) s
    left join publication p on p.content_hash = r.content_hash and p.unpublished_at is null
    where l.source = ${source} and (p.content_hash is not null) <> (s.status in ('approved', 'auto_approved'))`
  expect([...disagreeing]).toEqual([])
  const stale = await sql`
    select l.line_id from price_line l
    where l.source = ${source} and l.removed_at is null and l.current_hash is distinct from (
      select r.content_hash from price_row r join publication p on p.content_hash = r.content_hash and p.unpublished_at is null
      where r.line_id = l.line_id order by r.recorded_at desc limit 1)`
  expect([...stale]).toEqual([])
  const orphans = await sql`
    select from price_line l join price_row r on r.content_hash = l.held_hash
    where l.source = ${source} and not exists (
      select from review_row w join review v using (review_id) where w.content_hash = r.content_hash and v.decided_at is null)`
  expect(orphans).toHaveLength(0)
}

/** Each price.changed tells a row that was published at its instant, and each further row has its event or is silent. */
async function checkEvents(sql: Sql, source: string): Promise<void> {
  const rows = await sql<{ type: string; body: string; seq: string; at: string }[]>`
    select type, body, seq, eligible_at as at from event where provider = ${source} order by seq`
  let last = ''
  const reported = new Set<string>()
  for (const { type, body, at } of rows) {
    const event = JSON.parse(body)
    SCHEMAS[type]!.parse(event)
    expect(at >= last).toBe(true)
    last = at
    if (type !== 'price.changed') continue
    expect(event.previous?.price).not.toBe(event.current?.price)
    const key = `${event.previous?.contentHash} ${event.current?.contentHash} ${JSON.stringify(event.pricingTier)}`
    expect(reported.has(`${key} ${at}`)).toBe(false)
    reported.add(`${key} ${at}`)
    if (!event.current) continue
    const served = await sql`
      select from publication where content_hash = ${event.current.contentHash}
        and published_at <= ${at} and (unpublished_at is null or unpublished_at > ${at})`
    expect(served).toHaveLength(1)
  }
  const changes = await sql`
    select r.content_hash as hash, r.price, before.price as was
    from price_row r
    join price_line l using (line_id)
    join publication p on p.content_hash = r.content_hash
    cross join lateral (select o.price from price_row o join publication q on q.content_hash = o.content_hash
                        where o.line_id = r.line_id and q.published_at < p.published_at
                          and (q.unpublished_at is null or q.unpublished_at >= p.published_at)
                        order by o.recorded_at desc limit 1) before
    where l.source = ${source} and before.price <> r.price
      and p.published_at = (select min(published_at) from publication f where f.content_hash = r.content_hash)`
  const currents = new Set([...reported].map((key) => key.split(' ')[1]))
  for (const { hash } of changes) expect(currents.has(hash)).toBe(true)
}

/** Decides about an item. A renaming to a name whose prices were all refused can only be rejected, and is then. */
async function decide(sql: Sql, { reviewId, kind }: OpenReview, decision: 'approve' | 'reject', at: Instant) {
  const given = { reviewId, actor: 'a', reason: 'r', at }
  await decideReview(sql, { ...given, decision }).catch(async (error: Error) => {
    if (kind !== 'rename' || decision === 'reject' || !/has no published price/.test(error.message)) throw error
    await decideReview(sql, { ...given, decision: 'reject' })
  })
}

describe('any history of snapshots and decisions', () => {
  const db = testDatabase()
  let run = 0
  let n = 0

  it('keeps rows, publications, statuses and events in step', async () => {
    const end = Date.now() + 10_000
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
        if (run > 0 && Date.now() > end) return
        const source = `run-${run++}`
        for (const step of steps) {
          if ('decision' in step) {
            const [item] = (await openReviewItems(db.sql, 1000)).filter((open) => open.source === source)
            if (item) await decide(db.sql, item, step.decision, day(n++))
          } else {
            const lines: Observation[] = step.lines.map(({ resource, dimension, price, tier, category }) =>
              observed(resource, dimension, price, { provider: source, pricingTier: tier, category }),
            )
            await snapshot(db.sql, source, lines, { at: day(n++), quiet: step.quiet })
          }
          await checkInvariants(db.sql, source)
        }
        await checkEvents(db.sql, source)
      }),
      { numRuns: 25, endOnFailure: true },
    )
  })
})
