import type { Attempt, Delivery } from '../../api/webhooks.ts'

type AttemptAnswer = Pick<Attempt, 'outcome' | 'status' | 'error'>

type DeliveryProgress = Pick<Delivery, 'status' | 'cycle' | 'notSent'> & {
  attempts: Pick<Attempt, 'cycle' | 'outcome'>[]
}

/** What came back for an attempt, in few words. */
export function answerOf({ outcome, status, error }: AttemptAnswer): string {
  if (outcome === 'started') return 'sending'
  return error ?? (status === undefined ? 'no response' : `HTTP ${status}`)
}

/** What a delivery is at: of what is still to be sent, whether an attempt is being made, or was made and failed. */
export function deliveryState({ status, cycle, notSent, attempts }: DeliveryProgress) {
  if (notSent) return 'notSent'
  const last = attempts.findLast((attempt) => attempt.cycle === cycle)
  if (status !== 'pending' || !last) return status
  return last.outcome === 'started' ? 'sending' : 'retrying'
}

/** How often a delivery was resent before a cycle: one that was never made, because the webhook was paused, has no number. */
export const resendsBefore = (attempts: Pick<Attempt, 'cycle'>[], cycle: number): number =>
  [...new Set(attempts.map((attempt) => attempt.cycle))].indexOf(cycle)

/** What usually helps after an attempt that did not succeed. */
export function advice({ status, outcome, error = '' }: AttemptAnswer): string {
  if (outcome === 'platform') return 'Our fault: this does not count toward the six attempts.'
  if (outcome === 'unknown')
    return 'It is sent again under the same event id: an endpoint that knows the id can skip it.'
  if (/\bTLS\b.*failed|certificate/i.test(error))
    return 'Serve a certificate that a public authority signed for the host in the URL, with its whole chain.'
  if (/within 5 s/.test(error)) return 'Respond first and do the work later: after 5 seconds an attempt fails.'
  if (/not a public address/.test(error)) return 'Publish public addresses only for the host in the URL.'
  if (/closed|reset/.test(error)) return 'Look at the log of the proxy or of the endpoint: it ended the connection.'
  if (status === undefined) return 'Check that the host and the port of the URL are reachable from the internet.'
  if (status === 401 || status === 403) return 'Your endpoint refused it. Check that it verifies with the right secret.'
  if (status === 404 || status === 405) return 'Check that the path of the URL is right and accepts POST requests.'
  if (status >= 300 && status < 400)
    return 'Redirects are not followed: enter the final address as the URL of the webhook.'
  if (status >= 500) return 'Your endpoint failed. Check its logs.'
  return 'Only a 2xx response within 5 seconds is a success.'
}
