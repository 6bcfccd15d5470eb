import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import type { WebhookEvent } from './events.ts'

export * from './events.ts'
export { WebhookVerificationError }

type ReceivedHeaders = Headers | Record<string, string | string[] | undefined>
const SIGNED = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

/**
 * Returns the event in a request that was signed with one of these secrets within the last five minutes.
 * @param body the bytes as they came, before anything parsed them
 * @param secrets the webhook's secret; while it is being rotated, the old and the new one
 * @throws WebhookVerificationError: answer 400
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: ReceivedHeaders,
  secrets: string | readonly string[],
): WebhookEvent {
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8')
  const signed = Object.fromEntries(SIGNED.map((name) => [name, headerOf(headers, name)]))
  const all = typeof secrets === 'string' ? [secrets] : secrets
  if (all.length === 0) throw new TypeError('No secret was given to verify webhooks with.')
  let failure: unknown
  for (const secret of all) {
    try {
      return new Webhook(secret).verify(text, signed) as WebhookEvent
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

function headerOf(headers: ReceivedHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? ''
  const found = Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1]
  return (Array.isArray(found) ? found[0] : found) ?? ''
}
