import { DAY, type Instant, plus } from '../../lib/instant.ts'
import { type Db, type Sql, type Tx, unprepared, withoutSorts } from '../../lib/sql.ts'
import type { Grant } from '../workflow-schema.ts'
import type { DeliveryLabel } from './label-rules.ts'
import { type LabelRow, labelOf, labelsOfChanged } from './label-store.ts'
import type { DueDelivery, RoundOutcome } from './round-schema.ts'
import { ALL, slicesOf } from './shard-rules.ts'

/** A due delivery, and the slice that its workspace is in. */
type LoadedDelivery = DueDelivery & { slice: number }

/** What one load brings at most, of one webhook and in all: so a round's memory does not grow with what is due. */
const LOADED_PER_WEBHOOK = 500
const LOADED = 5_000
/** One load looks at about this many deliveries, divided among webhooks, and at as many divided among workspaces first. */
const LOOKED_AT = 25_000
/** What one load brings of webhooks that fail, and of those that are slow: they have few slots. */
const LOADED_PER_FAILING = 50
const LOADED_OF_FAILING = 1_000
const LOADED_OF_SLOW = 1_000

type Load = { roundId: string; now: Instant; slow?: string[]; slices?: number[] }

/**
 * Due deliveries that this round has not started, the oldest of each webhook. When there are too many, each workspace
 * gets as many as the others. Webhooks that fail or are `slow` never take the place of those that take what is sent.
 */
export const loadDue = (sql: Sql, load: Load): Promise<LoadedDelivery[]> => withoutSorts(sql, (tx) => dueOf(tx, load))

function dueOf(tx: Tx, round: Load): Promise<LoadedDelivery[]> {
  // Jumps from webhook to webhook in delivery_by_slice instead of reading all of it.
  return unprepared(tx)<LoadedDelivery[]>`
    with recursive waiting as (
      select wanted.slice, first.webhook_id
      from unnest(${round.slices ?? slicesOf(ALL)}::integer[]) as wanted (slice)
      cross join lateral (
        select uuid_hash(workspace_id) & 255 as slice, webhook_id from delivery
        where status = 'pending' and claimed_at is null and (uuid_hash(workspace_id) & 255) >= wanted.slice
        order by uuid_hash(workspace_id) & 255, webhook_id, due_at, delivery_id limit 1) first
      where first.slice = wanted.slice
      union all
      select waiting.slice, next.webhook_id
      from waiting
      cross join lateral (
        select uuid_hash(workspace_id) & 255 as slice, webhook_id from delivery
        where status = 'pending' and claimed_at is null
          and (uuid_hash(workspace_id) & 255, webhook_id) > (waiting.slice, waiting.webhook_id)
        order by uuid_hash(workspace_id) & 255, webhook_id, due_at, delivery_id limit 1) next
      where next.slice = waiting.slice
    ),
    active as (
      select w.webhook_id, w.workspace_id, waiting.slice, w.failures_in_row > 0 as failing,
             w.failures_in_row = 0 and w.webhook_id = any(${round.slow ?? []}::uuid[]) as slow,
             dense_rank() over (partition by w.failures_in_row > 0 order by w.workspace_id) as nth_workspace
      from waiting join webhook w using (webhook_id)
      -- The limit and the order keep it a look into delivery_due for each webhook.
      cross join lateral (
        select from delivery d
        where d.webhook_id = w.webhook_id and d.status = 'pending' and d.claimed_at is null
          and d.due_at <= ${round.now} and d.round_id is distinct from ${round.roundId}
        order by d.due_at, d.delivery_id limit 1) any_due
      where w.state = 'active'
    ),
    shared as (
      select *, ${LOOKED_AT}::bigint / least(count(*) over of_all, max(nth_workspace) over of_all * count(*) over of_workspace)
                  as share
      from active
      window of_all as (partition by failing), of_workspace as (partition by failing, workspace_id)
    ),
    due as materialized (
      select d.delivery_id as "deliveryId", d.webhook_id as "webhookId", d.workspace_id as "workspaceId",
             d.due_at as "dueAt", shared.slice, shared.failing, shared.slow,
             row_number() over (partition by failing, slow, d.workspace_id order by number, due_at, delivery_id) as turn
      from shared
      cross join lateral (
        select delivery_id, webhook_id, workspace_id, due_at,
               row_number() over (order by due_at, delivery_id) as number
        from delivery
        where webhook_id = shared.webhook_id and status = 'pending' and claimed_at is null
          and due_at <= ${round.now} and round_id is distinct from ${round.roundId}
        order by due_at, delivery_id
        limit least(greatest(share, 1), case when failing then ${LOADED_PER_FAILING}::bigint else ${LOADED_PER_WEBHOOK}::bigint end)) d
    )
    select "deliveryId", "webhookId", "workspaceId", "dueAt", failing, slice from (
      (select * from due where not failing and not slow order by turn, "dueAt", "deliveryId" limit ${LOADED})
      union all
      (select * from due where slow order by turn, "dueAt", "deliveryId" limit ${LOADED_OF_SLOW})
      union all
      (select * from due where failing order by turn, "dueAt", "deliveryId" limit ${LOADED_OF_FAILING})) loaded
    order by turn, "dueAt", "deliveryId"`
}

