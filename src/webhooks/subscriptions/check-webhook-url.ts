import { AppError } from '../../lib/errors.ts'
import { checkUrl } from '../../lib/safe-fetch/check-url.ts'
import type { SafeFetch } from '../../lib/safe-fetch/safe-fetch.ts'

/**
 * The check that a webhook's URL gets when it is saved; the same rules are applied again at every delivery.
 * @param resolve the lookup of the client that will deliver
 * @returns the URL in its normal form, which is what to store
 * @throws AppError `invalid_url` with everything to change; `unavailable` when our own resolver does not answer
 */
export async function checkWebhookUrl(
  text: string,
  { allowPrivate, resolve }: { allowPrivate: boolean; resolve: SafeFetch['resolve'] },
): Promise<URL> {
  const checked = checkUrl(text, { schemes: ['https:'], allowPrivate })
  const host = checked.ok ? checked.url.hostname : checked.host
  // In development the receiver may be started later than the webhook is made.
  const found = host !== undefined && !allowPrivate ? await resolve(host) : undefined
  const problems = [...(checked.ok ? [] : [checked.message]), ...hostProblems(host ?? '', found)]
  if (!checked.ok || problems.length > 0) throw new AppError('invalid_url', problems.join(' '), { field: 'url' })
  if (found?.kind === 'platform')
    throw new AppError('unavailable', 'The host name cannot be looked up at the moment. Try again.', { retryAfter: 30 })
  return checked.url
}

type ResolveResult = Awaited<ReturnType<SafeFetch['resolve']>>

/** What the lookup of a host found wrong with it. */
function hostProblems(host: string, found: ResolveResult | undefined): string[] {
  if (found === undefined || found.kind === 'addresses' || found.kind === 'platform') return []
  if (found.reason === 'dns_not_found')
    return [`${host} does not exist in public DNS. Check the spelling, or publish its address first.`]
  if (found.reason === 'private_address')
    return [`${found.message}. Every address of the host must be reachable from the internet.`]
  return [`${host} cannot be looked up: ${found.message}. Check its name servers.`]
}
