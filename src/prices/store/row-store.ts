import type { PendingQuery, Row } from 'postgres'
import type { Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'
import type { ApprovalStatus, LineIdentity, Money } from '../schema.ts'

/** A recorded row with its line and its latest status. */
export type StoredRow = LineIdentity &
  Money & {
    source: string
    lineId: string
    contentHash: string
    recordedAt: Instant
    parserVersion: number
    snapshotHash?: string
    locator?: string
    status: ApprovalStatus
    statusAt: Instant
    /** The instant since when it is served; absent when it is not. */
    publishedAt?: Instant
  }

type Nullable = { [K in keyof StoredRow]: StoredRow[K] | null }

/** Returns rows by their contentHash; unknown ones are left out. */
export async function storedRows(db: Db, hashes: string[]): Promise<StoredRow[]> {
  if (hashes.length === 0) return []
  const rows = await db<Nullable[]>`
    select l.source, l.line_id as "lineId", l.provider, l.resource, l.dimension, l.unit, l.currency,
           l.pricing_tier as "pricingTier", r.content_hash as "contentHash", r.price, r.recorded_at as "recordedAt",
           r.effective_from as "effectiveFrom", r.canonical_resource as "canonicalResource", r.category,
           r.billing_condition as "billingCondition", r.parser_version as "parserVersion",
           r.snapshot_hash as "snapshotHash", r.locator, s.status, s.at as "statusAt", p.published_at as "publishedAt"
    from price_row r
    join price_line l on l.line_id = r.line_id
    join lateral (select status, at from price_status s where s.content_hash = r.content_hash
                  order by s.seq desc limit 1) s on true
    left join publication p on p.content_hash = r.content_hash and p.unpublished_at is null
    where r.content_hash = any(${hashes}::text[])
    order by r.content_hash`
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as StoredRow)
}

/** The newest rows of a resource that were served at any time, by line, the newest first. */
export async function servedHashesOf(
  db: Db,
  { provider, resource }: { provider: string; resource: string },
  limit: number,
): Promise<string[]> {
  const rows = await db<{ hash: string }[]>`
    select r.content_hash as hash
    from price_line l join price_row r using (line_id)
    where l.provider = ${provider} and l.resource = ${resource}
      and exists (select from publication p where p.content_hash = r.content_hash)
    order by r.recorded_at desc, r.content_hash limit ${limit}`
  return rows.map(({ hash }) => hash)
}

/** Returns the row of a line that is served and was recorded last, leaving out `except`. */
export async function newestServed(
  db: Db,
  lineId: string,
  { except = '' }: { except?: string } = {},
): Promise<string | undefined> {
  const [row] = await db<{ hash: string }[]>`
    select r.content_hash as hash
    from price_row r join publication p on p.content_hash = r.content_hash and p.unpublished_at is null
    where r.line_id = ${lineId} and r.content_hash <> ${except}
    order by r.recorded_at desc limit 1`
  return row?.hash
}

/**
 * Selects the prices of a line that a person rejected or withdrew and that were recorded after an instant, the newest
 * first. A row that its source replaced while it was held is rejected too, by no one.
 */
export const refusedPrices = (db: Db, lineId: PendingQuery<Row[]>, after: PendingQuery<Row[]>) => db`
  select r.price::text as price
  from price_row r
  join lateral (select status, actor from price_status s where s.content_hash = r.content_hash
                order by s.seq desc limit 1) s on s.status in ('rejected', 'withdrawn') and s.actor is not null
  where r.line_id = ${lineId} and r.recorded_at > ${after}
  order by r.recorded_at desc`

/** Returns the newest of the refused prices of a line. */
export async function newestRefused(db: Db, lineId: string, after: Instant): Promise<string | undefined> {
  const [row] = await db<{ price: string }[]>`${refusedPrices(db, db`${lineId}`, db`${after}`)} limit 1`
  return row?.price
}

/** Returns for each of these lines the row that is served and was recorded last. */
export async function newestServedOf(db: Db, lineIds: string[]): Promise<Map<string, string>> {
  const rows = await db<{ lineId: string; hash: string }[]>`
    select distinct on (r.line_id) r.line_id as "lineId", r.content_hash as hash
    from price_row r join publication p on p.content_hash = r.content_hash and p.unpublished_at is null
    where r.line_id = any(${lineIds}::bigint[])
    order by r.line_id, r.recorded_at desc`
  return new Map(rows.map(({ lineId, hash }) => [lineId, hash]))
}
