import type { Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'

/** The state of lines that wait for the next fetches: this many fetches showed it, and it may change from `dueAt` on. */
type Waiting = { fetches: number; dueAt: Instant }

/** After how long an absence is confirmed. */
type ConfirmedAfter = {
  resourceMs: number
  /** Of a removal that a person was asked about. */
  askedResourceMs: number
  lineMs: number
  stepMs: number
  /** An absence that was confirmed and stayed, because others list the resource, is judged again after this time. */
  againMs: number
  /** The good fetches that confirm an absence. */
  fetches: number
  /** Lines that this many resources of a provider lose together, and more than this share of them, are asked about. */
  lostTogether: { least: number; share: number; askedMs: number }
}

/**
 * Returns what the absent and the held lines of a source wait for, each state once. Absent lines that an open review
 * item asks about wait for a person, and those that a person refused to remove for another list.
 */
export async function waitingLines(
  db: Db,
  source: string,
  { resourceMs, askedResourceMs, lineMs, stepMs, againMs, fetches, lostTogether }: ConfirmedAfter,
): Promise<Waiting[]> {
  const { least, share, askedMs } = lostTogether
  const later = (ms: number) => db`interval '1 millisecond' * ${ms}::float8`
  return db<Waiting[]>`
    with refused as materialized (
      select provider, kind, detail, decided_at from review
      where source = ${source} and decision = 'rejected' and kind in ('removal', 'line_removal')
    ), absent as (
      select l.provider, l.resource, l.dimension, l.pricing_tier, l.missing_count, l.missing_since,
             resource.is_listed, resource.last_missing,
             exists (select from review v
                     where v.source = l.source and v.provider = l.provider and v.kind = 'removal'
                       and v.decided_at is null and v.detail->'resources' ? l.resource) as is_asked,
             exists (select from refused r where r.provider = l.provider and r.detail->'resources' ? l.resource
                       and case r.kind when 'removal' then not resource.is_listed and r.decided_at > resource.first_missing
                           else resource.is_listed and r.decided_at > l.missing_since
                            and r.detail->'texts' ? (l.dimension || ' ' || l.pricing_tier) end) as is_refused
      from price_line l
      -- A resource is removed when the last of its lines was missing long enough.
      cross join lateral (
        select bool_or(o.missing_since is null) as is_listed, max(o.missing_since) as last_missing,
               min(o.missing_since) as first_missing
        from price_line o
        where (o.source, o.provider, o.resource) = (l.source, l.provider, l.resource)
          and o.current_hash is not null and o.removed_at is null
      ) resource
      where l.source = ${source} and l.missing_since is not null and l.removed_at is null
        and not exists (select from review v
                        where v.source = l.source and v.provider = l.provider and v.kind in ('rename', 'line_removal')
                          and v.decided_at is null and v.detail->'resources' ? l.resource)
    ), lost as (
      -- Without a dimension: lines of any.
      select provider, dimension, count(distinct resource) as resources, bool_and(is_refused) as is_refused
      from absent where is_listed group by grouping sets ((provider), (provider, dimension))
      having count(distinct resource) >= ${least}
    ), lost_together as (
      select provider, dimension, is_refused from lost
      where resources > ${share}::float8 * (
        select count(distinct l.resource) from price_line l
        where l.source = ${source} and l.provider = lost.provider and l.current_hash is not null
          and l.removed_at is null and (lost.dimension is null or l.dimension = lost.dimension))
    )
    select a.missing_count as fetches,
           case when not a.is_listed and due.at <= ingested.at and a.missing_count >= ${fetches}
                then ingested.at + ${later(againMs)} else due.at end as "dueAt"
    from absent a
    cross join lateral (
      select bool_and(is_refused) as are_refused from lost_together
      where provider = a.provider and (dimension is null or dimension = a.dimension)
    ) t
    cross join lateral (
      select case
             when a.is_asked then a.last_missing + ${later(askedResourceMs)}
             when not a.is_listed then a.last_missing + ${later(resourceMs)}
             when a.pricing_tier like '%"context":%' then a.missing_since + ${later(stepMs)}
             when t.are_refused is not null then a.missing_since + ${later(askedMs)}
             else a.missing_since + ${later(lineMs)} end as at
    ) due
    cross join (select ingested_at as at from source where source = ${source}) ingested
    -- What a person refused to remove is not asked about again, where nothing else was lost with it.
    where case when a.is_listed then t.are_refused is not true else not a.is_refused end
    union
    select l.held_fetches, l.judged_again_at from price_line l
    where l.source = ${source} and l.held_hash is not null and l.judged_again_at is not null`
}

/** Counts good fetches that showed a source's waiting lines as they are. */
export async function countFetches(db: Db, source: string, fetches: number): Promise<void> {
  await db`
    update price_line
    set missing_count = missing_count + case when missing_since is null then 0 else ${fetches}::integer end,
        held_fetches = held_fetches + case when held_hash is null then 0 else ${fetches}::integer end
    where source = ${source} and (held_hash is not null or (missing_since is not null and removed_at is null))`
}
