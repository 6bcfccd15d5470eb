import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { checkUrl, type UrlRules } from '../check-url.ts'
import { type Fault, failed, stoodStill } from '../outcome.ts'
import { STALL_MS, watchStalls } from '../stalls.ts'
import { isPublicAddress } from './addresses.ts'
import type { LocalAddresses } from './dial.ts'
import type { OutboundProxy } from './dial-proxy.ts'
import { createResolver, type Resolution, type Resolve, systemResolve } from './resolver.ts'

export type SafeFetchOptions = {
  /** Development only: plain http, any port, any host and address (PRICETAPE_ALLOW_PRIVATE_ENDPOINTS). */
  allowPrivate?: boolean
  /** Resolvers to use instead of the system's (PRICETAPE_DNS_SERVERS). */
  dnsServers?: string[]
  /** Connects for us (PRICETAPE_OUTBOUND_PROXY). */
  proxy?: OutboundProxy
  /** Where requests leave from (PRICETAPE_EGRESS_ADDRESS). */
  localAddresses?: LocalAddresses
  /** Certificate authorities to trust instead of the system's, in PEM. */
  ca?: string | string[]
  /**
   * For tests alone, and never read from a setting: what counts as public, and the port that replaces the default
   * one, so that a server of a test on 127.0.0.1 is reached under every rule of production.
   */
  reach?: { isPublic: (address: string) => boolean; port: number }
}

/** Where a request may go: a URL that passed the rules and the addresses that were checked for it, and no other. */
export type Target = { kind: 'target'; url: URL; addresses: LookupAddress[] }

export type FindTarget = (text: string, schemes: UrlRules['schemes']) => Promise<Target | Fault>

/** The lookup that refuses a host when any one of its addresses is not public (specification, Delivery). */
export function createPublicResolve(options: SafeFetchOptions): (host: string) => Promise<Resolution | Fault> {
  const ask = resolverFor(options)
  // A resolver set for development need not know this machine's own name.
  const resolve: Resolve = (host) => (options.allowPrivate && host === 'localhost' ? systemResolve : ask)(host)
  const isPublic = options.reach?.isPublic ?? isPublicAddress
  return async (host) => {
    const found = await withoutStalls(() => resolve(host))
    if (found.kind !== 'addresses' || options.allowPrivate) return found
    const bad = found.addresses.find(({ address }) => !isPublic(address))
    if (!bad) return found
    return failed('private_address', `${host} resolves to ${bad.address}, which is not a public address`)
  }
}

/** While this process stands still it does not hear the name servers that it then calls silent. */
async function withoutStalls(lookUp: () => Promise<Resolution | Fault>): Promise<Resolution | Fault> {
  const stalls = watchStalls()
  try {
    const found = await lookUp()
    const stalledMs = stalls.longestMs()
    const isSilence = found.kind === 'failed' && found.reason === 'dns_failed'
    return isSilence && stalledMs >= STALL_MS ? stoodStill(stalledMs) : found
  } finally {
    stalls.stop()
  }
}

function resolverFor({ allowPrivate, dnsServers }: SafeFetchOptions): Resolve {
  if (allowPrivate && !dnsServers?.length) return systemResolve
  return createResolver(dnsServers)
}

/** Applies every rule about where a request may go, afresh for each request. */
export function createFindTarget(
  options: SafeFetchOptions,
  resolve: ReturnType<typeof createPublicResolve>,
): FindTarget {
  return async (text, schemes) => {
    const checked = checkUrl(text, { schemes, allowPrivate: options.allowPrivate ?? false })
    if (!checked.ok) return failed('invalid_url', checked.message)
    const { url } = checked
    // Only allowPrivate lets an address literal come this far; there is nothing to look up then.
    const literal = url.hostname.replace(/^\[|\]$/g, '')
    const family = isIP(literal)
    if (family !== 0) return { kind: 'target', url, addresses: [{ address: literal, family }] }
    const found = await resolve(url.hostname)
    if (found.kind !== 'addresses') return found
    return { kind: 'target', url, addresses: found.addresses }
  }
}
