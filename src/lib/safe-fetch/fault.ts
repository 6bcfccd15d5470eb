import { type Fault, failed, platform } from './outcome.ts'

type SystemError = Error & { code?: string; errors?: SystemError[]; address?: string }

/** This machine could not do its part: no descriptors, no memory, no route, a local firewall. */
const OURS = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EACCES', 'EPERM', 'EADDRNOTAVAIL', 'ENETDOWN'])
const BUGS = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_DESTROYED', 'UND_ERR_CLOSED', 'UND_ERR_NOT_SUPPORTED'])
const LATE = new Set(['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])
const CLOSED = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'UND_ERR_SOCKET'])
const TLS = /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/

/** Whose fault an error of a connection is, and which: the one place that knows the codes of Node and undici. */
export function faultOf(thrown: unknown): Fault {
  const error = representative(thrown as SystemError)
  const code = error.code ?? ''
  const detail = `${error.message}`.split('\n')[0]?.slice(0, 300) ?? ''
  if (OURS.has(code) || BUGS.has(code)) return platform(`the request could not be made (${code}): ${detail}`)
  if (code === 'ENETUNREACH') {
    // Without IPv6 here, an endpoint that has nothing else cannot be reached; without any route, the fault is ours.
    if (error.address?.includes(':')) return failed('unreachable', `no route to ${error.address}`)
    return platform('no route to the internet')
  }
  if (code === 'ECONNREFUSED') return failed('connection_refused', 'the connection was refused')
  if (code === 'EHOSTUNREACH' || code === 'EHOSTDOWN') return failed('unreachable', 'the host could not be reached')
  if (TLS.test(code)) return failed('tls_failed', `the TLS connection failed (${code}): ${detail}`)
  if (LATE.has(code)) return failed('timeout', 'no answer in time')
  if (code === 'UND_ERR_SOCKET' && error.message.startsWith('bad '))
    return failed('bad_response', 'the answer switches to another protocol')
  if (CLOSED.has(code)) return failed('connection_closed', `the connection was closed before the answer: ${detail}`)
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return failed('bad_response', 'the response headers are too large')
  return failed('bad_response', `the answer is not HTTP (${code || error.name}): ${detail}`)
}

/** Of the errors of several addresses, the one that says most: a missing IPv6 route hides no real answer. */
function representative(error: SystemError): SystemError {
  const errors = error.errors ?? []
  return errors.find(({ code }) => code !== 'ENETUNREACH') ?? errors[0] ?? error
}
