import {
  condition,
  continueAsNew,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import type { Instant } from '../src/lib/instant.ts'
import { DELIVERY_STATUS } from '../src/webhooks/search-attributes-schema.ts'
import type { DeliveryInput, DeliveryResult, DeliveryStatus, Grant, Standing } from '../src/webhooks/workflow-schema.ts'
import { changedSignal, grantSignal } from './contract.ts'
import { detailsOf, retrySummary, statusOf } from './delivery-details.ts'

/** Local activities: measured, they and eager starts double the rate. An outcome is a value, so nothing is retried. */
const { attempt } = proxyLocalActivities<Activities>({ startToCloseTimeout: '30s', retry: { maximumAttempts: 1 } })
const { lookUp } = proxyLocalActivities<Activities>({ startToCloseTimeout: '10s', retry: { maximumInterval: '1m' } })

/** A due delivery reads its row again after this long without a round's grant: it may have been deleted meanwhile. */
const LOOK_AGAIN_AFTER_MS = 6 * 3_600_000

/**
 * One delivery, from its first attempt to its end. What it is stands in Postgres; here are its waits. Every attempt
 * waits for a delivery round to grant it, a retry for its time on the ladder before that. Ends with the delivery:
 * succeeded, failed, not sent because its webhook was paused, or gone with its webhook. A resend goes on in here.
 */
export async function delivery({ deliveryId, grant: first }: DeliveryInput): Promise<DeliveryResult> {
  let grant: Grant | undefined = first
  let changed = first ? undefined : 'started'
  let shown: DeliveryStatus = 'pending'
  let standing: Standing = { status: 'pending', attempts: first ? first.number - 1 : 0 }
  setHandler(grantSignal, (granted) => {
    grant = granted
  })
  setHandler(changedSignal, (what) => {
    changed = what
  })
  const told = () => grant !== undefined || changed !== undefined

  for (;;) {
    if (grant) {
      const granted = grant
      grant = undefined
      setCurrentDetails(detailsOf(standing, `**Attempt ${granted.number}** is being made.`))
      standing = await attempt({ deliveryId, ...granted, now: now() }).catch((error) => afterFault(standing, error))
    } else if (changed) {
      changed = undefined
      standing = await lookUp(deliveryId)
    }
    if (told()) continue
    show(standing)
    if (standing.status !== 'pending') return resultOf(standing)
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof delivery>({ deliveryId })

    const wait = standing.dueAt ? Date.parse(standing.dueAt) - Date.now() : 0
    if (wait > 0 && (await condition(told, wait, { summary: retrySummary(standing, wait) }))) continue
    setCurrentDetails(detailsOf(standing, `**Due since ${standing.dueAt ?? now()}**: waiting for the next round.`))
    if (!(await condition(told, LOOK_AGAIN_AFTER_MS, { summary: 'the next delivery round' }))) changed = 'a long wait'
  }

  function show(next: Standing) {
    const wait = next.dueAt ? Date.parse(next.dueAt) - Date.now() : 0
    setCurrentDetails(
      detailsOf(next, next.dueAt && wait > 0 ? `**${retrySummary(next, wait)}**, at ${next.dueAt}.` : ''),
    )
    const status = statusOf(next)
    if (status !== shown) upsertSearchAttributes([{ key: DELIVERY_STATUS, value: status }])
    shown = status
  }
}

const now = () => new Date().toISOString() as Instant

/** The attempt itself could not be made or recorded: our fault. Its row says so when Postgres is there again. */
const afterFault = (standing: Standing, error: Error): Standing => ({
  ...standing,
  dueAt: undefined,
  last: {
    number: standing.attempts + 1,
    at: now(),
    text: `a fault of ours: ${(error.cause as Error)?.message ?? error.message}`,
  },
})

const resultOf = (standing: Standing): DeliveryResult => ({
  status: statusOf(standing),
  attempts: standing.attempts,
  ...(standing.last && { last: standing.last.text }),
})
