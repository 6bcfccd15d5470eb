import { parseUrl } from './parse-url.ts'

/** An SMTP server and how it may be reached. */
export type SmtpServer = {
  host: string
  port: number
  /**
   * TLS from the first byte (`smtps`), or STARTTLS before anything else is sent. A server on this machine gets STARTTLS
   * where it offers that, with any certificate.
   */
  tls: 'implicit' | 'starttls' | 'offered'
  auth?: { user: string; pass: string }
}

const PORTS = { 'smtp:': 587, 'smtps:': 465 }
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/

/**
 * Reads `smtp://` or `smtps://`, with an optional user, password and port. TLS is required and certificates are
 * verified, other than on this machine: nothing in the address can turn that off.
 * @returns the server, or undefined for anything else
 */
export function readSmtpUrl(text: string): SmtpServer | undefined {
  const url = parseUrl(text)
  if (!url) return undefined
  const { protocol, hostname, port, username, password, pathname, search, hash } = url
  if (protocol !== 'smtp:' && protocol !== 'smtps:') return undefined
  if (!hostname || !['', '/'].includes(pathname) || search || hash) return undefined
  const auth = { user: decoded(username), pass: decoded(password) }
  if (auth.user === undefined || auth.pass === undefined || (!auth.user && auth.pass)) return undefined
  const host = hostname.replace(/^\[|\]$/g, '')
  return {
    host,
    port: port ? Number(port) : PORTS[protocol],
    tls: protocol === 'smtps:' ? 'implicit' : LOOPBACK.test(host) ? 'offered' : 'starttls',
    ...(auth.user && { auth: { user: auth.user, pass: auth.pass } }),
  }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
