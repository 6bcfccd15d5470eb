import { feedItemOf } from '../../events/feed-rules.ts'
import type { FeedEvent, FeedItem } from '../../events/feed-schema.ts'
import { joinKey } from '../../lib/collections.ts'
import { compareDecimals } from '../../lib/decimal.ts'
import type { Instant } from '../../lib/instant.ts'

/** Where a change stands among the others: the newest first, those of one instant by name. */
export type ChangePlace = { at: Instant; provider: string; resource: string; hash: string }

export type ChangeFilter = {
  before: Instant
  /** The last one of the page before. */
  after?: ChangePlace
  providers?: string[]
  types?: string[]
  direction?: 'up' | 'down'
}

/** Of a price row, what a change is said with. */
type PriceState = {
  price: string
  dimension: string
  unit: string
  currency: string
  pricingTier: Record<string, string>
}

/** A price that began or ended, as the history has it. */
export type RecordedChange = ChangePlace & {
  /** The price before; null where nothing of the same was priced until then. */
  previous: PriceState | null
  /** The price from then on; null where it ended. */
  current: PriceState | null
  /** Nothing of the resource was priced before, or nothing is priced from then on. */
  isWhole: boolean
  /** Another change tells it. */
  isReported: boolean
}

const isBefore = (a: ChangePlace, b: ChangePlace): boolean => {
  if (a.at !== b.at) return a.at > b.at
  if (a.provider !== b.provider) return a.provider < b.provider
  return a.resource === b.resource ? a.hash < b.hash : a.resource < b.resource
}

/**
 * Puts what began and what ended in one order, as far as both are known: a list that has as many as were asked for may go
 * on. `next` is where it goes on.
 */
export function inOneOrder(
  lists: RecordedChange[][],
  limit: number,
): { changes: RecordedChange[]; next?: ChangePlace } {
  const [next] = lists
    .filter((list) => list.length === limit)
    .map((list) => list.at(-1)!)
    .sort((a, b) => (isBefore(a, b) ? -1 : 1))
  const changes = lists
    .flat()
    .filter((change) => next === undefined || !isBefore(next, change))
    .sort((a, b) => (isBefore(a, b) ? -1 : 1))
  return { changes, ...(next && { next }) }
}

/** The events of one publication at a provider tell its changes together. */
export const momentOf = ({ provider, at }: Pick<ChangePlace, 'provider' | 'at'>): string => joinKey(provider, at)

type TypeAndDirection = Pick<ChangeFilter, 'types' | 'direction'>

/**
 * Returns changes as the feed shows them. Those that change no price are left out.
 * @param reported moments whose changes are events: they are left out too
 */
export function feedItemsOf(
  changes: RecordedChange[],
  reported: Set<string>,
  { types, direction }: TypeAndDirection,
): FeedItem[] {
  const items = new Map<string, FeedEvent>()
  for (const change of changes) {
    const { at, provider, resource, hash, previous, current, isWhole, isReported } = change
    if (isReported || reported.has(momentOf(change)) || (previous && current && isSame(previous, current))) continue
    const type = isWhole ? (current ? 'resource.added' : 'resource.removed') : 'price.changed'
    const id = joinKey(type, at, provider, resource, isWhole ? '' : hash)
    const known = items.get(id)
    if (known) known.lines = (known.lines ?? 0) + 1
    else items.set(id, { seq: '0', id, type, provider, at, ...(isWhole && { lines: 1 }), ...said(change) })
  }
  return [...items.values()]
    .map(feedItemOf)
    .filter((item) => (types?.includes(item.type) ?? true) && (!direction || item.direction === direction))
}

const isSame = (a: PriceState, b: PriceState): boolean =>
  a.unit === b.unit && a.currency === b.currency && compareDecimals(a.price, b.price) === 0

function said({ resource, previous, current, isWhole }: RecordedChange): Pick<FeedEvent, 'body' | 'direction'> {
  if (isWhole) return { body: { resource } }
  const { dimension, unit, currency, pricingTier } = (current ?? previous)!
  const isComparable = previous && current && previous.unit === unit && previous.currency === currency
  const body = {
    ...{ resource, dimension, unit, currency, pricingTier },
    ...(previous && (isComparable || !current) && { previous }),
    ...(current && { current }),
  }
  if (!isComparable) return { body }
  return { body, direction: compareDecimals(previous.price, current.price) < 0 ? 'up' : 'down' }
}
