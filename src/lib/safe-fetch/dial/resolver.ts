import { promises as dns, type LookupAddress } from 'node:dns'
import { OperatorError } from '../../errors.ts'
import { SECOND } from '../../instant.ts'
import { offline, type Platform } from '../outcome.ts'

/** Looking a name up, then finding whose fault a failure is, fits within the five seconds of a delivery. */
const LOOKUP_MS = 3 * SECOND
const PROBE_MS = SECOND
/** A question or its answer may be lost: after each of these it is asked once more beside the first. */
const REPEAT_MS = SECOND
const QUESTIONS = 3
const MAX_PORT = 65_535

export type Resolution =
  | { kind: 'addresses'; addresses: LookupAddress[] }
  | { kind: 'failed'; reason: 'dns_not_found' | 'dns_failed'; message: string }
  | Platform

export type Resolve = (host: string) => Promise<Resolution>

/** The name has no address: its owner's affair. Every other error may be the resolver's, which is ours. */
const NO_ADDRESS = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

/**
 * Resolves full names (no search domains, no hosts file) to all their A and AAAA addresses, through CNAMEs, afresh on
 * every call; calls at the same moment share one lookup. When a lookup fails, the root name is asked for: a resolver that
 * cannot answer even that is our fault.
 * @param servers resolver addresses such as `1.1.1.1` or `127.0.0.1:5353`; the system's by default
 * @throws OperatorError when one of them is not an address
 */
export function createResolver(servers: string[] = []): Resolve {
  createDns(servers) // reports a wrong setting at once
  const probe = shared(async (root: string) => {
    const { code } = await ask([() => createDns(servers)], (dns) => dns.resolveNs(root), PROBE_MS)
    return code
  })

  return shared(async (host: string): Promise<Resolution> => {
    const resolvers = resolversFor(servers)
    const [v4, v6] = await Promise.all([
      ask(resolvers, (dns) => dns.resolve4(host), LOOKUP_MS),
      ask(resolvers, (dns) => dns.resolve6(host), LOOKUP_MS),
    ])
    const addresses = [
      ...(v4.value ?? []).map((address) => ({ address, family: 4 })),
      ...(v6.value ?? []).map((address) => ({ address, family: 6 })),
    ]
    if (addresses.length > 0) return { kind: 'addresses', addresses }
    // An alias that leads nowhere is an answer without addresses and without an error.
    const code = [v4.code, v6.code].find((item) => item !== '' && !NO_ADDRESS.has(item))
    if (code === undefined) return { kind: 'failed', reason: 'dns_not_found', message: `${host} has no address` }
    const root = code === 'ECONNREFUSED' ? code : await probe('.')
    if (root === '' || NO_ADDRESS.has(root))
      return { kind: 'failed', reason: 'dns_failed', message: `the name servers of ${host} do not answer (${code})` }
    return offline(`our DNS resolver does not answer (${code}; root: ${root})`)
  })
}

/** The machine's own lookup, for development: knows localhost and the hosts file. */
export const systemResolve: Resolve = async (host) => {
  const found = await ask([() => new dns.Resolver()], () => dns.lookup(host, { all: true }), LOOKUP_MS)
  if (found.value) return { kind: 'addresses', addresses: found.value }
  if (found.code === 'EAI_AGAIN' || found.code === 'ETIMEOUT')
    return offline(`our DNS resolver does not answer (${found.code})`)
  return { kind: 'failed', reason: 'dns_not_found', message: `${host} has no address` }
}

/**
 * Makers of the resolvers of one lookup, the later ones beginning with another server. A resolver of Node that repeats
 * a question gives up its first one, and one that has had quick answers is patient for less than a second. So each lookup
 * has new ones, which ask once and wait for the whole time.
 */
function resolversFor(servers: string[]): (() => dns.Resolver)[] {
  return Array.from({ length: QUESTIONS }, (_, n) => {
    let made: dns.Resolver | undefined
    return () => {
      made ??= createDns(servers, n)
      return made
    }
  })
}

function createDns(servers: string[], first = 0): dns.Resolver {
  const resolver = new dns.Resolver({ timeout: LOOKUP_MS, tries: 1 })
  if (servers.length > 0) setServers(resolver, servers)
  const known = first > 0 ? resolver.getServers() : []
  const at = first % known.length
  if (known.length > 1) resolver.setServers([...known.slice(at), ...known.slice(0, at)])
  return resolver
}

/** Returns the first answer that one of the resolvers gets, or an error code. They begin one after another. */
function ask<T>(resolvers: (() => dns.Resolver)[], question: (resolver: dns.Resolver) => Promise<T>, limitMs: number) {
  return new Promise<{ value?: T; code: string }>((resolve) => {
    let open = 0
    const timers: (NodeJS.Timeout | number)[] = []
    function finish(result: { value?: T; code: string }) {
      for (const timer of timers) clearTimeout(timer)
      resolve(result)
    }
    function start(resolver: () => dns.Resolver) {
      open += 1
      question(resolver()).then(
        (value) => finish({ value, code: '' }),
        (error: NodeJS.ErrnoException) => {
          open -= 1
          const code = error.code ?? error.message
          if (open === 0 || NO_ADDRESS.has(code)) finish({ code })
        },
      )
    }
    resolvers.forEach((resolver, n) => {
      if (n === 0) start(resolver)
      else timers.push(setTimeout(start, n * REPEAT_MS, resolver))
    })
    timers.push(setTimeout(finish, limitMs, { code: 'ETIMEOUT' }))
  })
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

function shared<T>(lookUp: (name: string) => Promise<T>): (name: string) => Promise<T> {
  const running = new Map<string, Promise<T>>()
  return (name) => {
    const joined = running.get(name)
    if (joined) return joined
    const started = lookUp(name).finally(() => running.delete(name))
    running.set(name, started)
    return started
  }
}
