import type { Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'
import type { KnownLine, LineIdentity } from '../schema.ts'
import { refusedPrices } from './row-store.ts'

export type KnownSource = {
  priceVersion: string
  ingestedHash?: string
  ingestedParser?: number
  ingestedAt?: Instant
  ingestedLines?: number
  isDeclared: boolean
  /** What it has from the start is not news: the installation served others before. */
  startsQuietly: boolean
}

type LineRow = LineIdentity & {
  lineId: string
  contentHash: string | null
  recordedAt: Instant | null
  price: string | null
  effectiveFrom: string | null
  canonicalResource: string | null
  category: string | null
  billingCondition: string | null
  heldHash: string | null
  heldPrice: string | null
  heldFrom: string | null
  heldCanonical: string | null
  heldCategory: string | null
  heldCondition: string | null
  heldAt: Instant | null
  heldReasons: string[] | null
  heldSince: Instant | null
  heldFetches: number
  judgedAgainAt: Instant | null
  decidedPrice: string | null
  refusedPrices: string[] | null
  missingSince: Instant | null
  missingReason: string | null
  missingCount: number
  removedAt: Instant | null
}

export async function knownSource(db: Db, source: string): Promise<KnownSource | undefined> {
  const [row] = await db<
    {
      v: string
      hash: string | null
      parser: number | null
      at: Instant | null
      lines: number | null
      declared: boolean
      quietly: boolean
    }[]
  >`
    select price_version as v, ingested_hash as hash, ingested_parser as parser, ingested_at as at,
           ingested_lines as lines, declared, starts_quietly as quietly
    from source where source = ${source}`
  if (!row) return undefined
  return {
    priceVersion: row.v,
    ingestedHash: row.hash ?? undefined,
    ingestedParser: row.parser ?? undefined,
    ingestedAt: row.at ?? undefined,
    ingestedLines: row.lines ?? undefined,
    isDeclared: row.declared,
    startsQuietly: row.quietly,
  }
}

/** Returns the price lines of a source with their current and held rows: all of them, or those named. */
export async function knownLines(db: Db, source: string, lineIds?: string[]): Promise<KnownLine[]> {
  const rows = await db<LineRow[]>`
    select l.line_id as "lineId", l.provider, l.resource, l.dimension, l.unit, l.currency,
           l.pricing_tier as "pricingTier", l.current_hash as "contentHash", c.recorded_at as "recordedAt", c.price,
           c.effective_from as "effectiveFrom", c.canonical_resource as "canonicalResource", c.category,
           c.billing_condition as "billingCondition", l.held_hash as "heldHash", h.price as "heldPrice",
           h.effective_from as "heldFrom", h.canonical_resource as "heldCanonical", h.category as "heldCategory",
           h.billing_condition as "heldCondition", h.recorded_at as "heldAt", w.reasons as "heldReasons",
           l.held_since as "heldSince", l.held_fetches as "heldFetches", l.judged_again_at as "judgedAgainAt",
           l.decided_price as "decidedPrice",
           case when l.decided_price is not null
             then array(${refusedPrices(db, db`l.line_id`, db`coalesce(c.recorded_at, '-infinity')`)}) end as "refusedPrices",
           l.missing_since as "missingSince", l.missing_reason as "missingReason", l.missing_count as "missingCount",
           l.removed_at as "removedAt"
    from price_line l
    left join price_row c on c.content_hash = l.current_hash
    left join price_row h on h.content_hash = l.held_hash
    left join review_row w on w.content_hash = l.held_hash
    where l.source = ${source} ${lineIds ? db`and l.line_id = any(${lineIds}::bigint[])` : db``}
    order by l.line_id`
  return rows.map(knownLine)
}

/** Returns the lines of a source with a row that waits for a person. */
export async function heldLines(db: Db, source: string): Promise<KnownLine[]> {
  const lines = await db<{ id: string }[]>`
    select line_id as id from price_line where source = ${source} and held_hash is not null`
  return knownLines(
    db,
    source,
    lines.map(({ id }) => id),
  )
}

/** Returns every line of these resources of a source. */
export async function linesOfResources(
  db: Db,
  source: string,
  resources: { provider: string; resource: string }[],
): Promise<KnownLine[]> {
  if (resources.length === 0) return []
  const named = resources.map(({ provider, resource }) => ({ provider, resource }))
  const lines = await db<{ id: string }[]>`
    select distinct l.line_id as id
    from price_line l
    join jsonb_to_recordset(${db.json(named)}::jsonb) as r (provider text, resource text)
      on l.provider = r.provider and l.resource = r.resource
    where l.source = ${source}`
  return knownLines(
    db,
    source,
    lines.map(({ id }) => id),
  )
}

function knownLine(row: LineRow): KnownLine {
  const { provider, resource, dimension, unit, currency, pricingTier, lineId, missingCount } = row
  const line: KnownLine = { provider, resource, dimension, unit, currency, pricingTier, lineId, missingCount }
  if (row.contentHash !== null) {
    line.current = {
      contentHash: row.contentHash,
      recordedAt: row.recordedAt!,
      price: row.price!,
      effectiveFrom: row.effectiveFrom ?? undefined,
      canonicalResource: row.canonicalResource ?? undefined,
      category: row.category ?? undefined,
      billingCondition: row.billingCondition ?? undefined,
    }
  }
  if (row.heldHash !== null) {
    const { heldHash, heldPrice, heldAt, heldReasons, heldSince, heldFetches, judgedAgainAt } = row
    line.held = {
      contentHash: heldHash,
      price: heldPrice!,
      effectiveFrom: row.heldFrom ?? undefined,
      canonicalResource: row.heldCanonical ?? undefined,
      category: row.heldCategory ?? undefined,
      billingCondition: row.heldCondition ?? undefined,
      recordedAt: heldAt!,
      reasons: heldReasons ?? [],
      wait: { since: heldSince ?? heldAt!, fetches: heldFetches },
      judgedAgainAt: judgedAgainAt ?? undefined,
    }
  }
  if (row.decidedPrice !== null) line.decidedPrice = row.decidedPrice
  if (row.refusedPrices !== null) line.refusedPrices = row.refusedPrices
  if (row.missingSince !== null) line.missingSince = row.missingSince
  if (row.missingReason !== null) line.missingReason = row.missingReason
  if (row.removedAt !== null) line.removedAt = row.removedAt
  return line
}
