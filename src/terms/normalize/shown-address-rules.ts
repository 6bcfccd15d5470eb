import { parseUrl } from '../../lib/http/parse-url.ts'

/** Parts of a path that say how a reader is sent on, or in which language. */
const WAY = /^(?:redirect|r|l|link|click|out|go|[a-z]{2}(?:[-_][a-z]{2,4})?)$/i

/** Ids: digits and letters mixed, hex, long numbers. A year or a version is none. */
const isId = (part: string): boolean =>
  part
    .split(/[^a-z0-9]+/i)
    .some(
      (token) =>
        (token.length >= 8 && /\d/.test(token) && /[a-z]/i.test(token)) ||
        /^[0-9a-f]{12,}$/i.test(token) ||
        /\d{7}/.test(token),
    )

/** An address as it counts in a document: its host and path, without ids, queries, and the way a reader is sent on. */
export function shownAddress(address: string): string {
  const [, host = '', path] = /(?:https?:)?(?:\/\/(?:www\.)?([^\s/?#]+))?([^?#]*)/i.exec(address.trim())!
  const parts = path!.split('/').filter((part) => !WAY.test(part) && !isId(part))
  return [host.toLowerCase(), ...parts].filter((part) => part !== '').join('/')
}

/** Whether an address on a page, which may lack its host, leads to that page itself. */
export const isSameAddress = (address: string, page: string): boolean =>
  shownAddress(parseUrl(address, page)?.href ?? address) === shownAddress(page)
