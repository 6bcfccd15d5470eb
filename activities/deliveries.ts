import { Context as Activity } from '@temporalio/activity'
import type { Context } from '../src/context.ts'
import type { Instant } from '../src/lib/instant.ts'
import type { SafeFetch } from '../src/lib/safe-fetch/safe-fetch.ts'
import { deliveryContext, inSpan, linkToHere, SpanKind } from '../src/lib/spans.ts'
import type { WorkRecorder } from '../src/monitoring/record-work.ts'
import { attemptDelivery, endOf } from '../src/webhooks/attempts/attempt-delivery.ts'
import { lookUpDelivery } from '../src/webhooks/attempts/look-up-delivery.ts'
import { announceAutoPause } from '../src/webhooks/manage/announce-auto-pause.ts'
import type { DeliveryWorkflows } from '../src/webhooks/rounds/delivery-workflows.ts'
import { type DueShards, findDueShards } from '../src/webhooks/rounds/find-due-shards.ts'
import { type Repairs, reconcileDeliveries } from '../src/webhooks/rounds/reconcile-deliveries.ts'
import type { RoundReport } from '../src/webhooks/rounds/round-schema.ts'
import { clockFrom, createRounds, type Rounds } from '../src/webhooks/rounds/run-round.ts'
import { ALL, type Shard } from '../src/webhooks/rounds/shard-rules.ts'
import { type AttemptKey, type DeliveryState, deliveryWorkflowId } from '../src/webhooks/workflow-schema.ts'

/** How often a round says that it is alive; a shard is given up when the server has not heard of it for 20 seconds. */
const HEARTBEAT_MS = 2_000

export type DeliveryTools = { post: SafeFetch['post']; workflows: DeliveryWorkflows; record: WorkRecorder }

type ShardInput = {
  roundId: string
  now: Instant
  stopAt: Instant
  /** Without one the whole round: a check of 1.0.0 asks for that. */
  shard?: Shard
  /** The shard has been over before in this round. */
  again?: boolean
}

/** A POST as a span: to which host, and what came of it. The path of an address may be a secret. */
const traced =
  (post: SafeFetch['post']): SafeFetch['post'] =>
  (url, options) =>
    inSpan('POST', { kind: SpanKind.CLIENT, attributes: { 'server.address': new URL(url).hostname } }, async (span) => {
      const outcome = await post(url, options)
      const status = 'status' in outcome ? outcome.status : undefined
      if (status) span.setAttribute('http.response.status_code', status)
      if (outcome.kind !== 'answer') span.setAttribute('error.type', outcome.kind)
      return outcome
    })

/** Starting or signalling a workflow belongs to the trace of its delivery, with a link to the round. */
const tracedGrant =
  (workflows: DeliveryWorkflows): DeliveryWorkflows['grant'] =>
  (claimed) => {
    const { deliveryId, webhookId, eventType, grant } = claimed
    const attributes = {
      'pricetape.delivery_id': deliveryId,
      'pricetape.webhook_id': webhookId,
      'pricetape.event_type': eventType,
      'pricetape.attempt': grant.number,
      'temporal.workflow_id': deliveryWorkflowId(claimed),
    }
    const name = claimed.waiting ? 'signal workflow delivery' : 'start workflow delivery'
    const options = { kind: SpanKind.CLIENT, attributes, links: linkToHere(), within: deliveryContext(deliveryId) }
    return inSpan(name, options, () => workflows.grant(claimed))
  }

