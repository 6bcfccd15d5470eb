import { formatWait, MAX_ATTEMPTS } from '../src/webhooks/attempts/retry-schedule-rules.ts'
import type { DeliveryState, DeliveryStatus } from '../src/webhooks/workflow-schema.ts'

/** The value of `DeliveryStatus` an operator finds a delivery by. */
export function statusOf(state: DeliveryState): DeliveryStatus {
  if (state.notSent) return 'not_sent'
  if (state.status === 'pending' && state.attempts > 0) return 'retrying'
  return state.status
}

/** What the timer of a retry is called in the Temporal UI: `retry 3 in 2 h`. */
export const retrySummary = (state: DeliveryState, wait: number): string =>
  state.attempts === 0 ? `attempt 1 in ${formatWait(wait)}` : `retry ${state.attempts} in ${formatWait(wait)}`

const ENDS: Record<DeliveryStatus, string> = {
  pending: '**Waiting for the next round.**',
  retrying: '**Waiting for the next round.**',
  succeeded: '**Succeeded.**',
  failed: `**Failed**: all ${MAX_ATTEMPTS} attempts failed.`,
  not_sent: '**Not sent**: it was due while its webhook was paused.',
  gone: '**Gone**: its webhook was deleted.',
}

/** What an operator reads of a delivery in the Temporal UI: what it waits for, until when, what the last attempt got. */
export function detailsOf(state: DeliveryState, waiting: string): string {
  const { attempts, last } = state
  const lines = [waiting || ENDS[statusOf(state)]]
  if (state.paused && state.status === 'pending')
    lines.push('Its webhook is **paused**: if it still is when this is due, this is not sent.')
  if (last) lines.push(`Last attempt: number ${last.number} of ${MAX_ATTEMPTS}, at ${last.at}: ${last.text}`)
  if (state.status === 'pending') lines.push(`${attempts} of ${MAX_ATTEMPTS} attempts used.`)
  return lines.join('\n\n')
}
