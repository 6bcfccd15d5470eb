import { AppError } from '../../lib/errors.ts'
import { checkUrl } from '../../lib/safe-fetch/check-url.ts'
import type { SafeFetch } from '../../lib/safe-fetch/safe-fetch.ts'

/**
 * The check that a webhook's URL gets when it is saved; the same rules are applied again at every delivery.
 * @param resolve the lookup of the client that will deliver
 * @returns the URL in its normal form, which is what to store
 * @throws AppError `invalid_url` with what to change; `unavailable` when our own resolver does not answer
 */
export async function checkWebhookUrl(
  text: string,
  { allowPrivate, resolve }: { allowPrivate: boolean; resolve: SafeFetch['resolve'] },
): Promise<URL> {
  const invalid = (message: string) => new AppError('invalid_url', message, { field: 'url' })
  const checked = checkUrl(text, { schemes: ['https:'], allowPrivate })
  if (!checked.ok) throw invalid(checked.message)
  // In development the receiver may be started later than the webhook is made.
  if (allowPrivate) return checked.url
  const found = await resolve(checked.url.hostname)
  if (found.kind === 'addresses') return checked.url
  if (found.kind === 'platform')
    throw new AppError('unavailable', 'The host name cannot be looked up at the moment. Try again.', { retryAfter: 30 })
  if (found.reason === 'dns_not_found')
    throw invalid(
      `${checked.url.hostname} does not exist in public DNS. Check the spelling, or publish its address first.`,
    )
  if (found.reason === 'private_address')
    throw invalid(`${found.message}. Every address of the host must be reachable from the internet.`)
  throw invalid(`${checked.url.hostname} cannot be looked up: ${found.message}. Check its name servers.`)
}
