import type { Dispatcher } from 'undici'
import { SECOND } from '../instant.ts'
import { Deadline } from './deadline.ts'
import { faultOf } from './fault.ts'
import { type EarlierPost, elapsed, type Fault, type PostOutcome, timed } from './outcome.ts'
import type { Connections, createPools } from './pools.ts'
import type { FindTarget, Target } from './target.ts'

/** Over lookup, connection, TLS, headers and body together (specification, Limits). */
export const DELIVERY_TIMEOUT_MS = 5 * SECOND
/** How much of the response body the log keeps (specification, Delivery). */
const KEPT_BODY_BYTES = 1024
/** A body up to here is read to its end, so that the connection can be used again; of a longer one no more is read. */
const READ_BODY_BYTES = 64 * 1024

export type PostRequest = {
  headers: Record<string, string>
  body: string
  /** Whose connections to use; by default the URL's own. */
  endpoint?: string
  /** Stops the request: the outcome is then a fault of ours. */
  signal?: AbortSignal
}

type Reply = { kind: 'reply'; status: number; chunks: Buffer[] }

/** Sends one signed delivery. Never throws for what the other side did, and never follows a redirect. */
export async function post(
  pools: ReturnType<typeof createPools>,
  findTarget: FindTarget,
  text: string,
  request: PostRequest,
): Promise<PostOutcome> {
  const deadline = new Deadline(DELIVERY_TIMEOUT_MS, request.signal)
  try {
    const target = await Promise.race([findTarget(text, ['https:']), deadline.expired])
    if (target.kind !== 'target') return timed(target, deadline.startedAt)
    const endpoint = request.endpoint ?? text
    const connections = pools.of(endpoint, target)
    const reused = connections.pool.stats.free > 0
    const sentAt = performance.now()
    let earlier: { earlierPosts?: EarlierPost[] } = {}
    let reply = await exchange(connections, target, request, deadline)
    // A server may close an idle connection at the moment it is used again. Nothing tells that from a refusal, so the
    // request, which its id makes safe to repeat, is sent once more on a new connection (docs/decisions/outbound-connections.md).
    if (reused && reply.kind === 'failed' && reply.reason === 'connection_closed' && reply.status === undefined) {
      const startedAfterMs = Math.round(sentAt - deadline.startedAt)
      earlier = { earlierPosts: [{ startedAfterMs, durationMs: elapsed(sentAt), message: reply.message }] }
      reply = await exchange(pools.renewed(endpoint, target), target, request, deadline)
    }
    if (reply.kind !== 'reply') return { ...timed(reply, deadline.startedAt), ...earlier }
    const response = storableText(Buffer.concat(reply.chunks))
    return { kind: 'answer', status: reply.status, response, durationMs: elapsed(deadline.startedAt), ...earlier }
  } finally {
    deadline.clear()
  }
}

function exchange(
  connections: Connections,
  { url }: Target,
  request: PostRequest,
  deadline: Deadline,
): Promise<Reply | Fault> {
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined
    let over = false
    let status = 0
    let read = 0
    const chunks: Buffer[] = []

    function settle(result: Reply | Fault) {
      if (over) return
      over = true
      resolve(result.kind === 'failed' && status > 0 ? { ...result, status } : result)
    }
    function cut(result: Reply | Fault) {
      settle(result)
      controller?.abort(new Error('no more is wanted of this answer'))
    }

    deadline.phase = 'connecting'
    deadline.expired
      .then((fault) => {
        if (deadline.phase !== 'connecting' || connections.handshakes === 0) return cut(fault)
        if (fault.kind === 'platform') return cut(fault)
        return cut({ ...fault, message: fault.message.replace(/connecting$/, 'TLS handshake') })
      })
      .catch(() => {})

    connections.pool.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST',
        headers: { ...request.headers, 'accept-encoding': 'identity' },
        body: request.body,
        headersTimeout: 0, // the deadline is over everything
        bodyTimeout: 0,
      },
      {
        onRequestStart(started) {
          controller = started
          if (over) started.abort(new Error('too late'))
          deadline.phase = 'waiting for the response headers'
        },
        onResponseStart(_controller, code) {
          if (code < 200) return
          status = code
          deadline.phase = 'reading the response body'
        },
        onResponseData(_controller, chunk) {
          if (read < KEPT_BODY_BYTES) chunks.push(Buffer.from(chunk.subarray(0, KEPT_BODY_BYTES - read)))
          read += chunk.length
          if (read > READ_BODY_BYTES) cut({ kind: 'reply', status, chunks })
        },
        // undici frees a connection two turns after its answer; the next request then finds it instead of opening one.
        onResponseEnd: () => setImmediate(() => setImmediate(settle, { kind: 'reply', status, chunks })),
        onResponseError: (_controller, error) => settle(faultOf(error)),
      },
    )
  })
}

/** Bytes as text: what is not UTF-8 replaced, no NUL (PostgreSQL has none), at most as long as before, no half character. */
function storableText(bytes: Buffer): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true })
    .decode(bytes, { stream: bytes.length >= KEPT_BODY_BYTES })
    .replaceAll('\0', '\uFFFD')
  if (Buffer.byteLength(text) <= KEPT_BODY_BYTES) return text
  const cut = Buffer.from(text).subarray(0, KEPT_BODY_BYTES)
  return new TextDecoder().decode(cut, { stream: true })
}
