import type { LookupAddress } from 'node:dns'
import { isIP, type Socket } from 'node:net'
import { type SecureContext, type TLSSocket, connect as tlsConnect } from 'node:tls'
import { SECOND } from '../../instant.ts'
import { ConnectError } from '../fault.ts'
import type { Dial } from './dial.ts'
import type { KeptSession } from './tls-sessions.ts'

/** Of a host's checked addresses, how many are tried. */
const MAX_ADDRESSES = 6
/** How long an address has before the next one is tried beside it (RFC 8305). */
const HEAD_START_MS = SECOND

export type Progress = {
  /** What the request is waiting for, as a message names it. */
  phase: string
  /** Breaks the connection attempt off. */
  signal: AbortSignal
}
export type TlsOptions = { host: string; secureContext: SecureContext; session: KeptSession }

/**
 * Connects to the first of these addresses that accepts.
 * @throws ConnectError with the error of every address
 */
export function connectToFirst(
  addresses: LookupAddress[],
  port: number,
  signal: AbortSignal,
  dial: Dial,
): Promise<Socket> {
  const waiting = alternate(addresses).slice(0, MAX_ADDRESSES)
  const over = new AbortController()
  const errors: Error[] = []
  let trying = 0
  let timer: NodeJS.Timeout | undefined
  return new Promise((resolve, reject) => {
    function finish(winner?: Socket) {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      waiting.length = 0
      over.abort()
      if (winner) resolve(winner)
      else reject(new ConnectError(errors))
    }
    function stop() {
      errors.push(signal.reason)
      finish()
    }
    function tryNext() {
      clearTimeout(timer)
      const next = waiting.shift()
      if (!next) return trying === 0 ? finish() : undefined
      trying += 1
      dial(next, port, over.signal).then(
        (socket) => (over.signal.aborted ? socket.destroy() : finish(socket)),
        (error: Error) => {
          trying -= 1
          if (over.signal.aborted) return
          errors.push(error)
          tryNext()
        },
      )
      timer = setTimeout(tryNext, HEAD_START_MS)
    }
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop)
    tryNext()
  })
}

/** Makes TLS of a connection: verified against the host name, whatever NODE_TLS_REJECT_UNAUTHORIZED says. */
export function startTls(raw: Socket, options: TlsOptions, signal: AbortSignal): Promise<TLSSocket> {
  const { host, secureContext, session: kept } = options
  const session = kept.usable()
  return new Promise((resolve, reject) => {
    const socket = tlsConnect({
      socket: raw,
      host,
      servername: isIP(host) ? '' : host,
      rejectUnauthorized: true,
      secureContext,
      ALPNProtocols: ['http/1.1'],
      ...(session && { session }),
    })
    const stop = () => socket.destroy(signal.reason)
    signal.addEventListener('abort', stop)
    socket.on('error', (error) => {
      kept.forget()
      reject(error)
    })
    if (signal.aborted) stop()
    socket.once('close', () => {
      signal.removeEventListener('abort', stop)
      reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' }))
    })
    socket.once('secureConnect', () => {
      signal.removeEventListener('abort', stop)
      // Kept only once the certificate was verified: a resumed session is not verified again.
      const isVerified = !socket.isSessionReused()
      socket.on('session', (next) => kept.keep(next, isVerified))
      resolve(socket)
    })
  })
}

/** IPv4 and IPv6 by turns (RFC 8305), so that a broken family does not use up the attempts. */
function alternate(addresses: LookupAddress[]): LookupAddress[] {
  const v4 = addresses.filter(({ family }) => family === 4)
  const v6 = addresses.filter(({ family }) => family === 6)
  const longer = Math.max(v4.length, v6.length)
  return Array.from({ length: longer }, (_, at) => [v4[at], v6[at]])
    .flat()
    .filter((address) => address !== undefined)
}
