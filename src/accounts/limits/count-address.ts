import type { Sql } from '../../lib/sql.ts'
import { createAddressBuckets } from './address-buckets.ts'
import { emptyQuota } from './rate-limit-rules.ts'
import { type DrawResult, drawTokens } from './rate-limit-store.ts'

/** Takes a token of a client address: for requests that fail authentication, and for signing in. */
export type CountAddress = (address: string) => Promise<DrawResult>

/**
 * @param clock milliseconds that never step back
 * @returns a function that asks the database only when this node's own copy of the bucket has a token
 */
export function createAddressCounter(sql: Sql, clock?: () => number): CountAddress {
  const addresses = createAddressBuckets(clock)
  return async (address) => {
    const waitSeconds = addresses.take(address)
    if (waitSeconds > 0) return { waitSeconds, quotas: [emptyQuota('address')] }
    return drawTokens(sql, [{ kind: 'address', owner: address }])
  }
}
