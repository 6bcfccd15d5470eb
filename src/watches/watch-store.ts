import type { Instant } from '../lib/instant.ts'
import type { Db, Tx } from '../lib/sql.ts'
import type { Frequency, WatchBody, WatchView } from './schema.ts'

/** The number of the newest event. */
const newestSeq = (db: Db) => db`(select last_seq from publication_clock)`

/** A renamed model is watched under each name that it got since, for as long as the renaming holds. */
const MOST_RENAMINGS = 100

/** Selects the names of what these watches are about: `watch_id`, `provider`, `name` and the `step` at which it got it. */
export const watchedNames = (db: Db, watches: string) => db`
  name as (
    select watch_id, provider, resource as name, 1 as step from ${db(watches)} where resource is not null
    union
    select n.watch_id, n.provider, r.new_resource, n.step + 1
    from name n
    join resource_rename r on r.provider = n.provider and r.old_resource = n.name and r.ended_at is null
    where n.step < ${MOST_RENAMINGS}
  )`

/** Selects watches, named `w`, as their owner sees them. They are the rows of `chosen`. */
export const watchColumns = (db: Db) => db`
  w.watch_id as "watchId", w.provider, p.name as "providerName", w.document, d.title, w.frequency,
  w.min_change::float8 as "minChange", w.paused_at as "pausedAt", w.created_at as "createdAt",
  coalesce((select n.name from name n where n.watch_id = w.watch_id order by n.step desc limit 1), w.resource) as resource,
  case when g.group_id is not null
    then json_build_object('id', g.group_id, 'name', g.name, 'deleted', g.deleted_at is not null) end as group`

export const watchSubjects = (db: Db) => db`
  left join provider p on p.provider = w.provider
  left join document d on d.provider = w.provider and d.document = w.document
  left join alias_group g on g.group_id = w.group_id`

/** The watches of an account, or one of them, the newest first. */
export async function watchesOf(db: Db, accountId: string, watchId?: string): Promise<WatchView[]> {
  return [
    ...(await db<WatchView[]>`
      with recursive chosen as (
        select * from watch
        where account_id = ${accountId} and (${watchId ?? null}::uuid is null or watch_id = ${watchId ?? null})
      ),
      ${watchedNames(db, 'chosen')}
      select ${watchColumns(db)} from chosen w ${watchSubjects(db)}
      order by w.created_at desc, w.watch_id desc`),
  ]
}

export async function countWatches(tx: Tx, accountId: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from watch where account_id = ${accountId}`
  return row!.count
}

/** Which part of a subject is known here: a model needs its provider's own name, which it may have had before. */
export async function knownParts(db: Db, { provider, resource, document }: WatchBody) {
  const [row] = await db<{ provider: boolean; resource: boolean; document: boolean }[]>`
    select exists (select from provider where provider = ${provider ?? null}) as provider,
           exists (select from resource where provider = ${provider ?? null} and resource = ${resource ?? null}) as resource,
           exists (select from document where provider = ${provider ?? null} and document = ${document ?? null}) as document`
  return row!
}

/** Adds a watch of what is published from now on. Returns its id; undefined when the account watches that already. */
export async function insertWatch(tx: Tx, accountId: string, watch: WatchBody): Promise<string | undefined> {
  const { provider = null, resource = null, document = null, group = null, frequency, minChange } = watch
  const [row] = await tx<{ id: string }[]>`
    insert into watch (account_id, provider, resource, document, group_id, frequency, min_change, after_seq, created_at,
                       updated_at)
    values (${accountId}, ${provider}, ${resource}, ${document}, ${group}, ${frequency}, ${minChange}, ${newestSeq(tx)},
            clock_timestamp(), clock_timestamp())
    on conflict do nothing
    returning watch_id as id`
  return row?.id
}

type Settings = { frequency?: Frequency; minChange?: number; paused?: boolean }

/** Changes a watch. One that goes on after a pause is of what is published from then on. Returns whether there is one. */
export async function updateWatch(
  tx: Tx,
  { accountId, watchId }: { accountId: string; watchId: string },
  { frequency, minChange, paused }: Settings,
): Promise<boolean> {
  const isPaused = paused ?? null
  const changed = await tx`
    update watch
    set frequency = coalesce(${frequency ?? null}, frequency), min_change = coalesce(${minChange ?? null}, min_change),
        paused_at = case when ${isPaused}::boolean is null then paused_at
                         when ${isPaused}::boolean then coalesce(paused_at, clock_timestamp()) end,
        after_seq = case when paused_at is not null and not coalesce(${isPaused}::boolean, true)
                         then ${newestSeq(tx)} else after_seq end,
        updated_at = clock_timestamp()
    where account_id = ${accountId} and watch_id = ${watchId}`
  return changed.count > 0
}

export async function deleteWatchRow(tx: Tx, accountId: string, watchId: string): Promise<boolean> {
  const deleted = await tx`delete from watch where account_id = ${accountId} and watch_id = ${watchId}`
  return deleted.count > 0
}

/** Pauses one watch, or all of a frequency. Returns how many were not paused before. */
export async function pauseWatches(
  tx: Tx,
  { accountId, watchId, frequency }: { accountId: string; watchId: string | null; frequency: Frequency | null },
): Promise<number> {
  const paused = await tx`
    update watch set paused_at = clock_timestamp(), updated_at = clock_timestamp()
    where account_id = ${accountId} and paused_at is null
      and (watch_id = ${watchId}::uuid or frequency = ${frequency}::text)`
  return paused.count
}

/**
 * Locks all planning, because a watch may get another frequency while it is planned. Returns when this one was planned last, and up
 * to which event there is news.
 */
export async function lockPlan(tx: Tx, frequency: Frequency): Promise<{ plannedAt: Instant; newest: number }> {
  await tx`select from watch_plan order by frequency for update`
  const [row] = await tx<{ plannedAt: Instant; newest: string }[]>`
    select planned_at as "plannedAt", ${newestSeq(tx)} as newest from watch_plan where frequency = ${frequency}`
  return { plannedAt: row!.plannedAt, newest: Number(row!.newest) }
}

export async function recordPlan(tx: Tx, frequency: Frequency, at: Instant): Promise<void> {
  await tx`update watch_plan set planned_at = ${at} where frequency = ${frequency}`
}

/** Records that watches were looked at up to an event. */
export async function advanceWatches(tx: Tx, watchIds: string[], upTo: number): Promise<void> {
  await tx`update watch set after_seq = ${upTo} where after_seq < ${upTo} and watch_id = any(${watchIds}::uuid[])`
}
