import { EVENT_TYPES, type EventType } from '../../events/schema.ts'

/** Events about membership of a group; everything else about a resource is a price event. */
export const ALIAS_EVENTS: EventType[] = ['alias.member_added', 'alias.member_removed']
/** Narrowed by documents, or by nothing: these reach `*` webhooks from a credit-priced provider too. */
export const PROVIDER_EVENTS: EventType[] = ['tos.changed', 'provider.added']
/** Sent because of a group, these carry `alias` (subscription rule 7). */
export const PRICE_EVENTS = EVENT_TYPES.filter(
  (type) => !ALIAS_EVENTS.includes(type) && !PROVIDER_EVENTS.includes(type),
)

/** Events matched by one statement, where there are few webhooks. */
const MAX_EVENTS_PER_MATCH = 1_000
/** Events times webhooks in one transaction. Where all of them want it, 10,000 take about 0.2 s on a machine at rest. */
export const PAIRS_PER_MATCH = { least: 5_000, first: 25_000, most: 100_000 }
/** A transaction that takes less gets more to do, and one that takes longer gets less. */
const QUICK_MS = 500
const SLOW_MS = 1_000

/** Returns how many pairs the next transaction takes, after one of this many took this long. */
export function pairsAfter(pairs: number, tookMs: number): number {
  if (tookMs > SLOW_MS) return Math.max(PAIRS_PER_MATCH.least, Math.floor(pairs / 2))
  return tookMs < QUICK_MS ? Math.min(PAIRS_PER_MATCH.most, pairs * 2) : pairs
}

/** How many events one statement matches, at least one, so that events times webhooks stay within bounds. */
export const eventsPerMatch = (webhooks: number, pairs: number, limit = MAX_EVENTS_PER_MATCH): number =>
  Math.max(1, Math.min(limit, Math.floor(pairs / Math.max(1, webhooks))))
