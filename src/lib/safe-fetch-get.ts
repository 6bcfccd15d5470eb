import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { MINUTE, SECOND } from './instant.ts'
import { Deadline } from './safe-fetch-deadline.ts'
import { faultOf } from './safe-fetch-fault.ts'
import { elapsed, type Fault, failed, type GetOutcome, timed } from './safe-fetch-outcome.ts'
import type { createPools } from './safe-fetch-pools.ts'
import type { FindTarget, Target } from './safe-fetch-target.ts'

export const MAX_REDIRECTS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024
const DEFAULT_TIMEOUT_MS = 2 * MINUTE
const DEFAULT_IDLE_MS = 20 * SECOND
/** Small steps, so that a compressed bomb is noticed soon after it passes the limit. */
const INFLATE_CHUNK = 64 * 1024

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

class TooLarge extends Error {}
class BadEncoding extends Error {}

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
    const bytes = await readBody(hop.response, headers, request.maxBytes ?? DEFAULT_MAX_BYTES)
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

async function readBody(response: Dispatcher.ResponseData, headers: Record<string, string>, maxBytes: number) {
  const tooLarge = () => new TooLarge(`the body is larger than ${maxBytes} bytes`)
  const body: Readable = response.body
  let transferred = 0
  const limited = async function* () {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      transferred += chunk.length
      if (transferred > maxBytes) throw tooLarge()
      yield chunk
    }
  }
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of decoded(limited(), headers['content-encoding'])) {
      size += chunk.length
      if (size > maxBytes) throw tooLarge()
      chunks.push(chunk)
    }
  } finally {
    body.on('error', () => {}).destroy()
  }
  return new Uint8Array(Buffer.concat(chunks))
}

const DECODERS = {
  gzip: () => createGunzip({ chunkSize: INFLATE_CHUNK }),
  'x-gzip': () => createGunzip({ chunkSize: INFLATE_CHUNK }),
  deflate: () => createInflate({ chunkSize: INFLATE_CHUNK }),
  br: () => createBrotliDecompress({ chunkSize: INFLATE_CHUNK }),
} as const

async function* decoded(source: AsyncIterable<Buffer>, encoding = 'identity'): AsyncGenerator<Buffer> {
  const name = encoding.trim().toLowerCase()
  if (name === 'identity' || name === '') return yield* source
  const create = DECODERS[name as keyof typeof DECODERS]
  // Several encodings one over another are how a bomb multiplies, and no source needs them.
  if (!create) throw new BadEncoding(`the content encoding ${name.slice(0, 40)} is not understood`)
  const decoder = create()
  const feeding = feed(source, decoder)
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) yield chunk
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    if (/^Z_|BROTLI|ERR__ERROR/.test(code))
      throw new BadEncoding(`the ${name} encoding of the body is damaged (${code})`)
    throw error
  } finally {
    decoder.destroy()
    await feeding
  }
}

async function feed(source: AsyncIterable<Buffer>, decoder: ReturnType<(typeof DECODERS)['gzip' | 'br']>) {
  try {
    for await (const chunk of source) {
      if (decoder.destroyed) return
      if (!decoder.write(chunk)) await drained(decoder)
    }
    decoder.end()
  } catch (error) {
    decoder.destroy(error as Error)
  }
}

const drained = (decoder: ReturnType<(typeof DECODERS)['gzip' | 'br']>) =>
  new Promise<void>((done) => decoder.once('drain', done).once('close', done))

function plain(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value ?? ''].flat().join(', ')])
  return Object.fromEntries(entries)
}
