import type { Instant } from '../../lib/instant.ts'
import type { Db, Tx } from '../../lib/sql.ts'
import type { Evidence, Wait } from '../plan/evidence/evidence-schema.ts'

type ReviewKind = 'price' | 'mass_change' | 'removal' | 'rename' | 'line_removal' | 'unreadable' | 'snapshot'

/** Why a row is held, and what was known about it. */
export type JudgedRow = { contentHash: string; reasons: string[]; evidence?: Evidence }

export type NewReview = {
  provider: string
  kind: ReviewKind
  reasons: string[]
  rows: JudgedRow[]
  /** A person is asked. Otherwise time ends it, or its source. */
  asks: boolean
}

/** Opens review items with the held rows they are about. */
export async function openReviews(tx: Tx, source: string, at: Instant, items: NewReview[]): Promise<void> {
  if (items.length === 0) return
  await tx`
    with items as (
      select uuidv7() as review_id, i.provider, i.kind, i.reasons, i.rows, i.asks
      from jsonb_to_recordset(${tx.json(items)}::jsonb) as i (provider text, kind text, reasons text[], rows jsonb, asks boolean)
    ), opened as (
      insert into review (review_id, source, provider, kind, reasons, opened_at, asks)
      select review_id, ${source}, provider, kind, reasons, ${at}, asks from items
    )
    insert into review_row (review_id, content_hash, reasons, evidence)
    select i.review_id, r."contentHash", r.reasons, r.evidence
    from items i cross join lateral jsonb_to_recordset(i.rows) as r ("contentHash" text, reasons text[], evidence jsonb)`
}

export type StoredVerdict = { reasons: string[]; evidence?: Evidence; wait?: Wait }

/** Returns why rows are or were held, by content hash; rows that are held now and since when. */
export async function verdictsOf(db: Db, hashes: string[]): Promise<Map<string, StoredVerdict>> {
  type Row = { hash: string; reasons: string[]; evidence: Evidence | null; since: Instant | null; fetches: number }
  const rows = await db<Row[]>`
    select w.content_hash as hash, w.reasons, w.evidence, l.held_since as since, l.held_fetches as fetches
    from review_row w
    join price_row r using (content_hash)
    left join price_line l on l.line_id = r.line_id and l.held_hash = w.content_hash
    where w.content_hash = any(${hashes}::text[])`
  return new Map(
    rows.map(({ hash, reasons, evidence, since, fetches }) => [
      hash,
      { reasons, evidence: evidence ?? undefined, wait: since ? { since, fetches } : undefined },
    ]),
  )
}

/**
 * Replaces why rows are held, and with that why their items are open: they were judged again. An item asks from then on
 * when it does so for one of the reasons in `asksFor`.
 */
export async function recordVerdicts(tx: Tx, rows: JudgedRow[], asksFor: readonly string[]): Promise<void> {
  if (rows.length === 0) return
  await tx`
    update review_row w set reasons = r.reasons, evidence = r.evidence
    from jsonb_to_recordset(${tx.json(rows)}::jsonb) as r ("contentHash" text, reasons text[], evidence jsonb)
    where w.content_hash = r."contentHash"`
  await tx`
    update review v set reasons = n.reasons, asks = v.asks or n.reasons && ${asksFor}::text[]
    from (
      select review_id, array_agg(reason order by first) as reasons
      from (
        select w.review_id, u.reason, min(u.n) as first
        from review_row w
        join price_line l on l.held_hash = w.content_hash
        cross join unnest(w.reasons) with ordinality as u (reason, n)
        where w.review_id in (select review_id from review_row
                              where content_hash = any(${rows.map(({ contentHash }) => contentHash)}::text[]))
        group by w.review_id, u.reason
      ) reasons
      group by review_id
    ) n
    where v.review_id = n.review_id and v.decided_at is null and v.reasons <> n.reasons`
}

/** Closes the open items of a source that have no pending row left. */
export async function closeOvertakenReviews(tx: Tx, source: string, at: Instant): Promise<void> {
  await tx`
    update review v set decided_at = ${at}, decision = 'superseded'
    where v.source = ${source} and v.decided_at is null and v.kind in ('price', 'mass_change')
      and not exists (select from review_row w join price_line l on l.held_hash = w.content_hash
                      where w.review_id = v.review_id)`
}

