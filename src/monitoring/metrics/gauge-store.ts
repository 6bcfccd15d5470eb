import type { Instant } from '../../lib/instant.ts'
import type { Db, Tx } from '../../lib/sql.ts'

/** Asks the database for nothing: whether it answers. */
export async function ping(db: Db): Promise<void> {
  await db`select`
}

/** Ends what takes longer in this transaction. */
export async function limitStatements(tx: Tx, ms: number): Promise<void> {
  await tx`select set_config('statement_timeout', ${String(ms)}, true)`
}

export type WebhooksByState = { state: 'active' | 'failing' | 'paused'; count: number }[]

/** Counts webhooks. A failing one is active, and its last attempt failed. */
export async function webhooksByState(db: Db): Promise<WebhooksByState> {
  return db<WebhooksByState>`
    select case when state = 'paused' then 'paused' when failures_in_row > 0 then 'failing' else 'active' end as state,
           count(*)::int as count
    from webhook group by 1`
}

export type ReviewAges = {
  kind: 'prices' | 'document'
  age: '1h' | '1d' | '7d' | 'older'
  count: number
  oldest: number
}[]

/** Counts what waits for a person by how long it has waited. */
export async function reviewAges(db: Db): Promise<ReviewAges> {
  return db<ReviewAges>`
    select kind, case when waited < interval '1 hour' then '1h' when waited < interval '1 day' then '1d'
                      when waited < interval '7 days' then '7d' else 'older' end as age,
           count(*)::int as count, extract(epoch from max(waited))::float8 as oldest
    from (select 'prices' as kind, clock_timestamp() - opened_at as waited from review where decided_at is null and asks
          union all
          select 'document', clock_timestamp() - held_at from document_version where status = 'held') as items
    group by 1, 2`
}

/** Counts the served prices that other sources contradict. */
export async function contradictedLines(db: Db): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from contradicted_line join price_line using (line_id)
    where current_hash is not null and removed_at is null`
  return row!.count
}

export type Accuracy = {
  measuredAt: Instant
  hoursMedian: number | null
  hoursP90: number | null
  states: { state: 'contradicted' | 'provider' | 'independent' | 'own_list' | 'unconfirmed'; count: number }[]
}

/** Returns what the newest daily measure of served prices gave; nothing before the first. */
export async function newestAccuracy(db: Db): Promise<Accuracy[]> {
  return db<Accuracy[]>`
    select r.measured_at as "measuredAt", r.hours_median as "hoursMedian", r.hours_p90 as "hoursP90", s.states
    from accuracy_run r
    cross join lateral (
      select json_build_array(
        json_build_object('state', 'contradicted', 'count', coalesce(sum(contradicted), 0)),
        json_build_object('state', 'provider', 'count', coalesce(sum(by_provider), 0)),
        json_build_object('state', 'independent', 'count', coalesce(sum(independent), 0)),
        json_build_object('state', 'own_list', 'count', coalesce(sum(own_list), 0)),
        json_build_object('state', 'unconfirmed', 'count', coalesce(sum(unconfirmed), 0))) as states
      from accuracy_day d where d.day = r.day
    ) s
    order by r.day desc limit 1`
}

/** However many wait, no more are counted: a gauge with this value says "at least". */
const COUNTED = 100_000

export type LogSize = { leaves: number; waiting: number }

/** Counts the leaves of the publication log, and the changes of rows that have none yet, up to 100,000. */
export async function logSize(db: Db): Promise<LogSize> {
  const [row] = await db<{ leaves: string; waiting: number }[]>`
    select size as leaves, (
      select count(*)::int from (
        select from price_status
        where seq > after_seq and status in ('approved', 'auto_approved', 'withdrawn', 'removed') limit ${COUNTED}) s
    ) as waiting
    from log_state`
  return { leaves: Number(row!.leaves), waiting: row!.waiting }
}

export type Connections = { application: string; state: string; count: number }[]

/** Counts the connections of all our processes to this database, by what they do. */
export async function connectionsByState(db: Db): Promise<Connections> {
  return db<Connections>`
    select application_name as application, coalesce(state, 'unknown') as state, count(*)::int as count
    from pg_stat_activity
    where datname = current_database() and usename = current_user and backend_type = 'client backend'
    group by 1, 2`
}
