import { LRUCache } from 'lru-cache'

/**
 * Remembers this many values, those used last. It takes memory as it is needed: given `max`, the cache takes all of it when
 * it is made, which was a quarter of the time that building a server takes.
 */
export const lastUsed = <V extends object | true>(count: number, ttl?: number): LRUCache<string, V> =>
  new LRUCache<string, V>({ maxSize: count, sizeCalculation: () => 1, ...(ttl !== undefined && { ttl }) })