export type OpenReview = {
  reviewId: string
  source: string
  provider: string
  kind: ReviewKind
  reasons: string[]
  detail: {
    resources?: string[]
    to?: string | null
    texts?: string[]
    snapshotHash?: string
    message?: string
    /** How often the source has served a snapshot that waits. */
    fetches?: number
  }
  openedAt: Instant
  /** Content hashes of the rows that a decision is about: those that are held, with all held rows of their resources. */
  rows: string[]
  /** The lines that a removal ends. */
  missing: string[]
}

/** What an open item `v` is now. */
const content = (db: Db) => db`
  v.review_id as "reviewId", v.source, v.provider, v.kind, v.reasons, v.detail, v.opened_at as "openedAt",
  array(select s.held_hash from price_line s
        where s.source = v.source and s.held_hash is not null and (s.provider, s.resource) in (
          select l.provider, l.resource from review_row w join price_row r using (content_hash)
          join price_line l on l.line_id = r.line_id and l.held_hash = w.content_hash
          where w.review_id = v.review_id)
        order by 1) as rows,
  case when v.kind in ('removal', 'line_removal') then
    array(select l.line_id::text from price_line l
          where (l.source, l.provider) = (v.source, v.provider) and v.detail->'resources' ? l.resource
            and l.missing_since is not null and l.removed_at is null and l.current_hash is not null
            and (v.kind = 'removal' or v.detail->'texts' ? (l.dimension || ' ' || l.pricing_tier)))
  else '{}' end as missing`

/** Returns an open item. */
export async function openReview(tx: Db, reviewId: string): Promise<OpenReview | undefined> {
  const [review] = await tx<OpenReview[]>`
    select ${content(tx)}
    from review v where v.review_id::text = ${reviewId} and v.decided_at is null`
  return review
}

/** How an item was closed: by a person, or because its source says something else now (`superseded`). */
export type ClosedReview = {
  decision: 'approved' | 'rejected' | 'superseded'
  decidedAt: Instant
  decidedBy: string | null
  reason: string | null
}

/** Returns how an item was closed; undefined when it is open or never was. */
export async function closedReview(db: Db, reviewId: string): Promise<ClosedReview | undefined> {
  const [review] = await db<ClosedReview[]>`
    select decision, decided_at as "decidedAt", decided_by as "decidedBy", decision_reason as reason
    from review where review_id::text = ${reviewId} and decided_at is not null`
  return review
}

/** Which open items: those that meet all of these. */
export type ReviewFilter = {
  provider?: string
  kind?: string
  source?: string
  /** One of their reasons. */
  reason?: string
  /** The exact name of a resource they are about. */
  resource?: string
  /** Opened at this instant or before. */
  openedBefore?: Instant
  /** `true`: those that ask a person. */
  asks?: boolean
}

/** Returns the open items that meet a filter, the oldest first. */
export async function openReviewItems(db: Db, limit = 100, filter: ReviewFilter = {}): Promise<OpenReview[]> {
  const { provider = null, kind = null, source = null, reason = null, resource = null, openedBefore = null } = filter
  const { asks = null } = filter
  return db<OpenReview[]>`
    select ${content(db)}
    from review v where v.decided_at is null
      and (${provider}::text is null or v.provider = ${provider})
      and (${asks}::boolean is null or v.asks = ${asks})
      and (${kind}::text is null or v.kind = ${kind})
      and (${source}::text is null or v.source = ${source})
      and (${reason}::text is null or ${reason} = any(v.reasons))
      and (${openedBefore}::timestamptz is null or v.opened_at <= ${openedBefore})
      and (${resource}::text is null or v.detail->'resources' ? ${resource} or v.detail->>'to' = ${resource}
           or exists (select from review_row w join price_row r using (content_hash) join price_line l using (line_id)
                      where w.review_id = v.review_id and l.resource = ${resource}))
    order by v.opened_at, v.review_id limit ${limit}`
}

export async function closeReview(
  tx: Tx,
  reviewId: string,
  decided: { at: Instant; decision: 'approved' | 'rejected'; by: string; reason: string },
): Promise<void> {
  const { at, decision, by, reason } = decided
  await tx`
    update review
    set decided_at = ${at}, decision = ${decision}, decided_by = ${by}, decision_reason = ${reason}
    where review_id = ${reviewId}`
}
