import { describe, expect, it } from 'vitest'
import {
  bearerToken,
  hasExpired,
  keysNamed,
  lastCharacters,
  readExpiry,
} from '../../src/accounts/keys/api-key-rules.ts'
import type { Instant } from '../../src/lib/instant.ts'

describe('an API key', () => {
  it('reads an expiry as days or hours from now, or as an instant', () => {
    const now = '2026-11-21T10:00:00.000Z' as Instant
    expect(readExpiry('90d', now)).toBe('2027-02-19T10:00:00.000Z')
    expect(readExpiry('12h', now)).toBe('2026-11-21T22:00:00.000Z')
    expect(readExpiry('2027-01-01T00:00:00+01:00', now)).toBe('2026-12-31T23:00:00.000Z')
    for (const wrong of ['', '0d', '-1d', '90', '90m', '1.5d', '99999999d', 'tomorrow', '2027-02-30T00:00:00Z'])
      expect(readExpiry(wrong, now), wrong).toBeUndefined()
  })

  it('is found by its id, by its name or by its last characters', () => {
    const at = '2026-11-21T10:00:00.000Z' as Instant
    const key = (keyId: string, name: string, lastCharacters: string) => ({
      keyId,
      name,
      lastCharacters,
      createdAt: at,
      lastUsedAt: null,
      expiresAt: null,
    })
    const keys = [key('1', 'billing', 'AbCd'), key('2', 'billing', 'wxyz'), key('3', 'wxyz', '0000')]
    const found = (reference: string) => keysNamed(keys, reference).map(({ keyId }) => keyId)
    expect(found('1')).toEqual(['1'])
    expect(found('billing')).toEqual(['1', '2'])
    expect(found('…AbCd')).toEqual(['1'])
    expect(found('AbCd')).toEqual(['1'])
    expect(found('wxyz')).toEqual(['2', '3'])
    expect(found('abcd')).toEqual([])
  })

  it('is carried as a Bearer token and as nothing else', () => {
    expect(bearerToken('Bearer ptk_x')).toBe('ptk_x')
    expect(bearerToken('bearer   ptk_x ')).toBe('ptk_x')
    expect(bearerToken(undefined)).toBeUndefined()
    expect(bearerToken('')).toBeUndefined()
    for (const wrong of ['Basic ptk_x', 'ptk_x', 'Bearer', 'Bearer a b']) expect(bearerToken(wrong)).toBe('')
  })

  it('shows its last four characters, and ends at its expiry', () => {
    expect(lastCharacters('ptk_abcdWXYZ')).toBe('WXYZ')
    const now = '2026-11-21T10:00:00.000Z' as Instant
    expect(hasExpired({ expiresAt: null }, now)).toBe(false)
    expect(hasExpired({ expiresAt: now }, now)).toBe(true)
    expect(hasExpired({ expiresAt: '2026-11-21T10:00:00.001Z' as Instant }, now)).toBe(false)
    expect(readExpiry('99999h', now)).toBeDefined()
    expect(readExpiry('90dx', now)).toBeUndefined()
    expect(bearerToken('x bearer ptk_x')).toBe('')
    expect(bearerToken('  ')).toBeUndefined()
  })
})
