import type { LookupFunction, Socket } from 'node:net'
import { createSecureContext, type SecureContext } from 'node:tls'
import { buildConnector, Pool } from 'undici'
import { SECOND } from '../instant.ts'
import type { SafeFetchOptions, Target } from './target.ts'

/** Shorter than any usual server's own limit, so that a request seldom meets a connection that is just being closed. */
const IDLE_CONNECTION_MS = 4 * SECOND
const IDLE_POOL_MS = 5 * SECOND
/** Of a host's checked addresses, how many are tried, and how long each before the last. */
const MAX_ADDRESSES = 6
const ATTEMPT_MS = SECOND
const MAX_HEADERS = 32 * 1024

export type Connections = {
  pool: Pool
  /** How many of its connections are in their TLS handshake, to say so when time runs out. */
  handshakes: number
  lastUsed: number
}

/**
 * Connections, kept apart by endpoint and by the exact set of addresses checked: a request never travels on a
 * connection to an address that its own check did not see, nor on one opened for somebody else.
 */
export function createPools(options: SafeFetchOptions, connectTimeoutMs: number) {
  const pools = new Map<string, Connections>()
  // One for all connections: making it anew for each cost more than the rest of sending.
  const secureContext = createSecureContext({ ...(options.ca !== undefined && { ca: options.ca }) })
  let sweeper: NodeJS.Timeout | undefined

  function sweep() {
    const before = performance.now() - IDLE_POOL_MS
    for (const [key, entry] of pools) {
      if (entry.lastUsed > before || entry.pool.stats.running + entry.pool.stats.pending > 0) continue
      pools.delete(key)
      entry.pool.destroy().catch(() => {})
    }
    if (pools.size > 0) return
    clearInterval(sweeper)
    sweeper = undefined
  }

  function keep(key: string, entry: Connections): Connections {
    entry.lastUsed = performance.now()
    pools.set(key, entry)
    sweeper ??= setInterval(sweep, IDLE_POOL_MS).unref()
    return entry
  }
  const create = ({ url, addresses }: Target) => open(url, addresses, { ...options, secureContext }, connectTimeoutMs)

  return {
    /** @param endpoint who the request belongs to, such as a webhook's id */
    of(endpoint: string, target: Target): Connections {
      const key = keyOf(endpoint, target)
      return keep(key, pools.get(key) ?? create(target))
    },
    /** Only new connections: those there are serve what they are serving and are closed. */
    renewed(endpoint: string, target: Target): Connections {
      const key = keyOf(endpoint, target)
      pools
        .get(key)
        ?.pool.close()
        .catch(() => {})
      return keep(key, create(target))
    },
    async close() {
      clearInterval(sweeper)
      await Promise.all([...pools.values()].map(({ pool }) => pool.destroy()))
      pools.clear()
    },
  }
}

const keyOf = (endpoint: string, { url, addresses }: Target): string =>
  [endpoint, url.origin, ...addresses.map(({ address }) => address).sort()].join(' ')

function open(
  url: URL,
  addresses: Target['addresses'],
  options: SafeFetchOptions & { secureContext: SecureContext },
  timeout: number,
): Connections {
  const connect = buildConnector({
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot turn it off.
    rejectUnauthorized: true,
    secureContext: options.secureContext,
    ...(addresses.length > 0 && { lookup: pinned(addresses) }),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
    timeout,
  })
  const entry: Connections = { pool: undefined as unknown as Pool, handshakes: 0, lastUsed: 0 }
  const secure = url.protocol === 'https:'
  entry.pool = new Pool(url.origin, {
    connect: (target, callback) => {
      const port = options.reach ? String(options.reach.port) : target.port
      // @NOTE undici's type hides that a connector returns its socket.
      const socket = connect({ ...target, port }, callback) as unknown as Socket
      if (!secure) return
      socket.once('connect', () => {
        entry.handshakes += 1
        const done = () => {
          socket.off('secureConnect', done).off('close', done)
          entry.handshakes -= 1
        }
        socket.once('secureConnect', done).once('close', done)
      })
    },
    connections: null,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: IDLE_CONNECTION_MS,
    keepAliveMaxTimeout: IDLE_CONNECTION_MS,
    maxHeaderSize: MAX_HEADERS,
  })
  return entry
}

/** Answers every lookup with the addresses that were checked, so that a second answer of DNS is never asked for. */
function pinned(addresses: Target['addresses']): LookupFunction {
  const tried = interleave(addresses).slice(0, MAX_ADDRESSES)
  return (_host, { all }, callback) => {
    const [first] = tried
    if (all) return callback(null, tried)
    return callback(null, first?.address ?? '', first?.family)
  }
}

/** IPv4 and IPv6 by turns (RFC 8305), so that a broken family does not use up the attempts. */
function interleave(addresses: Target['addresses']): Target['addresses'] {
  const v4 = addresses.filter(({ family }) => family === 4)
  const v6 = addresses.filter(({ family }) => family === 6)
  const longer = Math.max(v4.length, v6.length)
  return Array.from({ length: longer }, (_, at) => [v4[at], v6[at]])
    .flat()
    .filter((address) => address !== undefined)
}
