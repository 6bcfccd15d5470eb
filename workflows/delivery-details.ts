import { MAX_ATTEMPTS, waitInWords } from '../src/webhooks/attempts/retry-schedule-rules.ts'
import type { DeliveryStatus, Standing } from '../src/webhooks/workflow-schema.ts'

/** The value of `DeliveryStatus` an operator finds a delivery by. */
export function statusOf(standing: Standing): DeliveryStatus {
  if (standing.notSent) return 'not_sent'
  if (standing.status === 'pending' && standing.attempts > 0) return 'retrying'
  return standing.status
}

/** What the timer of a retry is called in the Temporal UI: `retry 3 in 2 h`. */
export const retrySummary = (standing: Standing, wait: number): string =>
  standing.attempts === 0 ? `attempt 1 in ${waitInWords(wait)}` : `retry ${standing.attempts} in ${waitInWords(wait)}`

const ENDS: Record<DeliveryStatus, string> = {
  pending: '**Waiting for the next round.**',
  retrying: '**Waiting for the next round.**',
  succeeded: '**Succeeded.**',
  failed: `**Failed**: all ${MAX_ATTEMPTS} attempts failed.`,
  not_sent: '**Not sent**: it was due while its webhook was paused.',
  gone: '**Gone**: its webhook was deleted.',
}

/** What an operator reads of a delivery in the Temporal UI: what it waits for, since when, what the last attempt got. */
export function detailsOf(standing: Standing, waiting: string): string {
  const { attempts, last } = standing
  const lines = [waiting || ENDS[statusOf(standing)]]
  if (standing.paused && standing.status === 'pending')
    lines.push('Its webhook is **paused**: if it still is when this is due, this is not sent.')
  if (last) lines.push(`Last attempt: number ${last.number} of ${MAX_ATTEMPTS}, at ${last.at}: ${last.text}`)
  if (standing.status === 'pending') lines.push(`${attempts} of ${MAX_ATTEMPTS} attempts used.`)
  return lines.join('\n\n')
}
