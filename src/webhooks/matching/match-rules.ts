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
/** Events times webhooks in one statement: keeps it within seconds, far from the statement timeout. */
const MAX_PAIRS_PER_MATCH = 100_000

/** How many events one statement matches, at least one, so that events times webhooks stay within bounds. */
export const eventsPerMatch = (webhooks: number, limit = MAX_EVENTS_PER_MATCH): number =>
  Math.max(1, Math.min(limit, Math.floor(MAX_PAIRS_PER_MATCH / Math.max(1, webhooks))))
