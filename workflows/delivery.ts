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
import type {
  DeliveryInput,
  DeliveryResult,
  DeliveryState,
  DeliveryStatus,
  Grant,
} from '../src/webhooks/workflow-schema.ts'
import { changedSignal, grantSignal } from './contract.ts'
import { detailsOf, retrySummary, statusOf } from './delivery-details.ts'

/** Local activities: measured, they and eager starts double the rate. An outcome is a value, so nothing is retried. */
const { attempt } = proxyLocalActivities<Activities>({ startToCloseTimeout: '30s', retry: { maximumAttempts: 1 } })
const { lookUp } = proxyLocalActivities<Activities>({ startToCloseTimeout: '10s', retry: { maximumInterval: '1m' } })

/** A due delivery reads its row again after this long without a round's grant: it may have been deleted meanwhile. */
const LOOK_AGAIN_AFTER_MS = 6 * 3_600_000

/**
 * One delivery, from its first attempt to its end. Its state is in Postgres; its waits are here. Every attempt waits
 * for a delivery round to grant it, and a retry first waits for its time on the retry schedule. It ends as succeeded,
 * failed, not sent because its webhook was paused, or gone with its webhook. A resend of a pending delivery goes on here.
 */
export async function delivery({ deliveryId, grant: first, statusless }: DeliveryInput): Promise<DeliveryResult> {
  let grant: Grant | undefined = first
  let changed = first ? undefined : 'started'
  let published: DeliveryStatus | undefined = statusless ? undefined : 'pending'
  let state: DeliveryState = { status: 'pending', attempts: first ? first.number - 1 : 0 }
  setHandler(grantSignal, (granted) => {
    grant = granted
  })
  setHandler(changedSignal, (what) => {
    changed = what
  })
  const notified = () => grant !== undefined || changed !== undefined

  for (;;) {
    if (grant) {
      const granted = grant
      grant = undefined
      setCurrentDetails(detailsOf(state, `**Attempt ${granted.number}** is being made.`))
      state = await attempt({ deliveryId, ...granted, now: now() }).catch((error) => afterFault(state, error))
    } else if (changed) {
      changed = undefined
      state = await lookUp(deliveryId)
    }
    if (notified()) continue
    publishStatus(statusOf(state))
    if (state.status !== 'pending') {
      setCurrentDetails(detailsOf(state, ''))
      return resultOf(state)
    }
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof delivery>({ deliveryId })

    const wait = state.dueAt ? Date.parse(state.dueAt) - Date.now() : 0
    if (wait > 0) {
      const summary = retrySummary(state, wait)
      setCurrentDetails(detailsOf(state, `**${summary}**, at ${state.dueAt}.`))
      if (await condition(notified, wait, { summary })) continue
    }
    setCurrentDetails(detailsOf(state, `**Due since ${state.dueAt ?? now()}**: waiting for the next round.`))
    if (!(await condition(notified, LOOK_AGAIN_AFTER_MS, { summary: 'the next delivery round' })))
      changed = 'a long wait'
  }

  function publishStatus(status: DeliveryStatus) {
    if (published === undefined && (status === 'pending' || status === 'succeeded')) return
    if (status !== published) upsertSearchAttributes([{ key: DELIVERY_STATUS, value: status }])
    published = status
  }
}

const now = () => new Date().toISOString() as Instant

/** The attempt itself could not be made or recorded: our fault. Its row says so when Postgres is back. */
const afterFault = (state: DeliveryState, error: Error): DeliveryState => ({
  ...state,
  dueAt: undefined,
  last: {
    number: state.attempts + 1,
    at: now(),
    text: `internal error: ${(error.cause as Error)?.message ?? error.message}`,
  },
})

const resultOf = (state: DeliveryState): DeliveryResult => ({
  status: statusOf(state),
  attempts: state.attempts,
  ...(state.last && { last: state.last.text }),
})
