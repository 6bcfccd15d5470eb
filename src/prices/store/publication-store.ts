import type { Stamp } from '../../catalog/clock/clock-store.ts'
import type { FormerName } from '../../catalog/resource-store.ts'
import { keepSnapshots } from '../../catalog/snapshots/snapshot-store.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Tx } from '../../lib/sql.ts'
import { lineKey } from '../row-rules.ts'
import type { ApprovalStatus, LineIdentity, NewRow } from '../schema.ts'

/** Creates price lines. Returns the id of each by its line key. */
export async function createLines(tx: Tx, source: string, lines: LineIdentity[]): Promise<Map<string, string>> {
  if (lines.length === 0) return new Map()
  const rows = await tx<(LineIdentity & { lineId: string })[]>`
    insert into price_line (source, provider, resource, dimension, unit, currency, pricing_tier)
    select ${source}, l.provider, l.resource, l.dimension, l.unit, l.currency, l."pricingTier"
    from jsonb_to_recordset(${tx.json(lines)}::jsonb) as l (provider text, resource text, dimension text, unit text,
         currency text, "pricingTier" text)
    returning line_id as "lineId", provider, resource, dimension, unit, currency, pricing_tier as "pricingTier"`
  return new Map(rows.map((row) => [lineKey(row), row.lineId]))
}

/** Records rows; a recorded row never changes. */
export async function insertRows(tx: Tx, rows: NewRow[]): Promise<void> {
  if (rows.length === 0) return
  await keepSnapshots(
    tx,
    rows.flatMap(({ snapshotHash }) => snapshotHash ?? []),
  )
  await tx`
    insert into price_row (content_hash, line_id, price, recorded_at, effective_from, canonical_resource, category,
                           billing_condition, snapshot_hash, locator, parser_version)
    select r."contentHash", r."lineId", r.price::numeric, r."recordedAt", r."effectiveFrom", r."canonicalResource",
           r.category, r."billingCondition", r."snapshotHash", r.locator, r."parserVersion"
    from jsonb_to_recordset(${tx.json(rows)}::jsonb) as r ("contentHash" text, "lineId" bigint, price text,
         "recordedAt" timestamptz(3), "effectiveFrom" text, "canonicalResource" text, category text,
         "billingCondition" text, "snapshotHash" text, locator text, "parserVersion" integer)`
}

export type StatusChange = { contentHash: string; status: ApprovalStatus; reason?: string; actor?: string }

/** Appends to the history of rows' statuses, in this order. */
export async function insertStatuses(tx: Tx, stamp: Stamp, changes: StatusChange[]): Promise<void> {
  if (changes.length === 0) return
  const rows = changes.map((change) => ({ ...change, seq: stamp.nextSeq() }))
  await tx`
    insert into price_status (content_hash, seq, at, status, reason, actor)
    select s."contentHash", s.seq, ${stamp.at}, s.status, s.reason, s.actor
    from jsonb_to_recordset(${tx.json(rows)}::jsonb)
      as s ("contentHash" text, seq bigint, status text, reason text, actor text)`
}

export type Opening = {
  contentHash: string
  provider: string
  source: string
  resource: string
  lineId: string
  recordedAt: Instant
  dimension: string
  currency: string
  canonicalResource?: string
  body: string
}

/** Serves rows from this instant on. */
export async function openPublications(tx: Tx, at: Instant, openings: Opening[]): Promise<void> {
  if (openings.length === 0) return
  await tx`
    insert into publication (content_hash, published_at, provider, source, resource, line_id, recorded_at, dimension,
                             currency, canonical_resource, body)
    select o."contentHash", ${at}, o.provider, o.source, o.resource, o."lineId", o."recordedAt", o.dimension,
           o.currency, o."canonicalResource", o.body
    from jsonb_to_recordset(${tx.json(openings)}::jsonb) as o ("contentHash" text, provider text, source text,
         resource text, "lineId" bigint, "recordedAt" timestamptz(3), dimension text, currency text,
         "canonicalResource" text, body text)`
}

/** The state of a line after a publication. Every column is written, absent ones as null. */
export type LineState = {
  lineId: string
  currentHash?: string
  heldHash?: string
  /** Since when the held row stands, in how many good fetches, and when it is judged again. */
  heldSince?: Instant
  heldFetches?: number
  judgedAgainAt?: Instant
  decidedPrice?: string
  missingSince?: Instant
  missingReason?: string
  missingCount: number
  removedAt?: Instant
}

export async function updateLines(tx: Tx, lines: LineState[]): Promise<void> {
  if (lines.length === 0) return
  await tx`
    update price_line l
    set current_hash = n."currentHash", held_hash = n."heldHash", held_since = n."heldSince",
        held_fetches = coalesce(n."heldFetches", 0), judged_again_at = n."judgedAgainAt", decided_price = n."decidedPrice",
        missing_since = n."missingSince", missing_reason = n."missingReason", missing_count = n."missingCount", removed_at = n."removedAt"
    from jsonb_to_recordset(${tx.json(lines)}::jsonb) as n ("lineId" bigint, "currentHash" text, "heldHash" text,
         "heldSince" timestamptz(3), "heldFetches" integer, "judgedAgainAt" timestamptz(3), "decidedPrice" text, "missingSince" timestamptz(3), "missingReason" text, "missingCount" integer,
         "removedAt" timestamptz(3))
    where l.line_id = n."lineId"`
}

