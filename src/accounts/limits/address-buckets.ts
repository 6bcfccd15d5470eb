import { LRUCache } from 'lru-cache'
import { SECOND } from '../../lib/instant.ts'
import { RATE_LIMITS, type RateLimit, takeToken } from './rate-limit-rules.ts'

/** Addresses remembered at most. A forgotten address has a full bucket. */
const MAX_ADDRESSES = 50_000

/**
 * This node's copy of the address buckets. A failing request takes from it first and from the database only when it
 * fits, so that a flood of them costs nearly nothing.
 * @param clock milliseconds that never step back
 */
export function createAddressBuckets(
  clock: () => number = () => performance.now(),
  limit: RateLimit = RATE_LIMITS.address,
) {
  // It reserves its memory at once, which a server that no one annoys does not need.
  let fullAt: LRUCache<string, number> | undefined
  return {
    /** Takes a token of this address. Returns the seconds to wait; 0 means taken. */
    take(address: string): number {
      fullAt ??= new LRUCache({ max: MAX_ADDRESSES })
      const taken = takeToken(fullAt.get(address) ?? 0, clock(), limit)
      if (taken.waitMs === 0) fullAt.set(address, taken.fullAt)
      return taken.waitMs / SECOND
    },
  }
}