/**
 * How many deliveries of each workspace of these slices a round has started. Of those that were created longer ago than
 * the retry schedule lasts, which only a resend makes due again, it counts none: that keeps it a look at recent rows.
 */
export async function startedInRound(
  db: Db,
  round: { roundId: string; now: Instant; slices: number[] },
): Promise<[string, number][]> {
  const rows = await db<{ workspaceId: string; started: number }[]>`
    select workspace_id as "workspaceId", count(*)::integer as started from delivery
    where round_id = ${round.roundId} and created_at > ${plus(round.now, -2 * DAY)}
      and (uuid_hash(workspace_id) & 255) = any(${round.slices}::integer[])
    group by workspace_id`
  return rows.map((row) => [row.workspaceId, row.started])
}

/** A delivery that a round has claimed, and the attempt it is granted. */
export type ClaimedDelivery = DeliveryLabel & {
  grant: Grant
  /** A workflow was started for this cycle before, and waits unless it was lost. */
  waiting: boolean
}

/** Claims deliveries for a round, all in one statement. What is no longer due or free is left out. */
export async function claimDeliveries(
  db: Db,
  round: { roundId: string; now: Instant },
  ids: string[],
): Promise<ClaimedDelivery[]> {
  // Locked by their keys alone: an index on what is due would be read to its end for each claim.
  const rows = await db<(LabelRow & Grant & { waiting: boolean })[]>`
    with locked as materialized (
      select delivery_id, status, claimed_at, due_at from delivery where delivery_id = any(${ids}::uuid[])
      for no key update skip locked
    ), changed as (
      update delivery d
      set claimed_at = ${round.now}, round_id = ${round.roundId}, started_cycle = d.cycle
      where delivery_id = any(array(
        select delivery_id from locked
        where status = 'pending' and claimed_at is null and due_at <= ${round.now}))
      returning d.*, old.started_cycle = old.cycle as waiting
    )
    ${labelsOfChanged(db, db`, c.cycle, c.attempts + 1 as number, c.faults + 1 as run, c.waiting`)}`
  return rows.map(({ cycle, number, run, waiting, ...row }) => ({
    ...labelOf(row),
    grant: { cycle, number, run },
    waiting,
  }))
}

/** Gives back a claim whose workflow could not be reached: due again in the next round, nothing used up. */
export async function unclaim(db: Db, roundId: string, { deliveryId, grant }: ClaimedDelivery): Promise<void> {
  await db`
    update delivery set claimed_at = null
    where delivery_id = ${deliveryId} and status = 'pending' and round_id = ${roundId} and cycle = ${grant.cycle}
      and not exists (select from attempt a where a.delivery_id = ${deliveryId} and a.cycle = ${grant.cycle}
                        and a.number = ${grant.number} and a.run = ${grant.run})`
}

/** An attempt that is over. `fault` is the message of an internal error; without an attempt there is no `tookMs`. */
export type FinishedAttempt = {
  deliveryId: string
  outcome: RoundOutcome
  tookMs: number | null
  fault: string | null
}

/** Of these claimed deliveries, those whose attempt is over, and how it ended. */
export async function finishedAttempts(db: Db, ids: string[]): Promise<FinishedAttempt[]> {
  return db<FinishedAttempt[]>`
    select wanted.id as "deliveryId",
           case when d.status = 'succeeded' then 'succeeded'
                when d.attempts > 0 and d.faults = 0 and d.not_sent is null then 'failed'
                else 'unclear' end as outcome,
           (select a.duration_ms from attempt a where a.delivery_id = d.delivery_id
            order by a.cycle desc, a.number desc, a.run desc limit 1) as "tookMs",
           case when d.status = 'pending' and d.faults > 0 then d.error end as fault
    from unnest(${ids}::uuid[]) as wanted (id)
    left join delivery d on d.delivery_id = wanted.id
    where d.claimed_at is null`
}
