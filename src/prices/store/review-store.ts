import type { Instant } from '../../lib/instant.ts'
import type { Db, Tx } from '../../lib/sql.ts'

type ReviewKind = 'price' | 'mass_change' | 'removal' | 'rename' | 'snapshot'

export type NewReview = {
  provider: string
  kind: ReviewKind
  reasons: string[]
  rows: { contentHash: string; reasons: string[] }[]
}

/** Opens review items with the held rows they are about. */
export async function openReviews(tx: Tx, source: string, at: Instant, items: NewReview[]): Promise<void> {
  if (items.length === 0) return
  await tx`
    with items as (
      select uuidv7() as review_id, i.provider, i.kind, i.reasons, i.rows
      from jsonb_to_recordset(${tx.json(items)}::jsonb) as i (provider text, kind text, reasons text[], rows jsonb)
    ), opened as (
      insert into review (review_id, source, provider, kind, reasons, opened_at)
      select review_id, ${source}, provider, kind, reasons, ${at} from items
    )
    insert into review_row (review_id, content_hash, reasons)
    select i.review_id, r."contentHash", r.reasons
    from items i cross join lateral jsonb_to_recordset(i.rows) as r ("contentHash" text, reasons text[])`
}

/** Closes the open items of a source that have no pending row left: what they asked is no longer true. */
export async function closeOvertakenReviews(tx: Tx, source: string, at: Instant): Promise<void> {
  await tx`
    update review v set decided_at = ${at}, decision = 'superseded'
    where v.source = ${source} and v.decided_at is null and v.kind in ('price', 'mass_change')
      and not exists (select from review_row w join price_line l on l.held_hash = w.content_hash
                      where w.review_id = v.review_id)`
}

export type AbsenceQuestion = {
  provider: string
  kind: 'removal' | 'rename'
  reason: string
  resources: string[]
  to?: string
}

/** Makes the open questions about absences exactly these: new ones are opened, those no longer asked are closed. */
export async function askAbout(tx: Tx, source: string, at: Instant, questions: AbsenceQuestion[]): Promise<void> {
  const wanted = questions.map(({ provider, kind, reason, resources, to }) => ({
    provider,
    kind,
    reasons: [reason],
    key: kind === 'rename' ? `${resources[0]} ${to}` : '',
    detail: { resources, to: to ?? null },
  }))
  await tx`
    with wanted as (
      select * from jsonb_to_recordset(${tx.json(wanted)}::jsonb)
        as w (provider text, kind text, reasons text[], key text, detail jsonb)
    ), asked as (
      select v.review_id, v.provider, v.kind, v.detail,
             case v.kind when 'rename' then (v.detail->'resources'->>0) || ' ' || (v.detail->>'to') else '' end as key
      from review v where v.source = ${source} and v.decided_at is null and v.kind in ('removal', 'rename')
    ), closed as (
      update review v set decided_at = ${at}, decision = 'superseded'
      from asked a
      where v.review_id = a.review_id
        and not exists (select from wanted w where (w.provider, w.kind, w.key) = (a.provider, a.kind, a.key))
    ), changed as (
      update review v set detail = w.detail, reasons = w.reasons
      from asked a join wanted w on (w.provider, w.kind, w.key) = (a.provider, a.kind, a.key)
      where v.review_id = a.review_id and v.detail <> w.detail
    )
    insert into review (source, provider, kind, reasons, detail, opened_at)
    select ${source}, w.provider, w.kind, w.reasons, w.detail, ${at}
    from wanted w
    where not exists (select from asked a where (w.provider, w.kind, w.key) = (a.provider, a.kind, a.key))`
}

/** Asks whether a quarantined snapshot is right after all; one open question per source. */
export async function askAboutSnapshot(
  tx: Tx,
  source: string,
  at: Instant,
  question: { reason: string; message: string; snapshotHash: string; lines: number },
): Promise<void> {
  const { reason, ...detail } = question
  await tx`
    update review set decided_at = ${at}, decision = 'superseded'
    where source = ${source} and kind = 'snapshot' and decided_at is null
      and detail->>'snapshotHash' <> ${question.snapshotHash}`
  await tx`
    insert into review (source, provider, kind, reasons, detail, opened_at)
    select ${source}, '*', 'snapshot', ${[reason]}, ${tx.json(detail)}, ${at}
    where not exists (select from review where source = ${source} and kind = 'snapshot' and decided_at is null)`
}

/** Renamings (provider, from, to) a person refused, and removals (provider, resource) refused during this absence. */
export async function refusals(db: Db, source: string): Promise<Set<string>> {
  const rows = await db<{ provider: string; kind: string; resources: string[]; to: string | null }[]>`
    select provider, kind, detail->>'to' as "to", array(
             select name from jsonb_array_elements_text(detail->'resources') as name
             where v.kind = 'rename' or exists (
               select from price_line l
               where (l.source, l.provider, l.resource) = (v.source, v.provider, name) and l.missing_since < v.decided_at)
           ) as resources
    from review v where source = ${source} and decision = 'rejected' and kind in ('removal', 'rename')`
  return new Set(
    rows.flatMap(({ provider, kind, resources, to }) =>
      resources.map((resource) => [provider, resource, ...(kind === 'rename' ? [to] : [])].join('\u001f')),
    ),
  )
}

/** The renamings of a source a person is asked about. */
export async function askedRenames(db: Db, source: string): Promise<{ provider: string; from: string; to: string }[]> {
  return db<{ provider: string; from: string; to: string }[]>`
    select provider, detail->'resources'->>0 as "from", detail->>'to' as "to"
    from review where source = ${source} and kind = 'rename' and decided_at is null`
}

/** The snapshot that a person let pass although it was quarantined, and how many lines it had. */
export async function acceptedSnapshot(db: Db, source: string): Promise<{ hash: string; lines: number } | undefined> {
  const [row] = await db<{ hash: string; lines: number }[]>`
    select detail->>'snapshotHash' as hash, (detail->>'lines')::integer as lines
    from review where source = ${source} and kind = 'snapshot' and decision = 'approved'
    order by decided_at desc limit 1`
  return row
}

export type OpenReview = {
  reviewId: string
  source: string
  provider: string
  kind: ReviewKind
  reasons: string[]
  detail: { resources?: string[]; to?: string | null; snapshotHash?: string; message?: string }
  openedAt: Instant
  /** Content hashes of the rows asked about. */
  rows: string[]
}

/** One open item. */
export async function openReview(tx: Db, reviewId: string): Promise<OpenReview | undefined> {
  const [review] = await tx<OpenReview[]>`
    select v.review_id as "reviewId", v.source, v.provider, v.kind, v.reasons, v.detail, v.opened_at as "openedAt",
           array(select content_hash from review_row w where w.review_id = v.review_id order by 1) as rows
    from review v where v.review_id::text = ${reviewId} and v.decided_at is null`
  return review
}

/** The queue, or what of it is of a provider or a kind: the oldest open items first. */
export async function openReviewItems(
  db: Db,
  limit = 100,
  of: { provider?: string; kind?: string } = {},
): Promise<OpenReview[]> {
  return db<OpenReview[]>`
    select v.review_id as "reviewId", v.source, v.provider, v.kind, v.reasons, v.detail, v.opened_at as "openedAt",
           array(select content_hash from review_row w where w.review_id = v.review_id order by 1) as rows
    from review v where v.decided_at is null
      and ${of.provider === undefined ? db`true` : db`v.provider = ${of.provider}`}
      and ${of.kind === undefined ? db`true` : db`v.kind = ${of.kind}`}
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
