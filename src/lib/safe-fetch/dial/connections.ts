import { Agent, type ClientRequest, type ClientRequestArgs, type OutgoingHttpHeaders, request } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createSecureContext } from 'node:tls'
import { SECOND } from '../../instant.ts'
import { TO_PROXY } from '../fault.ts'
import { dialDirectly } from './dial.ts'
import { dialThrough } from './dial-proxy.ts'
import { connectToFirst, type Progress, startTls } from './open-connection.ts'
import type { SafeFetchOptions, Target } from './target.ts'
import { createTlsSessions } from './tls-sessions.ts'

/**
 * Longer than an endpoint waits for its next turn in a busy round. What a server announces (`keep-alive: timeout`) is
 * kept to, and one that closes earlier costs a repeated request at most.
 */
const IDLE_CONNECTION_MS = 30 * SECOND
const IDLE_ENDPOINT_MS = 31 * SECOND
/** Idle connections of this process; beyond that the one that is idle longest is closed. */
const MAX_IDLE = 512
/** For TCP and TLS together, where no deadline of the request comes first. */
const CONNECT_MS = 10 * SECOND
const MAX_HEADERS = 32 * 1024
const HTTPS_PORT = 443
const HTTP_PORT = 80

type Open = (progress: Progress, signal: AbortSignal) => Promise<Socket>
type ConnectionCallback = (error: Error | null, socket: Duplex) => void
export type Sending = { method: 'GET' | 'POST'; headers: OutgoingHttpHeaders; progress: Progress }

/** The connections of one endpoint to one set of checked addresses. */
class EndpointAgent extends Agent {
  readonly protocol: string
  readonly #open: Open
  /** The idle connections of all endpoints, the one that is idle longest first. */
  readonly #idle: Set<Duplex>

  constructor(protocol: string, open: Open, idle: Set<Duplex>) {
    super({ keepAlive: true, timeout: IDLE_CONNECTION_MS })
    this.protocol = protocol
    this.#open = open
    this.#idle = idle
  }

  override createConnection(options: ClientRequestArgs, created?: ConnectionCallback) {
    // @NOTE Node passes on every option of the request; its types do not say so.
    const { progress } = options as ClientRequestArgs & { progress: Progress }
    const late = new AbortController()
    const error = Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' })
    const timer = setTimeout(() => late.abort(error), CONNECT_MS)
    this.#open(progress, AbortSignal.any([progress.signal, late.signal]))
      .finally(() => clearTimeout(timer))
      .then(
        (socket) => {
          socket.once('close', () => this.#idle.delete(socket))
          created?.(null, socket)
        },
        // @NOTE Node's own code passes no socket with an error.
        (failure: Error) => created?.(failure, undefined as unknown as Duplex),
      )
    return undefined
  }

  /** What arrives on an idle connection belongs to no request, and must not be taken for the next answer. */
  override keepSocketAlive(socket: Duplex): boolean {
    // @NOTE Node's types say that it returns nothing; it returns whether the connection may be kept.
    const keep = super.keepSocketAlive(socket) as unknown as boolean
    socket.on('data', endSocket)
    if (!keep) return false
    this.#idle.add(socket)
    const [longest] = this.#idle
    if (this.#idle.size > MAX_IDLE) longest?.destroy()
    return true
  }

  override reuseSocket(socket: Duplex, message: ClientRequest) {
    socket.off('data', endSocket)
    this.#idle.delete(socket)
    super.reuseSocket(socket, message)
  }
}

function endSocket(this: Duplex) {
  this.destroy()
}

export type Endpoint = {
  agent: EndpointAgent
  /** Requests under way. */
  active: number
  lastUsed: number
  /** This process closed the connections, so that a broken request is not the other side's fault. */
  closed: boolean
}

/**
 * Connections, kept apart by endpoint and by the exact set of addresses checked: a request never travels on a
 * connection to an address that its own check did not see, nor on one opened for someone else.
 */
export function createConnections(options: SafeFetchOptions) {
  const endpoints = new Map<string, Endpoint>()
  const idle = new Set<Duplex>()
  const sessions = createTlsSessions()
  // One for all connections: making one for each cost more than the rest of sending.
  const secureContext = createSecureContext({ ...(options.ca !== undefined && { ca: options.ca }) })
  const { proxy } = options
  const direct = dialDirectly(options.localAddresses)
  let sweeper: NodeJS.Timeout | undefined

  function sweep() {
    const before = performance.now() - IDLE_ENDPOINT_MS
    for (const [key, endpoint] of endpoints) {
      if (endpoint.lastUsed > before || endpoint.active > 0) continue
      endpoints.delete(key)
      endpoint.agent.destroy()
    }
    if (endpoints.size > 0) return
    clearInterval(sweeper)
    sweeper = undefined
  }

  function create(owner: string, { url, addresses }: Target): Endpoint {
    const secure = url.protocol === 'https:'
    const port = options.reach?.port ?? Number(url.port || (secure ? HTTPS_PORT : HTTP_PORT))
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const session = sessions.of(`${owner} ${url.origin}`)
    const agent = new EndpointAgent(
      url.protocol,
      async (progress, signal) => {
        progress.phase = proxy ? TO_PROXY : 'connecting'
        const dial = proxy ? dialThrough(proxy, direct, progress) : direct
        const socket = await connectToFirst(addresses, port, signal, dial)
        if (!secure) return socket
        progress.phase = 'TLS handshake'
        return startTls(socket, { host, secureContext, session }, signal)
      },
      idle,
    )
    return { agent, active: 0, lastUsed: 0, closed: false }
  }

  function keep(key: string, endpoint: Endpoint): Endpoint {
    endpoint.lastUsed = performance.now()
    endpoints.set(key, endpoint)
    sweeper ??= setInterval(sweep, IDLE_ENDPOINT_MS).unref()
    return endpoint
  }

  return {
    /** @param owner who the request belongs to, such as a webhook's id */
    find(owner: string, target: Target): Endpoint {
      const key = keyOf(owner, target)
      return keep(key, endpoints.get(key) ?? create(owner, target))
    },
    /** Only new connections: idle ones are closed, and those in use close when their request ends. */
    renew(owner: string, target: Target): Endpoint {
      const key = keyOf(owner, target)
      for (const socket of Object.values(endpoints.get(key)?.agent.freeSockets ?? {}).flat()) socket?.destroy()
      return keep(key, create(owner, target))
    },
    close() {
      clearInterval(sweeper)
      for (const endpoint of endpoints.values()) {
        endpoint.closed = true
        endpoint.agent.destroy()
      }
      endpoints.clear()
    },
  }
}

const keyOf = (owner: string, { url, addresses }: Target): string =>
  [owner, url.origin, ...addresses.map(({ address }) => address).sort()].join(' ')

/** Begins a request on one of an endpoint's connections. The caller listens to its events at once. */
export function startRequest(endpoint: Endpoint, { url }: Target, { method, headers, progress }: Sending) {
  const message = request({
    agent: endpoint.agent,
    protocol: url.protocol,
    host: url.hostname,
    port: url.port || undefined,
    method,
    path: url.pathname + url.search,
    headers: { ...headers, host: url.host },
    maxHeaderSize: MAX_HEADERS,
    ...{ progress },
  })
  endpoint.active += 1
  endpoint.lastUsed = performance.now()
  message.once('close', () => {
    endpoint.active -= 1
    endpoint.lastUsed = performance.now()
  })
  return message
}
