import { describe, expect, test } from 'vitest'
import { ConnectError, faultOf } from '../../src/lib/safe-fetch/fault.ts'

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
