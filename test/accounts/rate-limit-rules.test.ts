import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAddressBuckets } from '../../src/accounts/limits/address-buckets.ts'
import { clientAddress } from '../../src/accounts/limits/client-address-rules.ts'
import { RATE_LIMITS, takeToken } from '../../src/accounts/limits/rate-limit-rules.ts'

describe('token buckets', () => {
  it('have the rates and bursts of the specification', () => {
    expect(RATE_LIMITS).toEqual({
      caller: { rate: 5, burst: 20 },
      workspace: { rate: 10, burst: 40 },
      history: { rate: 2, burst: 5 },
      log: { rate: 100, burst: 200 },
      address: { rate: 5, burst: 20 },
    })
  })

  it('never give more than the burst and the rate allow, and serve a client that waits', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 1, maxLength: 80 })
    const limit = fc.record({ rate: fc.constantFrom(1, 2, 5, 10), burst: fc.integer({ min: 1, max: 40 }) })
    fc.assert(
      fc.property(gaps, limit, (waits, { rate, burst }) => {
        let [now, fullAt, tokens, refilled] = [1_000_000, 0, burst, 1_000_000]
        for (const gap of waits) {
          now += gap
          tokens = Math.min(burst, tokens + ((now - refilled) * rate) / 1_000)
          refilled = now
          const taken = takeToken(fullAt, now, { rate, burst })
          expect(taken.waitMs === 0).toBe(tokens >= 1 - 1e-6)
          if (taken.waitMs === 0) tokens -= 1
          else expect(takeToken(fullAt, now + taken.waitMs, { rate, burst }).waitMs).toBe(0)
          fullAt = taken.fullAt
        }
      }),
    )
  })
})

describe('a token bucket that a clock stepped back from', () => {
  it('is as good as empty, and refills at its usual rate', () => {
    const limit = { rate: 2, burst: 5 }
    const refused = takeToken(1_600_000, 1_000_000, limit)
    expect(refused).toEqual({ fullAt: 1_002_500, waitMs: 500 })
    expect(takeToken(refused.fullAt, 1_000_500, limit).waitMs).toBe(0)
  })
})

describe('the address buckets of one node', () => {
  it('refuse a flood after 20 failures, and refill at 5 a second', () => {
    let now = 1_000
    const buckets = createAddressBuckets(() => now)
    for (let n = 0; n < 20; n++) expect(buckets.take('a')).toBe(0)
    expect(buckets.take('a')).toBeCloseTo(0.2)
    expect(buckets.take('b')).toBe(0)
    now += 200
    expect(buckets.take('a')).toBe(0)
    expect(buckets.take('a')).toBeGreaterThan(0)
  })
})

describe('a client address', () => {
  it('counts the /64 of an IPv6 address as one client, and a mapped IPv4 address as itself', () => {
    expect(clientAddress('2001:db8:1:2:3::4')).toBe(clientAddress('2001:db8:1:2:ffff::9'))
    expect(clientAddress('2001:db8:1:2::1')).not.toBe(clientAddress('2001:db8:1:3::1'))
    expect(clientAddress('::ffff:192.0.2.7')).toBe('192.0.2.7')
    for (const port of ['', ':80', ':65000']) expect(clientAddress(`192.0.2.7${port}`)).toBe('192.0.2.7')
    for (const text of ['[2001:db8:1:2::1]', '[2001:db8:1:2::1]:443']) {
      expect(clientAddress(text)).toBe(clientAddress('2001:db8:1:2::1'))
    }
    for (const text of ['', 'unknown', 'x'.repeat(9_000)]) expect(clientAddress(text)).toBe('unknown')
  })
})
