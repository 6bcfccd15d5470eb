import ipaddr from 'ipaddr.js'

/**
 * The service as passkeys know it. `id` is a host name: a passkey works there alone. `origin` is absent where no public
 * address is set; then any port of localhost is ours.
 */
export type RelyingParty = { id: string; origin?: string }

const LOCALHOST = 'http://localhost'

/**
 * Returns the service behind a public address; undefined where browsers have no passkeys: on plain HTTP, except on one's
 * own machine, and where the address has no name.
 */
export function relyingPartyOf(publicUrl: string | undefined): RelyingParty | undefined {
  if (publicUrl === undefined) return { id: new URL(LOCALHOST).hostname }
  const { protocol, hostname, origin } = new URL(publicUrl)
  const isNamed = !ipaddr.isValid(hostname.replace(/^\[|\]$/g, ''))
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLocalhost(hostname))
  return isNamed && isSafe ? { id: hostname, origin } : undefined
}

/** Returns the origin that a passkey's answer has to be from; `claimed` is the one it names. */
export function expectedOrigin({ origin }: RelyingParty, claimed: string): string {
  if (origin !== undefined) return origin
  return /^http:\/\/localhost(:\d{1,5})?$/.test(claimed) ? claimed : LOCALHOST
}

const isLocalhost = (hostname: string): boolean => hostname === 'localhost' || hostname.endsWith('.localhost')
