import type { Instant } from '../../lib/instant.ts'
import type { Tx } from '../../lib/sql.ts'
import type { LineIdentity, Money } from '../schema.ts'

type KnownRow = Money & { recordedAt: Instant; contentHash: string }

/** A volatile line whose served price is not the one that subscribers know. */
export type UnannouncedPrice = { lineId: string; line: LineIdentity; current: KnownRow; announced: KnownRow }

/** Remembers the rows that subscribers know of lines of which nothing was suppressed before. */
export async function rememberAnnounced(tx: Tx, hashes: string[]): Promise<void> {
  await tx`
    insert into announced_price (line_id, content_hash)
    select line_id, content_hash from price_row where content_hash = any(${hashes}::text[])
    on conflict (line_id) do nothing`
}

/**
 * Returns the volatile lines of a source that are due an event: their price differs from the announced one by at least
 * `leastChange` (0.1 is a tenth), and the last event was at `before` or earlier.
 */
export async function unannouncedLines(
  tx: Tx,
  source: string,
  { before, leastChange }: { before: Instant; leastChange: number },
): Promise<UnannouncedPrice[]> {
  const point = (alias: string) => tx`jsonb_build_object(
    'price', ${tx(alias)}.price::text, 'recordedAt', ${tx(alias)}.recorded_at, 'contentHash', ${tx(alias)}.content_hash,
    'effectiveFrom', ${tx(alias)}.effective_from, 'canonicalResource', ${tx(alias)}.canonical_resource,
    'category', ${tx(alias)}.category, 'billingCondition', ${tx(alias)}.billing_condition)`
  return tx<UnannouncedPrice[]>`
    select a.line_id as "lineId",
           jsonb_build_object('provider', l.provider, 'resource', l.resource, 'dimension', l.dimension, 'unit', l.unit,
                              'currency', l.currency, 'pricingTier', l.pricing_tier) as line,
           ${point('c')} as current, ${point('k')} as announced
    from announced_price a
    join price_line l using (line_id)
    join price_row c on c.content_hash = l.current_hash
    join price_row k on k.content_hash = a.content_hash
    where l.source = ${source} and l.removed_at is null and c.content_hash <> k.content_hash and c.price <> k.price
      and (a.announced_at is null or a.announced_at <= ${before})
      and (k.price = 0 or abs(c.price / k.price - 1) >= ${leastChange}::numeric)
    order by a.line_id`
}

/** Notes the rows that a person's decision announced; a line without a row before has no event to suppress. */
export async function noteAnnounced(tx: Tx, at: Instant, hashes: string[]): Promise<void> {
  await tx`
    update announced_price a set content_hash = r.content_hash, announced_at = ${at}
    from price_row r where r.line_id = a.line_id and r.content_hash = any(${hashes}::text[])`
}

/** Forgets what subscribers know of the line of a row: it has no price any more. */
export async function forgetAnnounced(tx: Tx, contentHash: string): Promise<void> {
  await tx`
    delete from announced_price a using price_row r where r.line_id = a.line_id and r.content_hash = ${contentHash}`
}

/** Records the events about volatile lines. */
export async function recordAnnounced(tx: Tx, at: Instant, lines: UnannouncedPrice[]): Promise<void> {
  const rows = lines.map(({ lineId, current }) => ({ lineId, contentHash: current.contentHash }))
  await tx`
    update announced_price a set content_hash = n."contentHash", announced_at = ${at}
    from jsonb_to_recordset(${tx.json(rows)}::jsonb) as n ("lineId" bigint, "contentHash" text)
    where a.line_id = n."lineId"`
}
