import { Context as Activity } from '@temporalio/activity'
import type { Context } from '../src/context.ts'
import type { Instant } from '../src/lib/instant.ts'
import type { SafeFetch } from '../src/lib/safe-fetch/safe-fetch.ts'
import { deliveryContext, inSpan, linkToHere, SpanKind } from '../src/lib/spans.ts'
import type { WorkRecorder } from '../src/monitoring/record-work.ts'
import { attemptDelivery } from '../src/webhooks/attempts/attempt-delivery.ts'
import { lookUpDelivery } from '../src/webhooks/attempts/look-up-delivery.ts'
import { announceAutoPause } from '../src/webhooks/manage/announce-auto-pause.ts'
import type { DeliveryWorkflows } from '../src/webhooks/rounds/delivery-workflows.ts'
import { type Repairs, reconcileDeliveries } from '../src/webhooks/rounds/reconcile-deliveries.ts'
import { clockFrom, type RoundReport, runRound } from '../src/webhooks/rounds/run-round.ts'
import { type AttemptKey, type DeliveryState, deliveryWorkflowId } from '../src/webhooks/workflow-schema.ts'

/** How often a round says that it is alive; a round is given up when it has not for five times as long. */
const HEARTBEAT_MS = 2_000

export type DeliveryTools = { post: SafeFetch['post']; workflows: DeliveryWorkflows; record: WorkRecorder }

/** A POST as a span: to which host, and what came of it. The path of an address may be a secret. */
const traced =
  (post: SafeFetch['post']): SafeFetch['post'] =>
  (url, options) =>
    inSpan('POST', { kind: SpanKind.CLIENT, attributes: { 'server.address': new URL(url).hostname } }, async (span) => {
      const outcome = await post(url, options)
      if ('status' in outcome && outcome.status) span.setAttribute('http.response.status_code', outcome.status)
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
  { post, workflows, record }: DeliveryTools,
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
  if (pausedWebhook) record.autoPause(pausedWebhook)
  if (pausedWebhook) await announceAutoPause({ sql, workflows }, pausedWebhook)
  return state
}

/** What the delivery workflows, and the round of a check, do to the world. */
export function deliveryActivities(ctx: Context, { post, workflows, record }: DeliveryTools) {
  const { sql, config, log } = ctx

  return {
    /** Makes one attempt of a delivery. Returns the delivery's state after it. `now` is the workflow's. */
    attempt: (key: AttemptKey & { now: Instant }): Promise<DeliveryState> =>
      makeAttempt(ctx, { post, workflows, record }, key),

    /** Returns the state of a delivery. */
    lookUp: (deliveryId: string): Promise<DeliveryState> => lookUpDelivery(sql, deliveryId),

    /**
     * Runs one delivery round from `now` until nothing is due or `stopAt` has come.
     * @throws Error when this worker stops before that: the next try goes on in another one
     */
    async deliverDue(input: { roundId: string; now: Instant; stopAt: Instant }): Promise<RoundReport> {
      const activity = Activity.current()
      const { attempt, scheduledTimestampMs, currentAttemptScheduledTimestampMs } = activity.info
      const late = Math.max(0, currentAttemptScheduledTimestampMs - scheduledTimestampMs)
      const now = clockFrom(input.now, late)
      let beatAt = Number.NEGATIVE_INFINITY
      let leftOver = false
      const report = await inSpan('round', { attributes: { 'pricetape.round_id': input.roundId } }, () =>
        runRound({
          ...input,
          sql,
          log,
          workflows: { grant: tracedGrant(workflows) },
          limits: { all: config.maxInFlight, perWebhook: config.maxInFlightPerEndpoint },
          now,
          resumed: attempt > 1,
          cutShort: () => {
            leftOver = true
          },
          signal: activity.cancellationSignal,
          heartbeat(report) {
            if (performance.now() - beatAt < HEARTBEAT_MS) return
            beatAt = performance.now()
            activity.heartbeat(report)
          },
        }),
      )
      record.round(input.roundId, report, leftOver)
      const stops = activity.cancellationSignal.aborted && !activity.cancellationDetails?.cancelRequested
      if (stops && now() < input.stopAt)
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
