import { RATE_LIMITS, takeToken } from './rate-limit-rules.ts'

/** Addresses remembered at most; the oldest are forgotten, and a forgotten address is one with a full bucket. */
const MAX_ADDRESSES = 50_000
const MAX_KNOWN_KEYS = 10_000
/**
 * This node's memory of who fails to authenticate, so that a flood is refused before it costs a statement: the address
 * bucket of the specification, first taken here, then (by the few that get through) in the database for all nodes.
 * A key that was right before skips the check, so that a flood from a shared address does not lock its neighbours out.
 */
export function createAddressGuard(clock: () => number = Date.now) {
  const fullAt = new Map<string, number>()
  const knownKeys = new Set<string>()
  const lookups = new Map<string, Promise<unknown>>()
  const remember = (address: string, at: number) => {
    fullAt.delete(address)
    fullAt.set(address, at)
    if (fullAt.size > MAX_ADDRESSES) fullAt.delete(fullAt.keys().next().value!)
  }
  return {
    knows: (key: string): boolean => knownKeys.has(key),
    /** Ends with the lookup of this key that another request is at; undefined when none is. */
    lookupUnderWay: (key: string): Promise<unknown> | undefined => lookups.get(key)?.catch(() => {}),
    /** Runs a lookup of a key that others with the same key wait for. */
    async lookup<T>(key: string, work: () => Promise<T>): Promise<T> {
      const running = work()
      lookups.set(key, running)
      try {
        return await running
      } finally {
        if (lookups.get(key) === running) lookups.delete(key)
      }
    },
    /** Takes a token for an attempt that may fail. Answers the seconds to wait; 0 means go on. */
    reserve(address: string): number {
      const taken = takeToken(fullAt.get(address) ?? 0, clock(), RATE_LIMITS.address)
      if (taken.waitMs === 0) remember(address, taken.fullAt)
      return taken.waitMs / 1_000
    },
    /** The attempt succeeded: gives its token back and remembers the key. */
    succeeded(address: string, key: string, reserved: boolean): void {
      const at = fullAt.get(address)
      if (reserved && at !== undefined) remember(address, at - 1_000 / RATE_LIMITS.address.rate)
      knownKeys.add(key)
      if (knownKeys.size > MAX_KNOWN_KEYS) knownKeys.delete(knownKeys.values().next().value!)
    },
    failed: (key: string) => void knownKeys.delete(key),
  }
}
export type AddressGuard = ReturnType<typeof createAddressGuard>
