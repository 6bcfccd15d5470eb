import type { Routes } from './dial/routes.ts'
import { type Fault, failed, offline, platform } from './outcome.ts'

export type SystemError = Error & { code?: string; syscall?: string; address?: string }

/** No address of a host could be connected to. */
export class ConnectError extends Error {
  readonly errors: SystemError[]
  constructor(errors: SystemError[]) {
    super(errors.map(({ message }) => message).join('; '))
    this.errors = errors
  }
}

/** The phase of a request whose connection to the outbound proxy is not there yet. */
export const TO_PROXY = 'connecting to the outbound proxy'

/** A connection through the outbound proxy that was not made, and whose fault that is. */
export class ProxyFault extends Error {
  readonly fault: Fault
  constructor(fault: Fault) {
    super(fault.message)
    this.fault = fault
  }
}

/** Requests leave from addresses of the other family alone (PRICETAPE_EGRESS_ADDRESS). */
export class NoLocalAddress extends Error {
  readonly address: string
  constructor(address: string) {
    super(`no local address for ${address}`)
    this.address = address
  }
}

/** This machine could not do its part: no descriptors, no memory, or a rule of its own forbids the connection. */
const OURS = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EACCES', 'EPERM', 'EINVAL'])
/** Nothing was sent because there is no way there: whose fault that is, this machine's routes say. */
const NO_ROUTE = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'ENETDOWN', 'EHOSTDOWN'])
/** With a route there, these mean that the host or its network is away. */
const AWAY = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'EHOSTDOWN'])
const CLOSED = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED'])
const TLS = /^(?:ERR_TLS|ERR_SSL|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/

const isIPv6 = (error: SystemError) => error.address?.includes(':') === true

/** Whether {@link faultOf} needs to know this machine's routes to judge an error. */
export function needsRoutes(thrown: unknown): boolean {
  const { code, syscall } = representative(thrown)
  return syscall !== 'bind' && NO_ROUTE.has(code ?? '')
}

/**
 * Returns whose fault an error of a connection is, and which: the only place that knows Node's error codes.
 * @param phase what the request was waiting for
 * @param routes which address families have a route to the internet, and which had it before
 */
export function faultOf(thrown: unknown, phase: string, routes?: { now: Routes; before: Routes }): Fault {
  const error = representative(thrown)
  const code = error.code ?? ''
  if (error instanceof ProxyFault) return error.fault
  if (error instanceof NoLocalAddress) return noLocalAddress(error)
  if (error.syscall === 'bind') return platform(`PRICETAPE_EGRESS_ADDRESS is not an address of this machine (${code})`)
  const detail = `${error.message}`.split('\n')[0]?.slice(0, 300) ?? ''
  if (OURS.has(code)) return platform(`the request could not be made (${code}): ${detail}`)
  if (NO_ROUTE.has(code)) return noRoute(error, routes)
  if (code === 'ECONNREFUSED') return failed('connection_refused', 'the connection was refused')
  if (code === 'ETIMEDOUT') return failed('timeout', `no answer in time: ${phase}`)
  if (CLOSED.has(code)) return failed('connection_closed', `${endOf(error)} ${during(phase)}`)
  if (TLS.test(code)) return failed('tls_failed', `the TLS connection failed (${code}): ${detail}`)
  if (code === 'HPE_HEADER_OVERFLOW') return failed('bad_response', 'the response headers are too large')
  if (code.startsWith('HPE_')) return failed('bad_response', `the answer is not HTTP (${code}): ${detail}`)
  return failed('bad_response', `the answer cannot be read (${code || error.name}): ${detail}`)
}

/** Returns how a connection ended. A system call reports a reset; the end of the stream carries none. */
export const endOf = (error: SystemError): string =>
  error.code === 'ECONNRESET' && error.syscall !== undefined ? 'the connection was reset' : 'the connection was closed'

function during(phase: string): string {
  if (phase === 'connecting') return 'while connecting'
  if (phase === 'TLS handshake') return 'during the TLS handshake'
  if (phase === 'sending the request') return 'while the request was being sent'
  if (phase === 'reading the response headers') return 'in the middle of the response headers'
  return 'before the answer'
}

/**
 * A host that cannot be reached from a working network has failed. A machine that has lost its network, or its IPv4
 * half, cannot say anything about the host (docs/decisions/deliveries/2026-11-21-network-faults.md).
 */
function noRoute(error: SystemError, routes?: { now: Routes; before: Routes }): Fault {
  const code = error.code ?? ''
  const family = isIPv6(error) ? 'v6' : 'v4'
  const name = family === 'v6' ? 'IPv6' : 'IPv4'
  const { now, before } = routes ?? { now: { v4: true, v6: true }, before: { v4: true, v6: true } }
  if (now[family]) {
    if (AWAY.has(code)) return failed('unreachable', `no route to ${error.address ?? 'the host'} (${code})`)
    return platform(`the request could not be made (${code}): ${error.message}`)
  }
  if (!now.v4 && !now.v6) return offline('this machine has no route to the internet')
  if (family === 'v4') return offline('this machine has no IPv4 route to the internet')
  if (before.v6) return platform(`this machine has lost its ${name} route to the internet`)
  return failed('unreachable', 'the host has only IPv6 addresses, and there is no IPv6 route from here')
}

/** As where there is no IPv6 route: a host has to have an IPv4 address, and a sender too. */
const noLocalAddress = (error: NoLocalAddress): Fault =>
  isIPv6(error)
    ? failed('unreachable', 'the host has only IPv6 addresses, and our requests leave from an IPv4 address')
    : platform('PRICETAPE_EGRESS_ADDRESS names no IPv4 address')

/** Of the errors of several addresses, the one that says most: an internal error, then an address that was reached. */
function representative(thrown: unknown): SystemError {
  const error = thrown as SystemError
  const errors = thrown instanceof ConnectError ? thrown.errors : []
  const exhausted = errors.find(({ code }) => code !== undefined && /^E[MN]FILE$|^ENOBUFS$|^ENOMEM$/.test(code))
  const reached = errors.find(
    (item) => !(item instanceof NoLocalAddress) && !NO_ROUTE.has(item.code ?? '') && !OURS.has(item.code ?? ''),
  )
  return exhausted ?? reached ?? errors.find((item) => !isIPv6(item)) ?? errors[0] ?? error
}
