import { LRUCache } from 'lru-cache'
import { AppError } from '../../lib/errors.ts'
import { MINUTE, SECOND } from '../../lib/instant.ts'
import type { Isolation } from '../../lib/isolation/isolation.ts'
import { compareVersions, type VersionDifference } from './compare-versions.ts'
import type { DocumentTools } from './read-document.ts'

/** What one comparison for a page may take, its wait for a process included. */
const CPU_MS = 10 * SECOND
const TIMEOUT_MS = 20 * SECOND
/** Comparisons that are made or wait; more visitors than this are asked to come again. */
const MAX_UNDER_WAY = 16
const RETRY_SECONDS = 30
/** What took too much work is not tried again for so long; what a busy machine did not finish, only for RETRY_SECONDS. */
const FAILED_MS = 10 * MINUTE
const MAX_FAILED = 1_000
/** Comparisons kept, by the characters of their paragraphs. A version never changes. */
const MAX_KEPT_CHARACTERS = 20_000_000

/**
 * Returns a function that compares two versions in bounded time, however many visitors there are. Visitors of the same
 * page share one comparison, and the last ones are kept.
 */
export function createComparer({ sql, isolation }: DocumentTools) {
  const kept = new LRUCache<string, VersionDifference>({
    maxSize: MAX_KEPT_CHARACTERS,
    sizeCalculation: ({ rows }) => rows.reduce((sum, { left = '', right = '' }) => sum + left.length + right.length, 1),
  })
  const failed = new LRUCache<string, true>({ max: MAX_FAILED, ttl: FAILED_MS })
  const underWay = new Map<string, Promise<VersionDifference>>()

  async function compare(from: string, to: string, key: string): Promise<VersionDifference> {
    const limit = AbortSignal.timeout(TIMEOUT_MS)
    try {
      const compared = await compareVersions({ sql, isolation: boundedBy(isolation, limit) }, from, to)
      kept.set(key, compared)
      return compared
    } catch (error) {
      const tooLarge = error instanceof AppError && error.code === 'invalid_query'
      if (!tooLarge && !limit.aborted) throw error
      failed.set(key, true, { ttl: limit.aborted ? RETRY_SECONDS * SECOND : FAILED_MS })
      throw busy(error)
    } finally {
      underWay.delete(key)
    }
  }

  return async (from: string, to: string): Promise<VersionDifference> => {
    const key = `${from} ${to}`
    const known = kept.get(key) ?? underWay.get(key)
    if (known) return await known
    if (underWay.size >= MAX_UNDER_WAY || failed.has(key)) throw busy()
    const comparing = compare(from, to, key)
    underWay.set(key, comparing)
    return await comparing
  }
}

const boundedBy = (isolation: Isolation, signal: AbortSignal): Isolation => ({
  ...isolation,
  run: (task, input, options) =>
    isolation.run(task, input, { ...options, cpuMs: CPU_MS, timeoutMs: TIMEOUT_MS, signal }),
})

function busy(cause?: unknown): AppError {
  const message = 'These versions could not be compared in time. Load this page again in a while.'
  return new AppError('unavailable', message, { retryAfter: RETRY_SECONDS, cause })
}
