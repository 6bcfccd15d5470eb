import { z } from 'zod'
import { MINUTE, SECOND } from '../../lib/instant.ts'
import { MAX_API_KEYS } from '../keys/api-key-rules.ts'
import { RATE_LIMITS, type RateLimit } from '../limits/rate-limit-rules.ts'

/** Specification, Limits. */
export const MAX_WEBHOOKS_PER_WORKSPACE = 20

/** What a quota can be at most: the limits of the specification, which has none for members. */
export const LARGEST_QUOTA = {
  webhooks: MAX_WEBHOOKS_PER_WORKSPACE,
  apiKeys: MAX_API_KEYS,
  members: 10_000,
  requestsPerMinute: (RATE_LIMITS.workspace.rate * MINUTE) / SECOND,
} as const

const upTo = (least: number, most: number) =>
  z
    .int(`must be a whole number from ${least} to ${most}`)
    .min(least, `must be at least ${least}`)
    .max(most, `must be at most ${most}`)
    .nullable()

/** What operators allow a workspace at most. Null: what the specification allows. */
export const workspaceQuota = z.strictObject({
  webhooks: upTo(0, LARGEST_QUOTA.webhooks),
  apiKeys: upTo(0, LARGEST_QUOTA.apiKeys),
  members: upTo(1, LARGEST_QUOTA.members),
  requestsPerMinute: upTo(1, LARGEST_QUOTA.requestsPerMinute),
})
export type WorkspaceQuota = z.infer<typeof workspaceQuota>

/** Returns the bucket of a workspace with this many requests a minute. Its burst is never larger than the specification's. */
export const quotaBucket = (requestsPerMinute: number): RateLimit => ({
  rate: (requestsPerMinute * SECOND) / MINUTE,
  burst: Math.min(requestsPerMinute, RATE_LIMITS.workspace.burst),
})

/** Returns what to do where a workspace is full. */
export const whereFull = (most: number, largest: number): string =>
  most < largest ? 'delete one, or ask an operator of this installation for more.' : 'delete one first.'
