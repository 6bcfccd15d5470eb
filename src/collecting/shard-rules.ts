import { createHash } from 'node:crypto'
import type { Instant } from '../lib/instant.ts'
import type { SourceShard } from './schema.ts'

/** One worker reads about this many within a check. */
const SOURCES_PER_SHARD = 100
const MAX_SHARDS = 32

/** Returns into how many shards what is due is divided; 1 where one worker takes it. */
export const shardsFor = (due: number): number => Math.min(MAX_SHARDS, Math.ceil(due / SOURCES_PER_SHARD))

/**
 * Returns whether a source belongs to a shard of a check. Each check divides them again: where there are too few workers, other
 * sources wait each time.
 */
export function isInShard(source: string, now: Instant, { index, of }: SourceShard): boolean {
  const drawn = createHash('sha256').update(`${now} ${source}`).digest().readUInt32BE()
  return drawn % of === index
}
