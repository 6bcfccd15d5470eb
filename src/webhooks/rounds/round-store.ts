import type { Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'
import { NOT_SENT_WHILE_PAUSED } from '../attempts/delivery-rules.ts'
import type { Grant } from '../workflow-schema.ts'
import type { Due } from './round-rules.ts'

/** What one load brings at most: of one endpoint, and in all. A round loads again when it needs more. */
const LOADED_PER_ENDPOINT = 500
const LOADED = 20_000

/** Due deliveries that this round has not started, the oldest of each endpoint, fairly cut when there are too many. */
export async function loadDue(db: Db, round: { roundId: string; now: Instant }): Promise<Due[]> {
  // Jumps from endpoint to endpoint in the index on due deliveries instead of reading all of them.
  return db<Due[]>`
    with recursive endpoint as (
      (select webhook_id from delivery where status = 'pending' and claimed_at is null order by webhook_id limit 1)
      union all
      select (select d.webhook_id from delivery d
              where d.status = 'pending' and d.claimed_at is null and d.webhook_id > endpoint.webhook_id
              order by d.webhook_id limit 1)
      from endpoint where endpoint.webhook_id is not null
    )
    select d.delivery_id as "deliveryId", d.webhook_id as "webhookId", d.workspace_id as "workspaceId",
           d.due_at as "dueAt", w.failures_in_row > 0 as failing
    from endpoint
    join webhook w using (webhook_id)
    cross join lateral (
      select delivery_id, webhook_id, workspace_id, due_at,
             row_number() over (order by due_at, delivery_id) as place
      from delivery
      where webhook_id = endpoint.webhook_id and status = 'pending' and claimed_at is null
        and due_at <= ${round.now} and round_id is distinct from ${round.roundId}
      order by due_at, delivery_id
      limit ${LOADED_PER_ENDPOINT}) d
    where w.state = 'active'
    order by d.place, d.due_at
    limit ${LOADED}`
}

/** How many deliveries of each workspace a round has started. */
export async function startedInRound(db: Db, roundId: string): Promise<[string, number][]> {
  const rows = await db<{ workspaceId: string; started: number }[]>`
    select workspace_id as "workspaceId", count(*)::integer as started from delivery
    where round_id = ${roundId} group by workspace_id`
  return rows.map((row) => [row.workspaceId, row.started])
}

/** A delivery a round has claimed: the attempt it is granted, and what its workflow is found by. */
export type Claimed = {
  deliveryId: string
  webhookId: string
  workspaceId: string
  eventId: string
  eventType: string
  grant: Grant
  /** A workflow was started for this cycle before, and waits unless it was lost. */
  waiting: boolean
}

/** Claims deliveries for a round, all in one statement; what is no longer due or free is left out. */
export async function claim(db: Db, round: { roundId: string; now: Instant }, ids: string[]): Promise<Claimed[]> {
  const rows = await db<(Omit<Claimed, 'grant'> & Grant)[]>`
    update delivery d
    set claimed_at = ${round.now}, round_id = ${round.roundId}, started_cycle = d.cycle
    from (select delivery_id from delivery
          where delivery_id = any(${ids}::uuid[]) and status = 'pending' and claimed_at is null and due_at <= ${round.now}
          for update skip locked) free,
         event e
    where d.delivery_id = free.delivery_id and e.event_id = d.event_id
    returning d.delivery_id as "deliveryId", d.webhook_id as "webhookId", d.workspace_id as "workspaceId",
              d.event_id as "eventId", e.type as "eventType", d.cycle, d.attempts + 1 as number, d.faults + 1 as run,
              old.started_cycle = old.cycle as waiting`
  return rows.map(({ cycle, number, run, ...row }) => ({ ...row, grant: { cycle, number, run } }))
}

/** Gives a claim back whose workflow could not be reached: due again in the next round, nothing used up. */
export async function unclaim(db: Db, deliveryId: string): Promise<void> {
  await db`update delivery set claimed_at = null where delivery_id = ${deliveryId} and status = 'pending'`
}

/** Of these claimed deliveries, those whose attempt is over, and how it ended. */
export async function finishedOf(
  db: Db,
  ids: string[],
): Promise<{ deliveryId: string; outcome: 'succeeded' | 'failed' | 'unclear' }[]> {
  return db<{ deliveryId: string; outcome: 'succeeded' | 'failed' | 'unclear' }[]>`
    select wanted.id as "deliveryId",
           case when d.status = 'succeeded' then 'succeeded'
                when d.attempts > 0 and d.faults = 0 and d.not_sent is null then 'failed'
                else 'unclear' end as outcome
    from unnest(${ids}::uuid[]) as wanted (id)
    left join delivery d on d.delivery_id = wanted.id
    where d.claimed_at is null`
}

/**
 * Ends every delivery that is due while its webhook is paused: it is not sent. Workflows that wait for one are left a
 * notice. Answers how many.
 */
export async function settlePausedDue(db: Db, now: Instant): Promise<number> {
  const rows = await db`
    with settled as (
      update delivery d
      set status = 'failed', not_sent = 'paused', due_at = null, settled_at = ${now}, error = ${NOT_SENT_WHILE_PAUSED}
      from webhook w
      where w.webhook_id = d.webhook_id and w.state = 'paused'
        and d.status = 'pending' and d.claimed_at is null and d.due_at <= ${now}
      returning d.delivery_id, d.webhook_id, d.started_cycle
    ), noticed as (
      insert into delivery_notice (delivery_id, webhook_id, what, created_at)
      select delivery_id, webhook_id, 'due while the webhook is paused', ${now} from settled where started_cycle > 0
      on conflict (delivery_id) do update set what = excluded.what, created_at = excluded.created_at
    )
    select 1 from settled`
  return rows.length
}
