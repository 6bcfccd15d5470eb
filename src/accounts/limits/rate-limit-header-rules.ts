import type { Quota } from './rate-limit-rules.ts'

/** What clients call each bucket. A caller is a key or a signed-in user. */
const NAMES: Record<Exclude<Quota['kind'], 'caller'>, string> = {
  workspace: 'workspace',
  history: 'history',
  log: 'log',
  address: 'failures',
  quota: 'quota',
}

/**
 * Returns headers that say how large the buckets of a request are and what is left in them, so that clients can slow
 * down before they are refused (draft-ietf-httpapi-ratelimit-headers). `q` tokens fill up again in `w` seconds; `r` are
 * left, and in `t` seconds all are there again.
 */
export function rateLimitHeaders(quotas: Quota[], caller: 'key' | 'user'): Record<string, string> {
  const nameOf = (kind: Quota['kind']) => (kind === 'caller' ? caller : NAMES[kind])
  const policies = quotas.map(
    ({ kind, limit: { rate, burst } }) => `"${nameOf(kind)}";q=${burst};w=${Math.ceil(burst / rate)}`,
  )
  const limits = quotas.map(({ kind, remaining, fullIn }) => `"${nameOf(kind)}";r=${remaining};t=${Math.ceil(fullIn)}`)
  return { 'ratelimit-policy': policies.join(', '), ratelimit: limits.join(', ') }
}
