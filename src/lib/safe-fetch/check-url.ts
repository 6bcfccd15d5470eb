import { isIP } from 'node:net'
import { parseUrl } from '../http/parse-url.ts'

/** Long enough for any real endpoint, short enough for a log line. */
const MAX_URL = 2048
const MAX_HOST = 253
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/
/** Top-level names that no public DNS holds (IANA special-use names and those networks use for themselves). */
const LOCAL = ['localhost', 'local', 'localdomain', 'internal', 'intranet', 'private', 'corp', 'home', 'lan', 'arpa']
const RESERVED = ['test', 'example', 'invalid', 'onion', 'alt']

export type UrlRules = {
  /** Scheme and default port a URL may have; deliveries are https alone. */
  schemes: ('https:' | 'http:')[]
  /** Development: any scheme of HTTP, any host, any port. */
  allowPrivate: boolean
}

/** Where it is refused, every rule that it breaks is named, and the host is given when its name is allowed. */
export type CheckedUrl = { ok: true; url: URL } | { ok: false; message: string; host?: string }

/** What URL parsing drops or turns round. What is checked must be what was written. */
const NOT_IN_URLS = /[\s\\]|\p{Cc}/gu

/** Scheme, authority and the rest. Parsing also takes `https:host` and drops the empty user name of `https://@host`. */
const PARTS = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)/i

/**
 * What a URL's text must be before its host is looked up (specification, Delivery). The message says what to change.
 * The host is judged after parsing, so that `0x7f.1`, `2130706433` and full-width digits are the addresses they name.
 */
export function checkUrl(text: string, rules: UrlRules): CheckedUrl {
  const problems: string[] = []
  if (text.length > MAX_URL) problems.push(`The URL is longer than ${MAX_URL} characters. Use a shorter one.`)
  const clean = text.replace(NOT_IN_URLS, '')
  if (clean !== text) problems.push('The URL contains a space, a control character or a backslash.')
  const url = parseUrl(clean)
  if (!url) {
    problems.push('This is not a URL. Use the form https://hooks.example.com/path.')
    return { ok: false, message: problems.join(' ') }
  }
  if (!isAllowedAnywhere(url, rules)) problems.push(...placeProblems(url, rules))
  const authority = PARTS.exec(clean)?.[1]
  if (authority === undefined) problems.push('Write the host after two slashes: https://hooks.example.com/path.')
  if (authority?.includes('@') || url.username || url.password)
    problems.push('Remove the user name and password from the URL.')
  if (clean.includes('#')) problems.push('Remove the fragment (# and what follows) from the URL.')
  if (problems.length === 0) return { ok: true, url }
  const hasHost = url.hostname !== '' && !hostProblem(url.hostname)
  return { ok: false, message: problems.join(' '), ...(hasHost && { host: url.hostname }) }
}

const isAllowedAnywhere = (url: URL, { allowPrivate }: UrlRules): boolean =>
  allowPrivate && /^https?:$/.test(url.protocol) && url.hostname !== ''

/** What is wrong with scheme, port and host. */
function placeProblems({ protocol, port, hostname }: URL, { schemes }: UrlRules): string[] {
  const problems: string[] = []
  if (!schemes.includes(protocol as 'https:'))
    problems.push(`The URL must begin with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}.`)
  if (port) problems.push(`Port ${port} is not allowed: remove it, so that the default port is used.`)
  const host = hostname && hostProblem(hostname)
  return host ? [...problems, host] : problems
}

function hostProblem(host: string): string | undefined {
  if (host.startsWith('[') || isIP(host) !== 0) return `${host} is an IP address: use a public host name.`
  if (host.endsWith('.')) return 'Remove the dot at the end of the host name.'
  const labels = host.split('.')
  const top = labels.at(-1) ?? ''
  if (labels.length < 2 || LOCAL.includes(top)) return `${host} is a local name: use a public host name.`
  if (RESERVED.includes(top)) return `No public host name ends in .${top}: use one that does exist.`
  if (host.length > MAX_HOST || !labels.every((label) => LABEL.test(label)) || !/^(?:[a-z]{2,}|xn--.+)$/.test(top))
    return `${host} is not a host name that public DNS can hold.`
  return undefined
}
