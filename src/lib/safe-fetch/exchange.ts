import type { ClientRequest, IncomingMessage } from 'node:http'
import { plural } from '../text/plural.ts'
import { answerText } from './answer-text.ts'
import { type Deadline, progressOf } from './deadline.ts'
import { type Endpoint, startRequest } from './dial/connections.ts'
import type { Target } from './dial/target.ts'
import { endOf, type SystemError } from './fault.ts'
import type { Fault } from './outcome.ts'

/** How much of the response body the log keeps (specification, Delivery). */
const KEPT_BODY_BYTES = 1024
/** A body up to here is read to its end, so that the connection can be used again; of a longer one no more is read. */
const READ_BODY_BYTES = 64 * 1024
/** How long the rest of a request may take to leave once its answer is complete. */
const UNREAD_MS = 200

export type PostBody = { headers: Record<string, string>; body: string }
/** What came of one POST: `error` or `fault` when the answer is not complete. */
export type Exchange = {
  /** The request went out on a connection that was used before. */
  reused: boolean
  phase: string
  status?: number
  /** The first bytes of the response body, as text. Present with a status. */
  response?: string
  bodyBytes: number
  error?: SystemError
  fault?: Fault
}

/** Makes one POST and reads its answer. Interim answers (1xx) are passed over, as RFC 9110 demands. */
export function exchange(endpoint: Endpoint, target: Target, post: PostBody, deadline: Deadline): Promise<Exchange> {
  const stop = new AbortController()
  const progress = progressOf(deadline, stop.signal)
  const headers = { ...post.headers, 'accept-encoding': 'identity', 'content-length': Buffer.byteLength(post.body) }
  const message = startRequest(endpoint, target, { method: 'POST', headers, progress })
  return new Promise((resolve) => {
    const reading = { status: undefined as number | undefined, bytes: 0, kept: [] as Buffer[] }
    let over = false
    function finish(end: { error?: SystemError; fault?: Fault }) {
      if (over) return
      over = true
      const { status, bytes, kept } = reading
      resolve({
        reused: message.reusedSocket,
        phase: deadline.phase,
        ...(status !== undefined && { status, response: answerText(Buffer.concat(kept), KEPT_BODY_BYTES) }),
        bodyBytes: bytes,
        ...end,
      })
      if (Object.keys(end).length > 0) message.destroy()
    }
    let first: SystemError | undefined
    const ending = watchEnd(message)
    // The first error says why. What arrived before it may still wait to be read.
    const fail = (error: SystemError) => {
      first ??= ending.isReset && error.code === 'ECONNRESET' ? Object.assign(error, { syscall: 'read' }) : error
      setImmediate(() => finish({ error: first }))
    }
    deadline.expired
      .then((fault) => {
        finish({ fault })
        stop.abort(new Error('too late'))
      })
      .catch(() => {})
    watchRequest(message, deadline, fail)
    message.on('response', (response) => {
      deadline.phase = 'reading the response body'
      reading.status = response.statusCode
      readBody(response, message, reading, { end: () => finish({}), fail })
    })
    message.end(post.body)
  })
}

/**
 * Notes whether a connection that ends was reset. Of a reset that comes together with the last bytes Node reports an end
 * as of any other; but then the socket has no peer any more, where one that the peer closed in order still has.
 */
function watchEnd(message: ClientRequest): { isReset: boolean } {
  const ending = { isReset: false }
  message.once('socket', (socket) => {
    const note = () => {
      ending.isReset = !socket.destroyed && socket.remoteAddress === undefined
    }
    socket.prependOnceListener('end', note)
    message.once('close', () => socket.off('end', note))
  })
  return ending
}

/** Follows a request until its answer begins, so that a failure can say how far it came. */
function watchRequest(message: ClientRequest, deadline: Deadline, fail: (error: SystemError) => void) {
  let received = 0
  message.once('socket', (socket) => {
    deadline.phase = 'sending the request'
    received = socket.bytesRead
  })
  message.once('finish', () => {
    if (deadline.phase === 'sending the request') deadline.phase = 'waiting for the response headers'
  })
  message.on('error', (error) => {
    const begun = (message.socket?.bytesRead ?? 0) > received
    if (begun && deadline.phase === 'waiting for the response headers') deadline.phase = 'reading the response headers'
    fail(error)
  })
  message.once('upgrade', (_response, socket) => {
    socket.destroy()
    fail(Object.assign(new Error('the answer switches to another protocol'), { code: 'UPGRADE' }))
  })
}

/** Reads a body to its end and keeps its beginning; ends once the connection is free for the next request. */
function readBody(
  response: IncomingMessage,
  message: ClientRequest,
  reading: { bytes: number; kept: Buffer[] },
  { end, fail }: { end: () => void; fail: (error: SystemError) => void },
) {
  response.on('data', (chunk: Buffer) => {
    if (reading.bytes < KEPT_BODY_BYTES) reading.kept.push(chunk.subarray(0, KEPT_BODY_BYTES - reading.bytes))
    reading.bytes += chunk.length
    if (reading.bytes <= READ_BODY_BYTES) return
    end()
    message.destroy()
  })
  response.on('error', fail)
  response.on('end', () => {
    if (message.closed) return end()
    // An endpoint that answers without reading the request leaves a connection that no one can use.
    const unread = setTimeout(() => message.destroy(), UNREAD_MS)
    message.once('close', () => {
      clearTimeout(unread)
      end()
    })
  })
}

/** Returns what came after a status, such as `HTTP 500, then the connection was reset after 312 bytes`. */
export function brokenAnswer({ status, bodyBytes, error }: Exchange, fault: Fault): string {
  const bytes = plural(bodyBytes, 'byte')
  if (error && fault.kind === 'failed' && fault.reason === 'connection_closed')
    return `HTTP ${status}, then ${endOf(error)} after ${bytes} of the body`
  return `HTTP ${status}, then ${fault.message} (${bytes} of the body came)`
}
