import { describe, expect, it } from 'vitest'
import { type Bucket, RATE_LIMITS, retryAfter } from '../../src/accounts/limits/rate-limit-rules.ts'
import { drawTokens, forgetFullBuckets } from '../../src/accounts/limits/rate-limit-store.ts'
import { connect, type Db } from '../../src/lib/sql.ts'
import { testDatabase } from '../support/database.ts'

/** Returns the seconds to wait; 0 means taken. */
const takeTokens = async (db: Db, buckets: Bucket[]) => (await drawTokens(db, buckets)).waitSeconds
const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms))

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
    const [untouched] =
      await db.sql`select full_at::text as full from rate_bucket where key = ${`workspace:${workspace}`}`
    expect(untouched).toEqual({ full: '-infinity' })
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

  it('are not forgotten, nor waited for, while a request holds them', async () => {
    const key = `history:${fresh()}`
    await db.sql`insert into rate_bucket values (${key}, now() - interval '1 s')`
    await db.sql.begin(async (tx) => {
      await tx`update rate_bucket set full_at = now() + interval '1 hour' where key = ${key}`
      await forgetFullBuckets(db.sql, 100)
    })
    expect(await db.sql`select from rate_bucket where key = ${key}`).toHaveLength(1)
  })
})