/** Notes how a source writes published prices: a list that goes on writing them so does not differ. */
export async function noteSpellings(tx: Tx, respelled: { lineId: string; price: string }[]): Promise<void> {
  if (respelled.length === 0) return
  await tx`
    update price_line l
    set content = line_content(l.provider, l.resource, l.dimension, l.unit, l.currency, l.pricing_tier, n.price::numeric,
                               r.effective_from, r.canonical_resource, r.category, r.billing_condition)
    from jsonb_to_recordset(${tx.json(respelled)}::jsonb) as n ("lineId" bigint, price text), price_row r
    where l.line_id = n."lineId" and r.content_hash = l.current_hash`
}

/** Stops serving these rows from this instant on. Returns their providers. */
export async function closePublications(tx: Tx, at: Instant, hashes: string[]): Promise<string[]> {
  if (hashes.length === 0) return []
  const rows = await tx<{ provider: string }[]>`
    with closed as (
      update publication set unpublished_at = ${at}
      where content_hash = any(${hashes}::text[]) and unpublished_at is null
      returning provider
    )
    select distinct provider from closed`
  return rows.map(({ provider }) => provider)
}

/** The rows of lines that are served now. */
export async function openRows(tx: Tx, lineIds: string[]): Promise<string[]> {
  if (lineIds.length === 0) return []
  const rows = await tx<{ hash: string }[]>`
    select r.content_hash as hash
    from price_row r join publication p on p.content_hash = r.content_hash and p.unpublished_at is null
    where r.line_id = any(${lineIds}::bigint[])`
  return rows.map((row) => row.hash)
}

/**
 * Returns the lines of former names: of all lines of their resources, or only those that continue in one of
 * `continuedIn`, alike in everything but the name.
 */
export async function linesOfFormerNames(
  tx: Tx,
  source: string,
  former: FormerName[],
  continuedIn?: string[],
): Promise<string[]> {
  if (former.length === 0) return []
  const rows = await tx<{ lineId: string }[]>`
    select distinct o.line_id as "lineId"
    from jsonb_to_recordset(${tx.json(former)}::jsonb) as f (provider text, resource text, listed text)
    join price_line o on (o.source, o.provider, o.resource) = (${source}, f.provider, f.resource)
    where ${
      continuedIn === undefined
        ? tx`true`
        : tx`exists (
            select from price_line l
            where l.line_id = any(${continuedIn}::bigint[])
              and (l.source, l.provider, l.resource, l.dimension, l.unit, l.currency, l.pricing_tier)
                = (o.source, o.provider, f.listed, o.dimension, o.unit, o.currency, o.pricing_tier))`
    }`
  return rows.map(({ lineId }) => lineId)
}

/** Returns the lines of former names that do not continue under the listed name: it has no such line. */
export async function discontinuedLines(tx: Tx, source: string, former: FormerName[]): Promise<string[]> {
  if (former.length === 0) return []
  const rows = await tx<{ lineId: string }[]>`
    select distinct o.line_id as "lineId"
    from jsonb_to_recordset(${tx.json(former)}::jsonb) as f (provider text, resource text, listed text)
    join price_line o on (o.source, o.provider, o.resource) = (${source}, f.provider, f.resource)
    where not exists (
      select from price_line l
      where (l.source, l.provider, l.resource, l.dimension, l.unit, l.currency, l.pricing_tier)
          = (o.source, o.provider, f.listed, o.dimension, o.unit, o.currency, o.pricing_tier)
        and l.removed_at is null and l.current_hash is not null)`
  return rows.map(({ lineId }) => lineId)
}

export type ReopenedRow = {
  contentHash: string
  lineId: string
  provider: string
  status: ApprovalStatus
  removedAt: Instant
}

/** Serves again, as they were, the rows of lines that a removal ended. Returns them. */
export async function reopenRemoved(tx: Tx, at: Instant, lineIds: string[]): Promise<ReopenedRow[]> {
  if (lineIds.length === 0) return []
  return tx<ReopenedRow[]>`
    with ended as (
      select r.content_hash, r.line_id, last.at as removed_at,
             (select s.status from price_status s
              where s.content_hash = r.content_hash and s.status in ('approved', 'auto_approved')
              order by s.seq desc limit 1) as status
      from price_row r
      cross join lateral (select s.status, s.at from price_status s where s.content_hash = r.content_hash
                          order by s.seq desc limit 1) last
      where r.line_id = any(${lineIds}::bigint[]) and last.status = 'removed'
    ), opened as (
      insert into publication (content_hash, published_at, provider, source, resource, line_id, recorded_at, dimension,
                               currency, canonical_resource, body)
      select e.content_hash, ${at}, p.provider, p.source, p.resource, p.line_id, p.recorded_at, p.dimension, p.currency,
             p.canonical_resource, p.body
      from ended e
      cross join lateral (select * from publication p where p.content_hash = e.content_hash
                          order by p.published_at desc limit 1) p
      returning content_hash, provider
    )
    select content_hash as "contentHash", line_id as "lineId", provider, status, removed_at as "removedAt"
    from ended join opened using (content_hash)`
}
