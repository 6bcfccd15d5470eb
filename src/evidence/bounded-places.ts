import { LRUCache } from 'lru-cache'
import { AppError } from '../lib/errors.ts'
import { type FindPlace, findPlace, type Tools } from './find-place.ts'

/** Snapshots that are looked through or wait for it, so that readers cannot fill the memory. */
const MAX_UNDER_WAY = 4
const RETRY_SECONDS = 2
/** Places kept: a snapshot never changes. */
const MAX_KEPT = 500

/** Returns a function that finds places, for any number of readers: those who ask for one place share one look at it. */
export function boundedPlaces(tools: Tools): FindPlace {
  const kept = new LRUCache<string, Awaited<ReturnType<FindPlace>>>({ max: MAX_KEPT })
  const underWay = new Map<string, ReturnType<FindPlace>>()
  return async (wanted, facts) => {
    const key = JSON.stringify([wanted, facts?.size])
    const known = kept.get(key) ?? underWay.get(key)
    if (known) return known
    if (underWay.size >= MAX_UNDER_WAY)
      throw new AppError('unavailable', 'Other snapshots are looked through now: ask again in a moment.', {
        retryAfter: RETRY_SECONDS,
      })
    const finding = findPlace(tools, wanted, facts).finally(() => underWay.delete(key))
    underWay.set(key, finding)
    const found = await finding
    kept.set(key, found)
    return found
  }
}
