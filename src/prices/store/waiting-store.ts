import type { Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'

/** The state of lines that wait for the next fetches: so many fetches showed it, and it may change from `dueAt` on. */
type Waiting = { fetches: number; dueAt: Instant }

/**
 * Returns what the absent and the held lines of a source wait for, each state once. Absent lines that an open review
 * item asks about wait for a person.
 */
export async function waitingLines(
  db: Db,
  source: string,
  confirmedAfter: { resourceMs: number; lineMs: number; stepMs: number },
): Promise<Waiting[]> {
  return db<Waiting[]>`
    select l.missing_count as fetches,
           case
             when not resource.is_listed then resource.last_missing + interval '1 millisecond' * ${confirmedAfter.resourceMs}::float8
             when l.pricing_tier like '%"context":%' then l.missing_since + interval '1 millisecond' * ${confirmedAfter.stepMs}::float8
             else l.missing_since + interval '1 millisecond' * ${confirmedAfter.lineMs}::float8 end as "dueAt"
    from price_line l
    -- A resource is removed when the last of its lines was missing long enough.
    cross join lateral (
      select bool_or(o.missing_since is null) as is_listed, max(o.missing_since) as last_missing
      from price_line o
      where (o.source, o.provider, o.resource) = (l.source, l.provider, l.resource)
        and o.current_hash is not null and o.removed_at is null
    ) resource
    where l.source = ${source} and l.missing_since is not null and l.removed_at is null
      and not exists (select from review v
                      where v.source = l.source and v.provider = l.provider and v.kind in ('removal', 'rename', 'line_removal')
                        and v.decided_at is null and v.detail->'resources' ? l.resource)
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
