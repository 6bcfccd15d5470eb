import { parseUrl } from './parse-url.ts'

type Headers = Record<string, string | string[] | undefined>

/**
 * Whether a browser sent this request for a page of another origin. Browsers say so themselves (`Sec-Fetch-Site`,
 * `Origin`); programs send neither. `ownUrl` is the public address where that differs from the `Host` we see.
 */
export function isForeignBrowser(headers: Headers, ownUrl?: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  const origin = headers.origin
  if (origin === undefined) return false
  const sender = typeof origin === 'string' ? parseUrl(origin) : undefined
  if (!sender) return true
  return sender.host !== headers.host && !(ownUrl && new URL(ownUrl).origin === sender.origin)
}

/** Whether the browser speaks HTTPS with us, or with the proxy before us. */
export const isOverHttps = ({ protocol }: { protocol: string }, ownUrl?: string): boolean =>
  protocol === 'https' || ownUrl?.startsWith('https:') === true
