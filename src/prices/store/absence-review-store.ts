import type { Renaming } from '../../catalog/resource-store.ts'
import { joinKey } from '../../lib/collections.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Db, Tx } from '../../lib/sql.ts'

/** Kinds of items that follow from what a snapshot does not list, or not as a price. */
const ABSENCES = ['removal', 'rename', 'line_removal', 'unreadable'] as const

export type AbsenceItem = {
  provider: string
  kind: (typeof ABSENCES)[number]
  reason: string
  resources: string[]
  to?: string
  texts?: string[]
  /** A person is asked. Otherwise time ends it. */
  asks: boolean
}

/**
 * Makes exactly these the open items about absences: opens new ones and closes those that no longer apply. Missing and
 * unreadable lines that a person rejected to remove are not an item again while they are the same.
 */
export async function syncAbsenceReviews(tx: Tx, source: string, at: Instant, items: AbsenceItem[]): Promise<void> {
  const wanted = items.map(({ provider, kind, reason, resources, to, texts, asks }) => ({
    provider,
    kind,
    asks,
    reasons: [reason],
    key: kind === 'rename' ? `${resources[0]} ${to}` : '',
    detail: { resources, to: to ?? null, ...(texts && { texts }) },
  }))
  await tx`
    with wanted as (
      select * from jsonb_to_recordset(${tx.json(wanted)}::jsonb)
        as w (provider text, kind text, reasons text[], key text, detail jsonb, asks boolean)
    ), open as (
      select v.review_id, v.provider, v.kind, v.detail,
             case v.kind when 'rename' then (v.detail->'resources'->>0) || ' ' || (v.detail->>'to') else '' end as key
      from review v where v.source = ${source} and v.decided_at is null and v.kind = any(${ABSENCES}::text[])
    ), closed as (
      update review v set decided_at = ${at}, decision = 'superseded'
      from open o
      where v.review_id = o.review_id
        and not exists (select from wanted w where (w.provider, w.kind, w.key) = (o.provider, o.kind, o.key))
    ), changed as (
      update review v set detail = w.detail, reasons = w.reasons, asks = v.asks or w.asks
      from open o join wanted w on (w.provider, w.kind, w.key) = (o.provider, o.kind, o.key)
      where v.review_id = o.review_id and (v.detail <> w.detail or w.asks and not v.asks)
    )
    insert into review (source, provider, kind, reasons, detail, opened_at, asks)
    select ${source}, w.provider, w.kind, w.reasons, w.detail, ${at}, w.asks
    from wanted w
    where not exists (select from open o where (w.provider, w.kind, w.key) = (o.provider, o.kind, o.key))
      and not exists (select from review v
                      where v.source = ${source} and v.decision = 'rejected' and v.kind in ('line_removal', 'unreadable')
                        and (v.provider, v.kind, v.detail) = (w.provider, w.kind, w.detail))`
}

/** Returns the renamings (provider, from, to) a person rejected, and the removals rejected during this absence. */
export async function rejectedAbsences(db: Db, source: string): Promise<Set<string>> {
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
      resources.map((resource) => joinKey(provider, resource, ...(kind === 'rename' ? [to] : []))),
    ),
  )
}

/** Returns the renamings of a source that are open in the review queue. */
export async function openRenames(db: Db, source: string): Promise<Renaming[]> {
  return db<Renaming[]>`
    select provider, detail->'resources'->>0 as "from", detail->>'to' as "to"
    from review where source = ${source} and kind = 'rename' and decided_at is null`
}
