import type { Stamp } from '../../catalog/clock-store.ts'
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
  creditPriced: boolean
  body: string
}

/** Serves rows from this instant on. */
export async function openPublications(tx: Tx, at: Instant, openings: Opening[]): Promise<void> {
  if (openings.length === 0) return
  await tx`
    insert into publication (content_hash, published_at, provider, source, resource, credit_priced, body)
    select o."contentHash", ${at}, o.provider, o.source, o.resource, o."creditPriced", o.body
    from jsonb_to_recordset(${tx.json(openings)}::jsonb) as o ("contentHash" text, provider text, source text,
         resource text, "creditPriced" boolean, body text)`
}

/** The state of a line after a publication. Every column is written, absent ones as null. */
export type LineState = {
  lineId: string
  currentHash?: string
  heldHash?: string
  decidedPrice?: string
  missingSince?: Instant
  missingCount: number
  removedAt?: Instant
}

export async function updateLines(tx: Tx, lines: LineState[]): Promise<void> {
  if (lines.length === 0) return
  await tx`
    update price_line l
    set current_hash = n."currentHash", held_hash = n."heldHash", decided_price = n."decidedPrice",
        missing_since = n."missingSince", missing_count = n."missingCount", removed_at = n."removedAt"
    from jsonb_to_recordset(${tx.json(lines)}::jsonb) as n ("lineId" bigint, "currentHash" text, "heldHash" text,
         "decidedPrice" text, "missingSince" timestamptz(3), "missingCount" integer, "removedAt" timestamptz(3))
    where l.line_id = n."lineId"`
}

/** Stops serving these rows from this instant on. */
export async function closePublications(tx: Tx, at: Instant, hashes: string[]): Promise<void> {
  if (hashes.length === 0) return
  await tx`
    update publication set unpublished_at = ${at}
    where content_hash = any(${hashes}::text[]) and unpublished_at is null`
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

export type Reopened = { contentHash: string; lineId: string; status: ApprovalStatus; removedAt: Instant }

/** Serves again, as they were, the rows of lines that a removal ended. Returns them. */
export async function reopenRemoved(tx: Tx, at: Instant, lineIds: string[]): Promise<Reopened[]> {
  if (lineIds.length === 0) return []
  return tx<Reopened[]>`
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
      insert into publication (content_hash, published_at, provider, source, resource, credit_priced, body)
      select e.content_hash, ${at}, p.provider, p.source, p.resource, p.credit_priced, p.body
      from ended e
      cross join lateral (select * from publication p where p.content_hash = e.content_hash
                          order by p.published_at desc limit 1) p
      returning content_hash
    )
    select content_hash as "contentHash", line_id as "lineId", status, removed_at as "removedAt"
    from ended join opened using (content_hash)`
}
