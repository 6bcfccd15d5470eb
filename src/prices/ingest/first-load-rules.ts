import { SECOND } from '../../lib/instant.ts'

/**
 * A publication of a first load takes about so long. Other publications wait for it. Readers do not: the publication
 * before it closed their instants, which are 15 minutes old.
 */
const AIMED_AT_MS = 4 * SECOND
/** Rows in the order of their hashes find the more of each other on a page of an index, the more there are. */
const MOST_AT_ONCE = 10
const MOST_GROWTH = 4

/** Returns how many batches the next publication has, when one of this many took so long. */
export function batchesAtOnce(batches: number, tookMs: number): number {
  const inTime = Math.floor((AIMED_AT_MS / Math.max(tookMs, 1)) * batches)
  return Math.max(1, Math.min(inTime, batches * MOST_GROWTH, MOST_AT_ONCE))
}
