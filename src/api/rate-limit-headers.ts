import type { FastifyReply } from 'fastify'
import { type BucketKind, type Quota, RATE_LIMITS } from '../accounts/rate-limit-rules.ts'

/** What clients call each bucket. */
const NAMES: Record<BucketKind, string> = {
  caller: 'key',
  workspace: 'workspace',
  history: 'history',
  address: 'failures',
}

/**
 * Says how large the buckets of a request are and what is left in them, so that clients can slow down before they are
 * refused (draft-ietf-httpapi-ratelimit-headers). `q` tokens fill up again in `w` seconds; `r` are left, and in `t`
 * seconds all are there again.
 */
export function rateLimitHeaders(reply: FastifyReply, quotas: Quota[]): void {
  const policies = quotas.map(({ kind }) => {
    const { rate, burst } = RATE_LIMITS[kind]
    return `"${NAMES[kind]}";q=${burst};w=${Math.ceil(burst / rate)}`
  })
  const limits = quotas.map(({ kind, remaining, fullIn }) => `"${NAMES[kind]}";r=${remaining};t=${Math.ceil(fullIn)}`)
  reply.header('ratelimit-policy', policies.join(', ')).header('ratelimit', limits.join(', '))
}
