import { isIP } from 'node:net'

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

export type CheckedUrl = { ok: true; url: URL } | { ok: false; message: string }

const refuse = (message: string): CheckedUrl => ({ ok: false, message })

/**
 * What a URL's text must be before its host is looked up (specification, Delivery). The message says what to change.
 * The host is judged after parsing, so that `0x7f.1`, `2130706433` and full-width digits are the addresses they name.
 */
export function checkUrl(text: string, rules: UrlRules): CheckedUrl {
  if (text.length > MAX_URL) return refuse(`The URL is longer than ${MAX_URL} characters. Use a shorter one.`)
  // URL parsing drops tabs and line breaks and turns backslashes round; what is checked must be what was written.
  if (/[\s\\]|\p{Cc}/u.test(text)) return refuse('The URL contains a space, a control character or a backslash.')
  if (!URL.canParse(text)) return refuse('This is not a URL. Use the form https://hooks.example.com/path.')
  const url = new URL(text)
  if (url.username || url.password) return refuse('Remove the user name and password from the URL.')
  if (text.includes('#')) return refuse('Remove the fragment (# and what follows) from the URL.')
  if (rules.allowPrivate && /^https?:$/.test(url.protocol) && url.hostname) return { ok: true, url }
  if (!rules.schemes.includes(url.protocol as 'https:')) {
    const wanted = rules.schemes.map((scheme) => `${scheme}//`).join(' or ')
    return refuse(`The URL must begin with ${wanted}.`)
  }
  if (url.port) return refuse(`Port ${url.port} is not allowed: remove it, so that the default port is used.`)
  const problem = hostProblem(url.hostname)
  return problem ? refuse(problem) : { ok: true, url }
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
