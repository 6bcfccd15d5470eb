import { describe, expect, test } from 'vitest'
import { faultOf } from '../../src/lib/safe-fetch/fault.ts'

const error = (code: string, address?: string, message = code) => Object.assign(new Error(message), { code, address })
const several = (...errors: Error[]) =>
  Object.assign(new AggregateError(errors), { code: (errors[0] as { code?: string }).code })

describe('whose fault a broken connection is', () => {
  test.each([
    'EMFILE',
    'ENFILE',
    'ENOBUFS',
    'ENOMEM',
    'EACCES',
    'EPERM',
    'EADDRNOTAVAIL',
    'ENETDOWN',
    'UND_ERR_INVALID_ARG',
  ])('%s is ours', (code) => expect(faultOf(error(code)).kind).toBe('platform'))

  test.each([
    ['ECONNREFUSED', 'connection_refused'],
    ['EHOSTUNREACH', 'unreachable'],
    ['ETIMEDOUT', 'timeout'],
    ['ECONNRESET', 'connection_closed'],
    ['EPIPE', 'connection_closed'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls_failed'],
    ['CERT_HAS_EXPIRED', 'tls_failed'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls_failed'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls_failed'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls_failed'],
    ['HPE_INVALID_CONSTANT', 'bad_response'],
    ['UND_ERR_HEADERS_OVERFLOW', 'bad_response'],
  ])('%s is theirs: %s', (code, reason) => expect(faultOf(error(code))).toMatchObject({ kind: 'failed', reason }))

  test('no route at all is ours, but a host that has only IPv6 addresses is told so', () => {
    expect(faultOf(error('ENETUNREACH', '93.184.216.34')).kind).toBe('platform')
    expect(faultOf(error('ENETUNREACH', '2606:4700::1111'))).toMatchObject({ kind: 'failed', reason: 'unreachable' })
  })

  test('of several addresses, the one that was reached says what happened', () => {
    const tried = several(error('ENETUNREACH', '2606:4700::1111'), error('ECONNREFUSED', '93.184.216.34'))
    expect(faultOf(tried)).toMatchObject({ kind: 'failed', reason: 'connection_refused' })
  })

  test('a message is one short line', () => {
    const fault = faultOf(error('ERR_SSL_X', undefined, `first\n${'x'.repeat(5_000)}`))
    expect(fault.message).not.toMatch(/\n/)
    expect(faultOf(error('ERR_SSL_X', undefined, 'x'.repeat(5_000))).message.length).toBeLessThan(400)
  })
})
