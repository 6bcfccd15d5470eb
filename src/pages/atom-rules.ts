import type { FeedItem } from '../events/list-feed.ts'
import { html } from './html-rules.ts'

/** Returns a feed of changes as Atom (RFC 4287). Every text is escaped as in markup. */
export function atomFeed(
  items: FeedItem[],
  { origin, self, updated }: { origin: string; self: string; updated: string },
): Buffer {
  const { markup } = html`<feed xmlns="http://www.w3.org/2005/Atom">
<id>${origin}/</id>
<title>Pricetape: what changed</title>
<updated>${items[0]?.at ?? updated}</updated>
<author><name>Pricetape</name></author>
<link rel="self" type="application/atom+xml" href="${self}"/>
<link rel="alternate" type="text/html" href="${origin}/"/>
${items.map(
  (item) => html`<entry>
<id>urn:pricetape:${item.id}</id>
<title>${headline(item)}</title>
<updated>${item.at}</updated>
<link rel="alternate" type="text/html" href="${origin}${pathOf(item)}"/>
<category term="${item.type}"/>
<summary>${headline(item)}${item.read ? `, read at ${item.read.address}` : ''}</summary>
</entry>
`,
)}</feed>
`
  return Buffer.from(`<?xml version="1.0" encoding="utf-8"?>\n${withoutControls(markup)}`)
}

/** XML has no control characters, not even escaped ones. */
const withoutControls = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is left out
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')

const words = (dimension = ''): string => dimension.replaceAll('_', ' ')
const DIRECTIONS = { up: 'rose', down: 'fell', same: 'stayed' }

/** What became of a price. A line that begins in a listed resource had none before, one that ends has none now. */
function verb({ before, after, direction }: FeedItem): string {
  if (before === undefined) return 'has a new price'
  return after === undefined ? 'has a price no longer' : DIRECTIONS[direction ?? 'same']
}

/** Returns what is announced for a day to come, or was. */
function announcement({ dimension, currency, per, after, effectiveFrom, action, replaces }: FeedItem): string {
  const stated = (price?: string, from?: string) => `${price} ${currency} per ${per} from ${from}`
  if (after === undefined) return `${words(dimension)} will not be ${stated(replaces?.price, replaces?.effectiveFrom)}`
  const now = action === 'changed' ? 'will now be' : 'will be'
  return `${words(dimension)} ${now} ${stated(after, effectiveFrom)}`
}

const inWords = (significance: FeedItem['significance']) => significance && `significance ${significance}`

/** Returns a change in one line of text. */
function headline(item: FeedItem): string {
  const { provider, resource, previousResource, dimension, currency, per, before, after, percent, title, name } = item
  const of = `${resource} at ${provider}`
  const price = `${words(dimension)} ${before ?? 'no price'} → ${after ?? 'no price'} ${currency} per ${per}`
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
function pathOf({ type, provider, resource, document, from, to }: FeedItem): string {
  if (type === 'tos.changed')
    return `/documents/${provider}/${document}?from=${from?.versionId ?? ''}&to=${to?.versionId ?? ''}`
  return resource === undefined ? `/?providers=${provider}` : `/prices/${provider}/${encodeURIComponent(resource)}`
}