async function makeAttempt(
  { sql, secretKey }: Context,
  { post, workflows, record, rounds }: DeliveryTools & { rounds: Rounds },
  key: AttemptKey & { now: Instant },
): Promise<DeliveryState> {
  const { deliveryId, cycle, number } = key
  const attributes = { 'pricetape.delivery_id': deliveryId, 'pricetape.attempt': number }
  const options = { attributes, within: deliveryContext(deliveryId) }
  const { state, pausedWebhook, made } = await inSpan('attempt', options, (span) =>
    attemptDelivery({ sql, post: traced(post), secretKey }, key, key.now).then((result) => {
      if (result.made) span.setAttribute('pricetape.result', result.made.result)
      return result
    }),
  )
  if (made) record.attempt({ deliveryId, cycle, number, ...made })
  const ended = endOf({ made, state })
  if (ended) rounds.attemptEnded({ ...key, ...ended })
  if (pausedWebhook) record.autoPause(pausedWebhook)
  if (pausedWebhook) await announceAutoPause({ sql, workflows }, pausedWebhook)
  return state
}

/** What the delivery workflows, and the round of a check, do to the world. */
export function deliveryActivities(ctx: Context, { post, workflows, record }: DeliveryTools) {
  const { sql, config, log } = ctx
  const limits = { all: config.maxInFlight, perWebhook: config.maxInFlightPerEndpoint }
  const rounds = createRounds({ sql, log, limits, workflows: { grant: tracedGrant(workflows) } })

  return {
    /** Makes one attempt of a delivery. Returns the delivery's state after it. `now` is the workflow's. */
    attempt: (key: AttemptKey & { now: Instant }): Promise<DeliveryState> =>
      makeAttempt(ctx, { post, workflows, record, rounds }, key),

    /** Returns the state of a delivery. */
    lookUp: (deliveryId: string): Promise<DeliveryState> => lookUpDelivery(sql, deliveryId),

    /** Returns which shards of a round have something due. `of` is how many there are, once the round has begun. */
    async dueShards({ now, of }: { now: Instant; of?: number }): Promise<DueShards> {
      const activity = Activity.current()
      const beating = setInterval(() => activity.heartbeat(), HEARTBEAT_MS)
      try {
        return await findDueShards(sql, now, of ?? config.roundShards)
      } finally {
        clearInterval(beating)
      }
    },

    /**
     * Runs one shard of a delivery round from `now` until nothing is due or `stopAt` has come.
     * @throws Error when this worker stops before that: the next try goes on in another one
     */
    async deliverDue(input: ShardInput): Promise<RoundReport> {
      const activity = Activity.current()
      const { attempt, scheduledTimestampMs, currentAttemptScheduledTimestampMs } = activity.info
      const late = Math.max(0, currentAttemptScheduledTimestampMs - scheduledTimestampMs)
      const now = clockFrom(input.now, late)
      const { roundId, stopAt, shard = ALL, again = false } = input
      let beatAt = Number.NEGATIVE_INFINITY
      const attributes = { 'pricetape.round_id': roundId, 'pricetape.shard': shard.shard }
      const report = await inSpan('round', { attributes }, () =>
        rounds.run({
          roundId,
          stopAt,
          shard,
          now,
          resumed: again || attempt > 1,
          signal: activity.cancellationSignal,
          heartbeat(report) {
            if (performance.now() - beatAt < HEARTBEAT_MS) return
            beatAt = performance.now()
            activity.heartbeat(report)
          },
        }),
      )
      record.shard(roundId, shard, report)
      const stops = activity.cancellationSignal.aborted && !activity.cancellationDetails?.cancelRequested
      if (stops && now() < stopAt)
        throw new Error('The worker stops before the round is over: another one goes on with it.')
      return report
    },

    /** Repairs what crashes and lost messages left behind, and gives waiting deliveries their workflows back. */
    async reconcile(input: { now: Instant }): Promise<Repairs> {
      const activity = Activity.current()
      const { connection, options } = ctx.temporal
      const described = await connection.workflowService.describeNamespace({ namespace: options.namespace })
      const repairs = await reconcileDeliveries({
        sql,
        workflows,
        now: input.now,
        namespaceId: described.namespaceInfo?.id ?? '',
        heartbeat: () => activity.heartbeat(),
      })
      record.unknownAttempts(repairs.unknown)
      return repairs
    },
  }
}
