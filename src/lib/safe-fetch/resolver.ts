import { promises as dns, type LookupAddress } from 'node:dns'
import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorError } from '../errors.ts'
import { SECOND } from '../instant.ts'

/** Looking a name up, then telling whose fault a failure is, fits within the five seconds of a delivery. */
const LOOKUP_MS = 3 * SECOND
const PROBE_MS = SECOND
/** A lost packet is sent again after this time. Tries outlast the lookup, so that LOOKUP_MS alone ends it. */
const QUERY_MS = SECOND
const TRIES = 4
const MAX_PORT = 65_535

export type Resolution =
  | { kind: 'addresses'; addresses: LookupAddress[] }
  | { kind: 'failed'; reason: 'dns_not_found' | 'dns_failed'; message: string }
  | { kind: 'platform'; message: string }

export type Resolve = (host: string) => Promise<Resolution>

/** The name has no address: its owner's affair. Every other error may be the resolver's, which is ours. */
const NO_ADDRESS = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

/**
 * Resolves full names (no search domains, no hosts file) to all their A and AAAA addresses, through CNAMEs, afresh on
 * every call; calls at the same moment share one lookup. Whose fault a failure is, the root name tells: where our
 * resolver cannot answer even that, the fault is ours.
 * @param servers resolver addresses such as `1.1.1.1` or `127.0.0.1:5353`; the system's by default
 * @throws OperatorError when one of them is not an address
 */
export function createResolver(servers?: string[]): Resolve {
  const resolver = new dns.Resolver({ timeout: QUERY_MS, tries: TRIES })
  if (servers && servers.length > 0) setServers(resolver, servers)
  const probe = shared(async (root: string) => (await outcome(resolver.resolveNs(root), PROBE_MS)).code)

  return shared(async (host: string): Promise<Resolution> => {
    const [v4, v6] = await Promise.all([
      outcome(resolver.resolve4(host), LOOKUP_MS),
      outcome(resolver.resolve6(host), LOOKUP_MS),
    ])
    const addresses = [
      ...(v4.value ?? []).map((address) => ({ address, family: 4 })),
      ...(v6.value ?? []).map((address) => ({ address, family: 6 })),
    ]
    if (addresses.length > 0) return { kind: 'addresses', addresses }
    // An alias that leads nowhere is an answer without addresses and without an error.
    const code = [v4.code, v6.code].find((one) => one !== '' && !NO_ADDRESS.has(one))
    if (code === undefined) return { kind: 'failed', reason: 'dns_not_found', message: `${host} has no address` }
    const root = code === 'ECONNREFUSED' ? code : await probe('.')
    if (root === '' || NO_ADDRESS.has(root))
      return { kind: 'failed', reason: 'dns_failed', message: `the name servers of ${host} do not answer (${code})` }
    return { kind: 'platform', message: `our DNS resolver does not answer (${code}; root: ${root})` }
  })
}

/** The machine's own lookup, for development: knows localhost and the hosts file. */
export const systemResolve: Resolve = async (host) => {
  const found = await outcome(dns.lookup(host, { all: true }), LOOKUP_MS)
  if (found.value) return { kind: 'addresses', addresses: found.value }
  if (found.code === 'EAI_AGAIN' || found.code === 'ETIMEOUT')
    return { kind: 'platform', message: `our DNS resolver does not answer (${found.code})` }
  return { kind: 'failed', reason: 'dns_not_found', message: `${host} has no address` }
}

/** A lookup's answer or its error code, within a time of our own: the resolver's timeouts add up over servers. */
async function outcome<T>(lookup: Promise<T>, ms: number): Promise<{ value?: T; code: string }> {
  const stop = new AbortController()
  const late = sleep(ms, { code: 'ETIMEOUT' }, { signal: stop.signal }).catch(() => ({ code: 'ETIMEOUT' }))
  const settled = lookup.then(
    (value) => ({ value, code: '' }),
    (error: NodeJS.ErrnoException) => ({ code: error.code ?? error.message }),
  )
  try {
    return await Promise.race([settled, late])
  } finally {
    stop.abort()
  }
}

function setServers(resolver: dns.Resolver, servers: string[]) {
  try {
    resolver.setServers(servers)
    // Node wraps a port that is too large round to another one.
    if (servers.some((server) => Number(/:(\d+)$/.exec(server)?.[1]) > MAX_PORT)) throw new RangeError('port')
  } catch (cause) {
    const example = 'Use addresses, such as 1.1.1.1 or 127.0.0.1:5353, with commas between.'
    throw new OperatorError(`PRICETAPE_DNS_SERVERS: ${servers.join(', ')} is not a list of resolvers. ${example}`, {
      cause,
    })
  }
}

function shared<T>(ask: (name: string) => Promise<T>): (name: string) => Promise<T> {
  const running = new Map<string, Promise<T>>()
  return (name) => {
    const joined = running.get(name)
    if (joined) return joined
    const started = ask(name).finally(() => running.delete(name))
    running.set(name, started)
    return started
  }
}
