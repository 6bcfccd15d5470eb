import { sha256 } from '../../lib/hash.ts'

/** What no one reads: it differs at every fetch, and the text is the same. */
const UNREAD = /<(script|style|svg)\b.*?<\/\1\s*>|<!--.*?-->|<(?:link|input)\b[^>]*>/gis
/** Attributes that no text is taken from. Where selectors are declared, classes and ids decide what is found. */
const ATTRIBUTE =
  /\s(nonce|style|srcset|src|data-[\w-]+|aria-(?:labelledby|describedby|controls|owns)|integrity|value|sizes|content|class|id|href|for|name|d)=(?:"[^"]*"|'[^']*'|[^\s>]+)/gi
const NAMES = /^(?:class|id|data-.*)$/i

/**
 * Returns a key that two recorded pages share when they read the same: their markup without scripts, styles and the
 * attributes that no text is taken from. A page that says something only by its scripts has another length of them.
 */
export function pageKey(bytes: Uint8Array, hasSelectors: boolean): string {
  const page = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (page.subarray(0, 1024).includes('%PDF-')) return sha256(page)
  const read = page
    .toString('latin1')
    .replace(UNREAD, '')
    .replace(ATTRIBUTE, (attribute, name: string) => (hasSelectors && NAMES.test(name) ? attribute : ''))
  return sha256(read)
}
