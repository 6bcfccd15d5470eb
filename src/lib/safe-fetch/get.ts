import type { Dispatcher } from 'undici'
import { MINUTE, SECOND } from '../instant.ts'
import { BadEncoding, readBody, TooLarge } from './body.ts'
import { Deadline } from './deadline.ts'
import { faultOf } from './fault.ts'
import { elapsed, type Fault, failed, type GetOutcome, timed } from './outcome.ts'
import type { createPools } from './pools.ts'
import type { FindTarget, Target } from './target.ts'

const MAX_REDIRECTS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024
const DEFAULT_TIMEOUT_MS = 2 * MINUTE
const DEFAULT_IDLE_MS = 20 * SECOND

export type GetRequest = {
  /** Further headers; they are not sent on when a redirect leaves the origin. */
  headers?: Record<string, string>
  /** Validators of the copy at hand: an unchanged source answers 304. */
  etag?: string
  lastModified?: string
  /** Limit of the body, both as transferred and as decompressed. */
  maxBytes?: number
  /** Over the whole request with its redirects, and between any two pieces of the answer. */
  timeoutMs?: number
  idleMs?: number
  signal?: AbortSignal
}

type Hop = { kind: 'hop'; response: Dispatcher.ResponseData; url: URL }
type Tools = { pools: ReturnType<typeof createPools>; findTarget: FindTarget; userAgent: string; allowPrivate: boolean }

/** Reads a source. Never throws for what the other side did; follows up to 5 redirects, each checked like the first. */
export async function get(tools: Tools, text: string, request: GetRequest): Promise<GetOutcome> {
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

async function read(tools: Tools, text: string, request: GetRequest, deadline: Deadline, signal: AbortSignal) {
  try {
    const hop = await follow(tools, text, request, deadline, signal)
    if (hop.kind !== 'hop') return hop
    deadline.phase = 'reading the response body'
    const headers = plain(hop.response.headers)
    const bytes = await readBody(hop.response.body, headers['content-encoding'], request.maxBytes ?? DEFAULT_MAX_BYTES)
    return { kind: 'answer' as const, status: hop.response.statusCode, headers, bytes, url: hop.url.href }
  } catch (error) {
    if (error instanceof TooLarge) return failed('too_large', error.message)
    if (error instanceof BadEncoding) return failed('bad_response', error.message)
    return faultOf(error)
  }
}

async function follow(
  tools: Tools,
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
    deadline.phase = 'waiting for the response headers'
    const response = await send(tools, target, request, target.url.origin === first.origin, signal)
    const location = plain(response.headers).location
    if (!REDIRECTS.has(response.statusCode) || location === undefined) return { kind: 'hop', response, url: target.url }
    response.body.on('error', () => {}).destroy()
    if (!URL.canParse(location, target.url.href)) return failed('bad_redirect', 'the redirect names no URL')
    const to = new URL(location, target.url)
    to.hash = ''
    if (target.url.protocol === 'https:' && to.protocol === 'http:' && !tools.allowPrivate)
      return failed('bad_redirect', `the redirect leaves https: ${to.origin}`)
    next = to.href
  }
  return failed('bad_redirect', `more than ${MAX_REDIRECTS} redirects`)
}

function send(tools: Tools, target: Target, request: GetRequest, sameOrigin: boolean, signal: AbortSignal) {
  const idle = request.idleMs ?? DEFAULT_IDLE_MS
  return tools.pools.of(`get ${target.url.origin}`, target).pool.request({
    origin: target.url.origin,
    path: target.url.pathname + target.url.search,
    method: 'GET',
    headers: {
      accept: '*/*',
      ...(sameOrigin && request.headers),
      'user-agent': tools.userAgent,
      'accept-encoding': 'gzip, br',
      ...(request.etag !== undefined && { 'if-none-match': request.etag }),
      ...(request.lastModified !== undefined && { 'if-modified-since': request.lastModified }),
    },
    headersTimeout: idle,
    bodyTimeout: idle,
    signal,
  })
}

function plain(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value ?? ''].flat().join(', ')])
  return Object.fromEntries(entries)
}
