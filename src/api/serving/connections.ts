import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { clientAddress } from '../../accounts/limits/client-address-rules.ts'
import { SECOND } from '../../lib/instant.ts'
import { connectRefused, unreadableRequest } from '../errors.ts'
import { type ConnectionLimits, longestWaiting } from './connection-rules.ts'
import { sendInPieces } from './pieces.ts'

/** Room for the longest cursor we hand out, beside every other header. */
const MAX_HEADER_BYTES = 48 * 1024
/** How often time limits are checked. */
const SWEEP_MS = SECOND / 2
/** A refused client has this long to read why. */
const LINGER_MS = SECOND

/** After an answer larger than this that needs no key, requests that wait on its connection are not answered. */
const LARGE_BYTES = 64 * 1024

/** The path needs no API key: anyone can have its answers sent. */
const isOpen = ({ url = '' }: IncomingMessage): boolean => !url.startsWith('/v1/')

type Exchange = { request: IncomingMessage; response: ServerResponse }

/** One client connection. Its requests are answered one after another, so it never holds more than one answer. */
class Connection {
  readonly waiting: Exchange[] = []
  current?: Exchange
  since = performance.now()
  private sendingSince?: number
  readonly socket: Socket
  readonly address: string

  constructor(socket: Socket, address: string) {
    this.socket = socket
    this.address = address
  }

  /** A request is being worked on: nothing of its answer has been written. */
  get working(): boolean {
    return this.current !== undefined && !this.current.response.headersSent
  }

  begin(exchange: Exchange | undefined): void {
    this.current = exchange
    this.sendingSince = undefined
    this.since = performance.now()
    if (exchange) this.socket.setTimeout(0)
  }

  /** Closes the connection when its client does not take an answer that is ready. */
  checkSending(limits: ConnectionLimits): void {
    if (!this.current?.response.headersSent) return
    if (this.sendingSince === undefined) {
      this.sendingSince = performance.now()
      // Node counts every byte that leaves as activity, and destroys the socket when none does.
      this.socket.setTimeout(limits.stalledMs)
    }
    if (performance.now() - this.sendingSince > limits.answerMs) this.socket.destroy()
  }
}

/**
 * Keeps what clients can make the server hold within limits, before any request is understood: connections in all and
 * per address, time for each phase, waiting requests and unread answers per connection.
 */
export class Connections {
  private readonly bySocket = new Map<Socket, Connection>()
  private readonly byAddress = new Map<string, Set<Connection>>()
  private readonly limits: ConnectionLimits
  private readonly isTrusted: (address: string) => boolean

  constructor(limits: ConnectionLimits, isTrusted: (address: string) => boolean) {
    this.limits = limits
    this.isTrusted = isTrusted
  }

  /** Returns an HTTP server whose connections are counted and limited here. */
  createServer(handler: RequestListener): Server {
    const { headersMs, requestMs, keepAliveMs } = this.limits
    const server = createServer({
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: SWEEP_MS,
      // Answered by a hook in the shape of every other error.
      requireHostHeader: false,
    })
    const onRequest = (request: IncomingMessage, response: ServerResponse) =>
      this.enqueue({ request, response }, handler)
    server.on('connection', (socket) => this.accept(socket))
    server.on('request', onRequest)
    server.on('checkExpectation', onRequest)
    server.on('connect', (_request, socket) => this.answerRaw(connectRefused(), socket as Socket))
    server.on('clientError', (error, socket) => this.refuse(error, socket as Socket))
    const sweep = setInterval(() => {
      for (const connection of this.bySocket.values()) connection.checkSending(this.limits)
    }, SWEEP_MS)
    sweep.unref()
    server.on('close', () => clearInterval(sweep))
    return server
  }

  /** Closes what waits at once, and everything else when its time is over. */
  close(): void {
    for (const connection of this.bySocket.values()) if (!connection.current) connection.socket.destroy()
    setTimeout(() => {
      for (const socket of this.bySocket.keys()) socket.destroy()
    }, this.limits.closeMs).unref()
  }

  private accept(socket: Socket): void {
    const ip = socket.remoteAddress ?? ''
    const address = this.isTrusted(ip) ? `proxy ${ip}` : clientAddress(ip)
    const neighbours = this.byAddress.get(address) ?? new Set()
    const addressIsFull = !this.isTrusted(ip) && neighbours.size >= this.limits.perAddress
    const isFull = this.bySocket.size >= this.limits.connections
    if (addressIsFull || isFull) {
      const evicted = longestWaiting(addressIsFull ? neighbours : this.bySocket.values())
      if (!evicted) return void socket.destroy()
      this.forget(evicted)
      evicted.socket.destroy()
    }
    const connection = new Connection(socket, address)
    this.bySocket.set(socket, connection)
    this.byAddress.set(address, neighbours.add(connection))
    socket.once('close', () => this.forget(connection))
  }

  private forget(connection: Connection): void {
    this.bySocket.delete(connection.socket)
    connection.waiting.length = 0
    const neighbours = this.byAddress.get(connection.address)
    neighbours?.delete(connection)
    if (neighbours?.size === 0) this.byAddress.delete(connection.address)
  }

  private enqueue(exchange: Exchange, handler: RequestListener): void {
    const connection = this.bySocket.get(exchange.request.socket)
    if (!connection || connection.socket.destroyed || connection.socket.writableEnded) return
    if (!connection.current) this.answer(connection, exchange, handler)
    else if (connection.waiting.length < this.limits.pipelined) connection.waiting.push(exchange)
    else connection.socket.destroy()
  }

  private answer(connection: Connection, exchange: Exchange, handler: RequestListener): void {
    connection.begin(exchange)
    sendInPieces(exchange.response)
    const sentBefore = connection.socket.bytesWritten
    exchange.response.once('close', () => {
      if (connection.waiting.length === 0) return connection.begin(undefined)
      const sent = connection.socket.bytesWritten - sentBefore
      if (sent > LARGE_BYTES && isOpen(exchange.request)) return this.endAfterAnswer(connection)
      // Other connections have their turn first: a row of waiting requests would otherwise be answered in one.
      setImmediate(() => this.answerNext(connection, handler))
    })
    handler(exchange.request, exchange.response)
  }

  private answerNext(connection: Connection, handler: RequestListener): void {
    const next = connection.waiting.shift()
    if (next && !connection.socket.destroyed) this.answer(connection, next, handler)
    else connection.begin(undefined)
  }

  /** Drops what waits on a connection. Its client receives the whole answer, and may send the others again. */
  private endAfterAnswer(connection: Connection): void {
    connection.waiting.length = 0
    connection.socket.end()
    setTimeout(() => connection.socket.destroy(), LINGER_MS).unref()
  }

  /** Tells a client why its request cannot be read, if no answer is under way, and closes the connection. */
  private refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    if (socket.writableEnded) return
    if (!socket.writable || this.bySocket.get(socket)?.current) return void socket.destroy()
    this.answerRaw(unreadableRequest(error.code), socket)
  }

  private answerRaw(answer: string, socket: Socket): void {
    socket.end(answer)
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  }
}
