import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAddressBuckets } from '../../src/accounts/address-buckets.ts'
import { clientAddress } from '../../src/accounts/client-address-rules.ts'
import { type Bucket, RATE_LIMITS, retryAfter, takeToken } from '../../src/accounts/rate-limit-rules.ts'
import { drawTokens, forgetFullBuckets } from '../../src/accounts/rate-limit-store.ts'
import { connect, type Db } from '../../src/lib/sql.ts'
import { testDatabase } from '../support/database.ts'

/** Returns the seconds to wait; 0 means taken. */
const takeTokens = async (db: Db, buckets: Bucket[]) => (await drawTokens(db, buckets)).waitSeconds
const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms))

describe('token buckets', () => {
  it('have the rates and bursts of the specification', () => {
    expect(RATE_LIMITS).toEqual({
      caller: { rate: 5, burst: 20 },
      workspace: { rate: 10, burst: 40 },
      history: { rate: 2, burst: 5 },
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

describe('rate limits in the database', () => {
  const db = testDatabase()
  let next = 0
  const fresh = () => `test-${next++}`

  it('are exact under concurrency and across nodes', async () => {
    const other = connect(db.url)
    const bucket: Bucket[] = [{ kind: 'history', owner: fresh() }]
    const started = performance.now()
    const waits = await Promise.all(Array.from({ length: 120 }, (_, n) => takeTokens(n % 2 ? db.sql : other, bucket)))
    const allowed = waits.filter((wait) => wait === 0).length
    const refilled = Math.floor(((performance.now() - started) / 1_000) * RATE_LIMITS.history.rate)
    expect(allowed).toBeGreaterThanOrEqual(5)
    expect(allowed).toBeLessThanOrEqual(5 + refilled)
    await other.end()
  })

  it('take from every bucket or from none', async () => {
    const [key, workspace] = [fresh(), fresh()]
    const take = (kinds: Bucket[]) => takeTokens(db.sql, kinds)
    for (let n = 0; n < 5; n++) await take([{ kind: 'history', owner: key }])
    const before = await db.sql`select full_at::text from rate_bucket where key = ${`workspace:${workspace}`}`
    expect(before).toHaveLength(0)
    const both: Bucket[] = [
      { kind: 'history', owner: key },
      { kind: 'workspace', owner: workspace },
    ]
    expect(await take(both)).toBeGreaterThan(0)
    for (let n = 0; n < 40; n++) expect(await take([{ kind: 'workspace', owner: workspace }])).toBe(0)
  })

  it('a client that waits retry-after is served', async () => {
    const bucket: Bucket[] = [{ kind: 'history', owner: fresh() }]
    let wait = 0
    while (wait === 0) wait = await takeTokens(db.sql, bucket)
    expect(wait).toBeLessThanOrEqual(0.5)
    await sleep(Math.ceil(wait * 1_000))
    expect(await takeTokens(db.sql, bucket)).toBe(0)
    expect([0.0001, 0.5, 1, 1.2].map(retryAfter)).toEqual([1, 1, 1, 2])
  })

  it('serve a client at its usual rate after the clock stepped back by ten minutes', async () => {
    const owner = fresh()
    const buckets: Bucket[] = [
      { kind: 'history', owner },
      { kind: 'caller', owner },
    ]
    while ((await takeTokens(db.sql, buckets)) === 0);
    // As seen from a clock that stepped back, what was written before lies in the future.
    await db.sql`update rate_bucket set full_at = full_at + interval '10 min' where key like ${`%:${owner}`}`
    const wait = await takeTokens(db.sql, buckets)
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(0.5)
    await sleep(wait * 1_000)
    expect(await takeTokens(db.sql, buckets)).toBe(0)
  })

  it('forget buckets that are full again, and nothing else', async () => {
    const [busy, idle] = [fresh(), fresh()]
    await takeTokens(db.sql, [{ kind: 'history', owner: busy }])
    await db.sql`insert into rate_bucket values (${`history:${idle}`}, now() - interval '1 s')`
    await forgetFullBuckets(db.sql, 100)
    const left = await db.sql<{ key: string }[]>`select key from rate_bucket`
    expect(left.map((row) => row.key)).toContain(`history:${busy}`)
    expect(left.map((row) => row.key)).not.toContain(`history:${idle}`)
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
