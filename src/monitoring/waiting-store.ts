import { type Instant, MINUTE, SECOND } from '../lib/instant.ts'
import type { Db, Tx } from '../lib/sql.ts'
import { LATE_AFTER_MS } from './health-rules.ts'
import type { WaitingDeliveries } from './schema.ts'

/** A count is made again after this time, and after this many times as long as it took, so that it costs 5 % of a processor. */
const COUNT_EVERY_MS = 15 * SECOND
const REST_TIMES = 20
const REST_AT_MOST_MS = 2 * MINUTE
/** A count that is older says nothing about now. */
const COUNT_HOLDS_MS = 5 * MINUTE

/** Returns the newest count, unless it is too old. */
export async function lastCount(db: Db): Promise<WaitingDeliveries | undefined> {
  const [row] = await db<(WaitingDeliveries & { oldestDueAt: Instant | null })[]>`
    select counted_at as "countedAt", due::float8, in_flight::float8 as "inFlight", later::float8, paused::float8,
           workspaces, late_workspaces as "lateWorkspaces", oldest_due_at as "oldestDueAt",
           greatest(extract(epoch from clock_timestamp() - oldest_due_at), 0)::float8 as "oldestDueSeconds"
    from waiting_deliveries
    where counted_at > clock_timestamp() - ${`${COUNT_HOLDS_MS} ms`}::interval`
  return row && { ...row, oldestDueAt: row.oldestDueAt ?? undefined }
}

/** Locks the counts where it is time to count again and no one else does. Returns whether that is so. */
export async function lockStaleCount(tx: Tx): Promise<boolean> {
  const rows = await tx`
    select from waiting_deliveries
    where counted_at is null or counted_at > clock_timestamp() + interval '1 minute'
       or counted_at + greatest(${COUNT_EVERY_MS}::integer, least(${REST_TIMES}::integer * took_ms, ${REST_AT_MOST_MS}::integer))
                       * interval '1 ms' <= clock_timestamp()
    for no key update skip locked`
  return rows.length > 0
}

/** Counts what waits, in one pass over the index of what is due. */
export async function countDeliveries(tx: Tx): Promise<void> {
  await tx`
    with waiting as materialized (
      select webhook_id, count(*) filter (where due_at <= statement_timestamp()) as due,
             count(*) filter (where due_at > statement_timestamp()) as later, min(due_at) as oldest
      from delivery
      where status = 'pending' and claimed_at is null
      group by webhook_id
    ),
    counted as (
      select coalesce(sum(due) filter (where state = 'active'), 0) as due,
             coalesce(sum(due) filter (where state = 'paused'), 0) as paused,
             coalesce(sum(later), 0) as later,
             count(distinct workspace_id) filter (
               where is_healthy and oldest < statement_timestamp() - ${`${LATE_AFTER_MS} ms`}::interval) as late,
             min(oldest) filter (where is_healthy and oldest <= statement_timestamp()) as oldest
      from waiting
      join (select *, state = 'active' and failures_in_row = 0 as is_healthy from webhook) w using (webhook_id)
    )
    update waiting_deliveries
    set due = c.due, paused = c.paused, later = c.later, late_workspaces = c.late, oldest_due_at = c.oldest,
        in_flight = (select count(*) from delivery where claimed_at is not null),
        workspaces = (select count(distinct workspace_id) from webhook where state = 'active'),
        counted_at = clock_timestamp(),
        took_ms = extract(epoch from clock_timestamp() - statement_timestamp()) * 1000
    from counted c`
}

/** Returns when the oldest change became eligible that was not matched with webhooks yet. */
export async function oldestUnmatched(db: Db): Promise<Instant | undefined> {
  const [row] = await db<{ at: Instant }[]>`
    select eligible_at as at from event where matched_at is null order by seq limit 1`
  return row?.at
}
