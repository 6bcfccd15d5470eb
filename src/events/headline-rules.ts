import { shownPrice, shownTier } from '../lib/text/price-text.ts'
import type { FeedItem } from './feed-schema.ts'

const words = (dimension = ''): string => dimension.replaceAll('_', ' ')
const amount = (price: string | undefined): string => (price === undefined ? 'no price' : shownPrice(price, 0))

/** `input tokens (batch)` */
const line = ({ dimension, tier }: FeedItem): string =>
  [words(dimension), tier && shownTier(tier) && `(${shownTier(tier)})`].filter(Boolean).join(' ')

const DIRECTIONS = { up: 'rose', down: 'fell', same: 'stayed' }

/** What became of a price. A line that begins in a listed resource had none before, one that ends has none now. */
function verb({ before, after, direction }: FeedItem): string {
  if (before === undefined) return 'has a new price'
  return after === undefined ? 'has a price no longer' : DIRECTIONS[direction ?? 'same']
}

/** Returns what is announced for a day to come, or was. */
function announcement(item: FeedItem): string {
  const { currency, per, after, effectiveFrom, action, replaces } = item
  const stated = (price?: string, from?: string) => `${amount(price)} ${currency} per ${per} from ${from}`
  if (after === undefined) return `${line(item)} will not be ${stated(replaces?.price, replaces?.effectiveFrom)}`
  const now = action === 'changed' ? 'will now be' : 'will be'
  return `${line(item)} ${now} ${stated(after, effectiveFrom)}`
}

const inWords = (significance: FeedItem['significance']) => significance && `significance ${significance}`

/** Returns a change in one line of text. @param sellerOf the name of a provider */
export function headline(item: FeedItem, sellerOf = (provider: string) => provider): string {
  const { resource, previousResource, dimension, currency, per, percent, title, name } = item
  const provider = sellerOf(item.provider)
  const of = `${resource} at ${provider}`
  const price = `${line(item)} ${amount(item.before)} → ${amount(item.after)} ${currency} per ${per}`
  switch (item.type) {
    case 'price.changed':
      return `${of} ${verb(item)}: ${price}${percent ? ` (${percent})` : ''}`
    case 'price.corrected':
      return `${of}: a price was ${item.action === 'restored' ? 'restored' : 'withdrawn as wrong'}: ${price}`
    case 'price.revised':
      return `${of}: ${item.revised?.join(', ')} of ${words(dimension)} changed`
    case 'price.announced':
      return `${of}: ${announcement(item)}`
    case 'resource.added':
      return `${of} is new, with ${item.lines === 1 ? '1 price' : `${item.lines} prices`}`
    case 'resource.removed':
      return `${of} is no longer listed`
    case 'resource.renamed':
      return `${previousResource} at ${provider} is now called ${resource}`
    case 'provider.added':
      return `${name ?? provider} is new`
    case 'tos.changed':
      return `${provider}: ${title} changed (${[item.classification, inWords(item.significance)].filter(Boolean).join(', ')})`
    case 'alias.member_added':
      return `${of} joined the group ${name}`
    case 'alias.member_removed':
      return `${of} left the group ${name}`
  }
}

/** Returns the address of the page that shows a change. */
export function pathOf({ type, provider, resource, document, from, to }: FeedItem): string {
  if (type === 'tos.changed')
    return `/documents/${provider}/${document}?from=${from?.versionId ?? ''}&to=${to?.versionId ?? ''}`
  return pricesPath(provider, resource)
}

/** Returns the address of the page of a model; without one, that of what changed at a provider. */
export const pricesPath = (provider: string, resource?: string | null): string =>
  resource ? `/prices/${provider}/${encodeURIComponent(resource)}` : `/?providers=${provider}`
