import type { IncomingMessage } from 'node:http'
import { parseUrl } from '../http/parse-url.ts'
import { MINUTE, SECOND } from '../instant.ts'
import { BadEncoding, readBody, TooLarge } from './body.ts'
import { Deadline, progressOf } from './deadline.ts'
import { type createConnections, startRequest } from './dial/connections.ts'
import type { FindTarget, Target } from './dial/target.ts'
import type { JudgeFault } from './judge-fault.ts'
import { elapsed, type Fault, failed, type GetOutcome, platform, timed } from './outcome.ts'

const MAX_REDIRECTS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024
const DEFAULT_TIMEOUT_MS = 2 * MINUTE
const DEFAULT_IDLE_MS = 20 * SECOND

export type GetRequest = {
  /** Further headers; they are not sent on when a redirect leaves the origin. */
  headers?: Record<string, string>
  /** A question, in JSON unless a header says otherwise: it is sent with POST, and no redirect is followed with it. */
  body?: string
  /** An answer that leads elsewhere is returned as it is. */
  followsNone?: boolean
  /** Validators of the copy at hand: an unchanged source answers 304. */
  etag?: string
  lastModified?: string
  /** Limit of the body, both as transferred and as decompressed. */
  maxBytes?: number
  /** The body is read so far and no further; of a longer one this part is the answer. */
  firstBytes?: number
  /** Over the whole request with its redirects, and between any two pieces of the answer. */
  timeoutMs?: number
  idleMs?: number
  signal?: AbortSignal
}

type Hop = { kind: 'hop'; response: IncomingMessage; target: Target }
export type GetTools = {
  connections: ReturnType<typeof createConnections>
  findTarget: FindTarget
  judgeFault: JudgeFault
  userAgent: string
  allowPrivate: boolean
}
/** A request that broke, where it went, and the error. */
class BrokenRequestError extends Error {
  readonly target: Target
  readonly error: Error
  constructor(target: Target, error: Error) {
    super(error.message)
    this.target = target
    this.error = error
  }
}

/** Reads a source. Never throws for what the other side did; follows up to 5 redirects, each checked like the first. */
export async function get(tools: GetTools, text: string, request: GetRequest): Promise<GetOutcome> {
  const deadline = new Deadline(request.timeoutMs ?? DEFAULT_TIMEOUT_MS, request.signal)
  const stop = new AbortController()
  const expired = deadline.expired.then((fault) => {
    stop.abort(new Error('too late'))
    return fault
  })
  try {
    const result = await Promise.race([read(tools, text, request, deadline, stop.signal), expired])
    if (result.kind !== 'answer') return timed(result, deadline.startedAt)
    return { ...result, durationMs: elapsed(deadline.startedAt) }
  } finally {
    deadline.clear()
    stop.abort(new Error('done'))
  }
}

async function read(tools: GetTools, text: string, request: GetRequest, deadline: Deadline, signal: AbortSignal) {
  try {
    const hop = await follow(tools, text, request, deadline, signal)
    if (hop.kind !== 'hop') return hop
    deadline.phase = 'reading the response body'
    const headers = joined(hop.response)
    const { statusCode: status = 0 } = hop.response
    const bytes = await readBody(
      hop.response,
      headers['content-encoding'],
      request.maxBytes ?? DEFAULT_MAX_BYTES,
      request.firstBytes,
    ).catch((error: Error) => {
      throw error instanceof TooLarge || error instanceof BadEncoding
        ? error
        : new BrokenRequestError(hop.target, error)
    })
    return { kind: 'answer' as const, status, headers, bytes, url: hop.target.url.href }
  } catch (error) {
    if (error instanceof TooLarge) return failed('too_large', error.message)
    if (error instanceof BadEncoding) return failed('bad_response', error.message)
    if (!(error instanceof BrokenRequestError))
      return platform(`the request could not be made: ${(error as Error).message}`)
    const endpoint = tools.connections.find(ownerOf(error.target), error.target)
    return (await tools.judgeFault({ phase: deadline.phase, error: error.error }, error.target, endpoint)) as Fault
  }
}

async function follow(
  tools: GetTools,
  text: string,
  request: GetRequest,
  deadline: Deadline,
  signal: AbortSignal,
): Promise<Hop | Fault> {
  let next = text
  let first: URL | undefined
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    deadline.phase = 'looking up the host name'
    const target = await tools.findTarget(next, ['https:', 'http:'])
    if (target.kind !== 'target') return target
    first ??= target.url
    const response = await send(tools, target, request, deadline, target.url.origin === first.origin, signal)
    const { location } = joined(response)
    const isRedirect = REDIRECTS.has(response.statusCode ?? 0) && location !== undefined
    if (!isRedirect || request.followsNone) return { kind: 'hop', response, target }
    response.on('error', () => {}).destroy()
    if (request.body !== undefined) return failed('bad_redirect', 'the answer to a question leads elsewhere')
    const to = parseUrl(location, target.url.href)
    if (!to) return failed('bad_redirect', 'the redirect names no URL')
    to.hash = ''
    if (target.url.protocol === 'https:' && to.protocol === 'http:' && !tools.allowPrivate)
      return failed('bad_redirect', `the redirect leaves https: ${to.origin}`)
    next = to.href
  }
  return failed('bad_redirect', `more than ${MAX_REDIRECTS} redirects`)
}

function send(
  tools: GetTools,
  target: Target,
  request: GetRequest,
  deadline: Deadline,
  sameOrigin: boolean,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const idle = request.idleMs ?? DEFAULT_IDLE_MS
  const progress = progressOf(deadline, signal)
  const headers = headersOf(tools, request, sameOrigin)
  const endpoint = tools.connections.find(ownerOf(target), target)
  const method = request.body === undefined ? 'GET' : 'POST'
  const message = startRequest(endpoint, target, { method, headers, progress })
  return new Promise((resolve, reject) => {
    let response: IncomingMessage | undefined
    const fail = (error: Error) => reject(new BrokenRequestError(target, error))
    message.setTimeout(idle, () => {
      const late = Object.assign(new Error(`nothing came for ${idle / SECOND} s`), { code: 'ETIMEDOUT' })
      const waiting = response ?? message
      waiting.destroy(late)
    })
    message.once('socket', () => {
      deadline.phase = 'waiting for the response headers'
    })
    message.on('error', fail)
    message.on('response', (started) => {
      response = started
      // The reader of the body sees its errors; until then, and after a redirect, no one does.
      resolve(started.on('error', () => {}))
    })
    message.once('upgrade', (_response, socket) => {
      socket.destroy()
      fail(new Error('the answer switches to another protocol'))
    })
    const stop = () => message.destroy(signal.reason)
    signal.addEventListener('abort', stop)
    message.once('close', () => signal.removeEventListener('abort', stop))
    message.end(request.body)
  })
}

function headersOf({ userAgent }: GetTools, request: GetRequest, sameOrigin: boolean) {
  return {
    accept: '*/*',
    ...(request.body !== undefined && {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(request.body),
    }),
    ...(sameOrigin && request.headers),
    'user-agent': userAgent,
    'accept-encoding': 'gzip, br',
    ...(request.etag !== undefined && { 'if-none-match': request.etag }),
    ...(request.lastModified !== undefined && { 'if-modified-since': request.lastModified }),
  }
}

const ownerOf = ({ url }: Target): string => `get ${url.origin}`

function joined({ headersDistinct }: IncomingMessage): Record<string, string> {
  const entries = Object.entries(headersDistinct).map(([name, values]) => [name, (values ?? []).join(', ')])
  return Object.fromEntries(entries)
}
