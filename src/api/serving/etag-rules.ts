import { canonicalJson, type Json } from '../../lib/canonical-json.ts'
import { sha256 } from '../../lib/hash.ts'

const DIGITS = 32

/** Returns the name of a content, from the content itself or from everything that decides it. */
export const contentName = (content: Buffer | Json): string =>
  sha256(Buffer.isBuffer(content) ? content : canonicalJson(content)).slice(0, DIGITS)

/** Returns the strong ETag of a content in one coding: equal ETags mean equal bytes. */
export const etagOf = (name: string, coding: string): string => `"${name}${coding === 'identity' ? '' : `-${coding}`}"`

/** Whether the client has the answer of this ETag (`if-none-match`, RFC 9110 section 13.1.2). */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return known.includes(etag) || known.includes('*')
}
