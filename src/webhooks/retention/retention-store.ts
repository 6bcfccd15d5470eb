import type { PendingQuery, Row } from 'postgres'
import type { Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'
import { LOG_KEPT_MS } from '../attempts/delivery-rules.ts'

/** Selects deliveries whose last attempt, end and last resend are up to a cutoff; none that is pending. */
const isOver = (db: Db, cutoff: Instant | PendingQuery<Row[]>) => db`
  status <> 'pending' and greatest(coalesce(last_attempt_at, finished_at), resent_at) <= ${cutoff}`

/**
 * Selects the deliveries that the log still has: to the millisecond, although the rows go once a day. `now` is the
 * database's clock when it is absent.
 */
export const isKept = (db: Db, now?: Instant) => {
  const cutoff = db`coalesce(${now ?? null}::timestamptz, clock_timestamp()) - ${`${LOG_KEPT_MS} ms`}::interval`
  return db`(${isOver(db, cutoff)}) is not true`
}

/** Deletes deliveries that are over, with their attempts. At most `limit`; returns how many. */
export async function deleteDeliveriesBefore(db: Db, cutoff: Instant, limit: number): Promise<number> {
  const rows = await db`
    delete from delivery
    where delivery_id = any(array(
      select delivery_id from delivery
      where created_at <= ${cutoff} and ${isOver(db, cutoff)}
      limit ${limit} for update skip locked))
    returning 1`
  return rows.length
}

/** Returns events up to `cutoff` that were matched with every webhook and belong to no delivery, oldest first. */
export async function unusedEvents(db: Db, cutoff: Instant, limit: number): Promise<string[]> {
  const rows = await db<{ seq: string }[]>`
    select seq from event e
    where eligible_at <= ${cutoff} and matched_at is not null
      and not exists (select from delivery d where d.event_id = e.event_id)
    order by seq limit ${limit}`
  return rows.map((row) => row.seq)
}

/**
 * Deletes versions of webhooks that no event can meet any more, with their filters and groups: they had ended when the
 * oldest event that waits to be matched became eligible. An event to come is stamped later than every version that has
 * ended by now. At most `limit`, oldest first; returns how many.
 */
export async function deleteEndedVersions(db: Db, limit: number): Promise<number> {
  const rows = await db`
    with ended as materialized (
      select webhook_id, valid_from from webhook_version
      where valid_to <= coalesce((select min(eligible_at) from event where matched_at is null), 'infinity')
      order by valid_to
      limit ${limit} for update skip locked)
    delete from webhook_version v using ended e
    where v.webhook_id = e.webhook_id and v.valid_from = e.valid_from
    returning 1`
  return rows.length
}
