import { describe, expect, test } from 'vitest'
import {
  ConnectError,
  endOf,
  faultOf,
  NoLocalAddress,
  needsRoutes,
  ProxyFault,
  type SystemError,
} from '../../../src/lib/safe-fetch/fault.ts'
import { elapsed, failed, offline, platform, timed } from '../../../src/lib/safe-fetch/outcome.ts'

const error = (code: string, address?: string, message = code) => Object.assign(new Error(message), { code, address })

const PHASE = 'waiting for the response headers'
const both = { v4: true, v6: true }
const neither = { v4: false, v6: false }
const v4only = { v4: true, v6: false }
const v6only = { v4: false, v6: true }
const HOST4 = '93.184.216.34'
const HOST6 = '2606:4700::1111'

describe('whose fault a broken connection is', () => {
  test.each(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EACCES', 'EPERM', 'EINVAL'])('%s is ours', (code) =>
    expect(faultOf(error(code), PHASE).kind).toBe('platform'),
  )

  test.each([
    ['ECONNREFUSED', 'connection_refused'],
    ['ETIMEDOUT', 'timeout'],
    ['ECONNRESET', 'connection_closed'],
    ['EPIPE', 'connection_closed'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls_failed'],
    ['CERT_HAS_EXPIRED', 'tls_failed'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls_failed'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls_failed'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls_failed'],
    ['HPE_INVALID_CONSTANT', 'bad_response'],
    ['HPE_HEADER_OVERFLOW', 'bad_response'],
  ])('%s is theirs: %s', (code, reason) =>
    expect(faultOf(error(code), PHASE)).toMatchObject({ kind: 'failed', reason }),
  )

  test('a message is one short line', () => {
    const fault = faultOf(error('ERR_SSL_X', undefined, `first\n${'x'.repeat(5_000)}`), PHASE)
    expect(fault.message).not.toMatch(/\n/)
    expect(faultOf(error('ERR_SSL_X', undefined, 'x'.repeat(5_000)), PHASE).message.length).toBeLessThan(400)
  })
})

describe('whose fault a missing route is', () => {
  test.each([
    ['an unreachable network behind a working route', 'ENETUNREACH', HOST4, both, both, 'unreachable'],
    ['an unreachable host behind a working route', 'EHOSTUNREACH', HOST4, both, both, 'unreachable'],
    ['an unreachable IPv6 host behind a working route', 'EHOSTUNREACH', HOST6, both, both, 'unreachable'],
    ['an IPv6 host where IPv6 never was', 'ENETUNREACH', HOST6, v4only, v4only, 'unreachable'],
    ['an IPv6 host where the kernel has no IPv6', 'EAFNOSUPPORT', HOST6, v4only, v4only, 'unreachable'],
    ['an IPv6 host where no interface has an IPv6 address', 'EADDRNOTAVAIL', HOST6, v4only, v4only, 'unreachable'],
    ['an IPv6 host whose route was lost', 'ENETUNREACH', HOST6, v4only, both, 'platform'],
    ['an IPv4 host where IPv4 was lost', 'ENETUNREACH', HOST4, v6only, both, 'platform'],
    ['an IPv4 host where IPv4 never was', 'ENETUNREACH', HOST4, v6only, v6only, 'platform'],
    ['an IPv4 host without any route', 'ENETUNREACH', HOST4, neither, both, 'platform'],
    ['an IPv6 host without any route', 'ENETUNREACH', HOST6, neither, v4only, 'platform'],
    ['all ports in use', 'EADDRNOTAVAIL', HOST4, both, both, 'platform'],
    ['an interface that is down', 'ENETDOWN', HOST4, both, both, 'platform'],
  ])('%s', (_title, code, address, now, before, expected) => {
    const fault = faultOf(new ConnectError([error(code, address)]), 'connecting', { now, before })
    expect(fault.kind === 'failed' ? fault.reason : fault.kind).toBe(expected)
  })
})

describe('of the errors of several addresses', () => {
  const faultOfAll = (...errors: Error[]) =>
    faultOf(new ConnectError(errors), 'connecting', { now: v4only, before: v4only })

  test('the address that was reached decides', () => {
    const fault = faultOfAll(error('ENETUNREACH', HOST6), error('ECONNREFUSED', HOST4))
    expect(fault).toMatchObject({ kind: 'failed', reason: 'connection_refused' })
  })

  test('a machine without free descriptors decides, because it did not try every address', () => {
    expect(faultOfAll(error('ECONNREFUSED', HOST4), error('EMFILE', '1.1.1.1')).kind).toBe('platform')
  })
})

describe('a message says how far the request came', () => {
  const reset = Object.assign(error('ECONNRESET'), { syscall: 'read' })
  test.each([
    ['connecting', reset, 'the connection was reset while connecting'],
    ['TLS handshake', reset, 'the connection was reset during the TLS handshake'],
    ['TLS handshake', error('ECONNRESET'), 'the connection was closed during the TLS handshake'],
    ['sending the request', error('EPIPE'), 'the connection was closed while the request was being sent'],
    ['waiting for the response headers', reset, 'the connection was reset before the answer'],
    ['reading the response headers', reset, 'the connection was reset in the middle of the response headers'],
  ])('%s: %s', (phase, broken, message) => expect(faultOf(broken, phase).message).toBe(message))
})

describe('the sentence of a fault', () => {
  const said = (thrown: unknown, routes?: Parameters<typeof faultOf>[2]) => faultOf(thrown, PHASE, routes)
  const v6Lost = { now: v4only, before: both }

  test.each<[SystemError, ReturnType<typeof faultOf>]>([
    [error('EMFILE', undefined, 'too many'), platform('the request could not be made (EMFILE): too many')],
    [error('ECONNREFUSED'), failed('connection_refused', 'the connection was refused')],
    [error('ETIMEDOUT'), failed('timeout', 'no answer in time: waiting for the response headers')],
    [error('ECONNABORTED'), failed('connection_closed', 'the connection was closed before the answer')],
    [error('EPROTO', undefined, 'odd'), failed('tls_failed', 'the TLS connection failed (EPROTO): odd')],
    [error('CRL_HAS_EXPIRED', undefined, 'a'), failed('tls_failed', 'the TLS connection failed (CRL_HAS_EXPIRED): a')],
    [error('HPE_HEADER_OVERFLOW'), failed('bad_response', 'the response headers are too large')],
    [error('HPE_STRICT', undefined, 'x'), failed('bad_response', 'the answer is not HTTP (HPE_STRICT): x')],
    [error('ODD_HPE_CERT_', undefined, 'x'), failed('bad_response', 'the answer cannot be read (ODD_HPE_CERT_): x')],
    [new TypeError('x'), failed('bad_response', 'the answer cannot be read (TypeError): x')],
    [error('ENETUNREACH', HOST4), failed('unreachable', 'no route to 93.184.216.34 (ENETUNREACH)')],
    [error('EHOSTDOWN'), failed('unreachable', 'no route to the host (EHOSTDOWN)')],
    [error('EADDRNOTAVAIL', HOST4, 'no'), platform('the request could not be made (EADDRNOTAVAIL): no')],
  ])('%s is %j', (thrown, fault) => expect(said(thrown)).toEqual(fault))

  test('a machine without a way to the internet is offline', () => {
    const nowhere = { now: neither, before: both }
    expect(said(error('ENETUNREACH', HOST4), nowhere)).toEqual(offline('this machine has no route to the internet'))
    expect(said(error('ENETUNREACH', HOST6), nowhere)).toEqual(offline('this machine has no route to the internet'))
    const noIPv4 = { now: v6only, before: both }
    expect(said(error('ENETUNREACH', HOST4), noIPv4)).toEqual(offline('this machine has no IPv4 route to the internet'))
    expect(offline('x')).toEqual({ kind: 'platform', message: 'x', offline: true })
  })

  test('a machine that lost its IPv6 route can say nothing about a host, and one that had none can', () => {
    expect(said(error('ENETUNREACH', HOST6), v6Lost)).toEqual(
      platform('this machine has lost its IPv6 route to the internet'),
    )
    expect(said(error('ENETUNREACH', HOST6), { now: v4only, before: v4only })).toEqual(
      failed('unreachable', 'the host has only IPv6 addresses, and there is no IPv6 route from here'),
    )
  })

  test('requests that leave from an address of one family name the setting, or the host', () => {
    expect(said(new NoLocalAddress(HOST6))).toEqual(
      failed('unreachable', 'the host has only IPv6 addresses, and our requests leave from an IPv4 address'),
    )
    expect(said(new NoLocalAddress(HOST4))).toEqual(platform('PRICETAPE_EGRESS_ADDRESS names no IPv4 address'))
    expect(new NoLocalAddress(HOST4).message).toBe('no local address for 93.184.216.34')
    expect(said(Object.assign(error('EADDRNOTAVAIL'), { syscall: 'bind' }))).toEqual(
      platform('PRICETAPE_EGRESS_ADDRESS is not an address of this machine (EADDRNOTAVAIL)'),
    )
  })

  test('a proxy that made no connection has said whose fault it is', () => {
    const fault = failed('timeout', 'the outbound proxy waited in vain')
    expect(said(new ProxyFault(fault))).toBe(fault)
    expect(new ProxyFault(fault).message).toBe('the outbound proxy waited in vain')
  })

  test('an error of another system has its first line, and 300 characters of it', () => {
    expect(said(error('ERR_SSL_X', undefined, `${'x'.repeat(301)}\ny`)).message).toBe(
      `the TLS connection failed (ERR_SSL_X): ${'x'.repeat(300)}`,
    )
  })
})

describe('the routes of this machine', () => {
  test.each(['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'ENETDOWN', 'EHOSTDOWN'])(
    'decide about %s',
    (code) => expect(needsRoutes(error(code, HOST4))).toBe(true),
  )

  test('decide about nothing else', () => {
    expect([error('ECONNREFUSED', HOST4), error('EMFILE'), new Error('x')].map(needsRoutes)).not.toContain(true)
    expect(needsRoutes(Object.assign(error('EADDRNOTAVAIL'), { syscall: 'bind' }))).toBe(false)
    expect(needsRoutes(new ConnectError([error('ENETUNREACH', HOST6), error('ECONNREFUSED', HOST4)]))).toBe(false)
    expect(needsRoutes(new ConnectError([error('ENETUNREACH', HOST6)]))).toBe(true)
  })
})

describe('several addresses', () => {
  const chosen = (...errors: Error[]) => faultOf(new ConnectError(errors), PHASE).message

  test('say everything that failed', () => {
    expect(new ConnectError([error('a'), error('b')]).message).toBe('a; b')
    expect(chosen()).toBe('the answer cannot be read (Error): ')
  })

  test.each(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'])('that were not all tried, for %s, say nothing', (code) => {
    expect(chosen(error('ECONNREFUSED', HOST4), error(code, HOST6))).toBe(
      `the request could not be made (${code}): ${code}`,
    )
  })

  test('name the one that was reached before those that this machine may not or cannot reach', () => {
    const refused = error('ECONNREFUSED', HOST4)
    for (const other of [error('EACCES', HOST6), error('ENETUNREACH', HOST6), new NoLocalAddress(HOST6)])
      expect(chosen(other, refused)).toBe('the connection was refused')
  })

  test('name the IPv4 address where none was reached, and otherwise the first', () => {
    expect(chosen(error('ENETUNREACH', HOST6), error('EHOSTUNREACH', HOST4))).toBe(
      'no route to 93.184.216.34 (EHOSTUNREACH)',
    )
    expect(chosen(error('ENETUNREACH', HOST6), error('EHOSTUNREACH', '2606::2'))).toBe(
      'no route to 2606:4700::1111 (ENETUNREACH)',
    )
  })
})

test('a reset is reported by a system call, and only a reset', () => {
  expect(endOf(Object.assign(error('ECONNRESET'), { syscall: 'read' }))).toBe('the connection was reset')
  expect(endOf(error('ECONNRESET'))).toBe('the connection was closed')
  expect(endOf(Object.assign(error('EPIPE'), { syscall: 'write' }))).toBe('the connection was closed')
})

test('a fault of the other side says how long the request took, and one of ours does not', () => {
  const startedAt = performance.now() - 1_500
  const fault = timed(failed('timeout', 'late'), startedAt)
  expect(fault).toEqual({ kind: 'failed', reason: 'timeout', message: 'late', durationMs: expect.any(Number) })
  expect((fault as { durationMs: number }).durationMs).toBeGreaterThanOrEqual(1_500)
  expect(timed(platform('ours'), startedAt)).toEqual({ kind: 'platform', message: 'ours' })
  expect(Number.isInteger(elapsed(performance.now() - 0.25))).toBe(true)
  expect(elapsed(performance.now() + 5_000)).toBeLessThan(0)
})
