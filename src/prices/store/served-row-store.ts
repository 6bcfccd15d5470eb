import type { Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'
import type { LineIdentity, Money } from '../schema.ts'

/** A row that is or was served, with where it was read. */
export type ServedRow = LineIdentity &
  Money & {
    source: string
    contentHash: string
    recordedAt: Instant
    snapshotHash?: string
    locator?: string
    /** When it was served first, and until when; absent while it is served. */
    servedFrom: Instant
    servedUntil?: Instant
    status: string
    /** A person entered this price: its source shows another one. */
    isEntered: boolean
  }

type Nullable = { [K in keyof ServedRow]: ServedRow[K] | null }

/** Returns a row by its contentHash; undefined for one that was never served. */
export async function servedRowOf(db: Db, contentHash: string): Promise<ServedRow | undefined> {
  const [row] = await db<Nullable[]>`
    select l.source, l.provider, l.resource, l.dimension, l.unit, l.currency, l.pricing_tier as "pricingTier",
           r.content_hash as "contentHash", r.price::text as price, r.recorded_at as "recordedAt",
           r.effective_from as "effectiveFrom", r.canonical_resource as "canonicalResource", r.category,
           r.billing_condition as "billingCondition", r.snapshot_hash as "snapshotHash", r.locator,
           p."servedFrom", p."servedUntil", s.status,
           -- What a source shows begins without a person; what a person entered is approved by that person at once.
           (select actor is not null from price_status b where b.content_hash = r.content_hash order by b.seq limit 1)
             as "isEntered"
    from price_row r
    join price_line l using (line_id)
    join lateral (
      select min(published_at) as "servedFrom",
             case when bool_and(unpublished_at is not null) then max(unpublished_at) end as "servedUntil"
      from publication p where p.content_hash = r.content_hash
    ) p on p."servedFrom" is not null
    join lateral (
      select status from price_status s where s.content_hash = r.content_hash order by s.seq desc limit 1
    ) s on true
    where r.content_hash = ${contentHash}`
  if (!row) return undefined
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as ServedRow
}
