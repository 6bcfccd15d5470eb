import type { Instant } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { MAX_SIGNING_KEYS } from '../rules.ts'
import type { AttemptKey } from '../workflow-schema.ts'

/** What an attempt sends, where, and signed by which sealed keys, newest first. */
export type AttemptRequest = {
  webhookId: string
  url: string
  eventId: string
  body: string
  alias?: string
  /** When it was due. */
  dueAt: Instant
  /** When the change became eligible that this is the first attempt for; null of retries, and where the last attempt failed. */
  promisedFrom: Instant | null
  sealed: Uint8Array[]
}

/** Why an attempt sends nothing. */
export type Refusal =
  /** The delivery was deleted. */
  | 'gone'
  | 'paused'
  /** The same attempt was opened before, and its outcome is not known. */
  | 'dangling'
  /** It is not this attempt's turn. */
  | 'stale'

/**
 * Opens an attempt: commits that it started, before anything is sent. One statement, under the delivery's row lock.
 * Returns what to send, or why nothing is sent.
 */
export async function openAttempt(
  sql: Sql,
  key: AttemptKey,
  now: Instant,
): Promise<{ request: AttemptRequest } | { request?: undefined; refusal: Refusal }> {
  const { deliveryId, cycle, number, run } = key
  const [row] = await sql<(AttemptRequest & { turn: boolean; paused: boolean; opened: boolean })[]>`
    with target as (
      select d.delivery_id, d.alias, d.due_at, w.webhook_id, w.url, w.state = 'paused' as paused, e.event_id, e.body,
             case when d.cycle = 1 and d.attempts = 0 and w.failures_in_row = 0 then e.eligible_at end as promised_from,
             d.status = 'pending' and d.cycle = ${cycle} and d.attempts + 1 = ${number} and d.faults + 1 = ${run} as turn
      from delivery d
      join webhook w using (webhook_id)
      join event e using (event_id)
      where d.delivery_id = ${deliveryId}
      for no key update of d
    ), opened as (
      insert into attempt (delivery_id, cycle, number, run, started_at)
      select delivery_id, ${cycle}, ${number}, ${run}, ${now} from target where turn and not paused
      on conflict do nothing
      returning delivery_id
    )
    select t.webhook_id as "webhookId", t.url, t.event_id as "eventId", t.body, t.alias, t.due_at as "dueAt",
           t.promised_from as "promisedFrom", t.turn, t.paused,
           exists (select from opened) as opened,
           array(select s.sealed from webhook_secret s
                 where s.webhook_id = t.webhook_id and (s.signs_until is null or s.signs_until > ${now})
                 order by s.signs_until desc nulls first, s.secret_id desc limit ${MAX_SIGNING_KEYS}) as sealed
    from target t`
  if (!row) return { refusal: 'gone' }
  if (row.opened) return { request: { ...row, alias: row.alias ?? undefined } }
  if (!row.turn) return { refusal: 'stale' }
  return { refusal: row.paused ? 'paused' : 'dangling' }
}
