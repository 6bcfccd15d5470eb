import { headline, pathOf } from '../events/headline-rules.ts'
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
