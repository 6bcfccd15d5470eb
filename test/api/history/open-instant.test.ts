import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Api } from '../../../src/api/route.ts'
import { databaseNow } from '../../../src/catalog/clock/clock-store.ts'
import { type Instant, MINUTE, plus } from '../../../src/lib/instant.ts'
import { connect, type Sql } from '../../../src/lib/sql.ts'
import { ask, newKey, testServer } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { publish, seedProviders } from '../../support/prices.ts'
import { allowedMs } from '../../support/suite/allowed-time.ts'

const DAY1 = '2026-01-01T00:00:00.000Z' as Instant
const READERS = 14

describe('an instant that is not closed yet', () => {
  const db = testDatabase({ each: true })
  let pool: Sql
  let server: Api
  let keys: string[]

  beforeEach(async () => {
    await seedProviders(db.sql, DAY1, [{ provider: 'acme' }])
    await publish(db.sql, [{ provider: 'acme', resource: 'm', price: '1' }], plus(DAY1, 1))
    pool = connect(db.url, { name: 'node' })
    server = await testServer(pool)
    keys = await Promise.all(Array.from({ length: READERS + 3 }, (_, n) => newKey(db.sql, `reader ${n}`)))
  })
  afterEach(async () => {
    await server.close()
    await pool.end()
  })

  async function timed(path: string, key: string) {
    const started = performance.now()
    const answer = await ask(server, path, { authorization: `Bearer ${key}` })
    return { ...answer, ms: performance.now() - started }
  }
  /** Runs `work` while another session, such as a forgotten psql, holds the clock's lock. */
  async function whileClockIsHeld(work: () => Promise<void>): Promise<void> {
    await db.sql.begin(async (tx) => {
      await tx`select from publication_clock for update`
      await work()
    })
  }
  const waitingSessions = async () => {
    const [waiting] = await db.sql<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity
      where application_name = 'node' and datname = ${db.name} and wait_event_type = 'Lock'`
    return waiting!.count
  }
  const openInstant = async (n: number) => plus(await databaseNow(db.sql), -20 * MINUTE + n)

  it('is 503 within two seconds while the clock is held, and all other answers come within one', async () => {
    const from = await openInstant(0)
    await whileClockIsHeld(async () => {
      const readers = keys.slice(0, READERS).map((key, n) => timed(`/v1/prices/history?asOf=${plus(from, n)}`, key))
      // All readers wait on one connection.
      await vi.waitFor(async () => expect(await waitingSessions()).toBe(1), { timeout: 10_000, interval: 20 })
      const others = await Promise.all([
        timed(`/v1/prices/history?asOf=${plus(DAY1, 1)}`, keys[READERS]!),
        timed('/v1/providers', keys[READERS + 1]!),
        timed('/readyz/reads', ''),
      ])
      expect(others.map(({ status }) => status)).toEqual([200, 200, 200])
      for (const { ms } of others) expect(ms).toBeLessThan(allowedMs(1_000))
      for (const answer of await Promise.all(readers)) {
        expect(answer.status).toBe(503)
        expect(answer.json).toEqual({
          error: { code: 'unavailable', message: expect.stringContaining('retry-after') },
        })
        expect(answer.headers['retry-after']).toBe('1')
        expect(answer.ms).toBeLessThan(2_000 + allowedMs(500))
      }
    })
  })

  it('is served once the publication has ended', async () => {
    const asOf = await openInstant(READERS)
    await whileClockIsHeld(async () => {
      expect((await timed(`/v1/prices/history?asOf=${asOf}`, keys[READERS]!)).status).toBe(503)
    })
    const served = await timed(`/v1/prices/history?asOf=${asOf}`, keys[READERS]!)
    expect([served.status, (served.json as { prices: unknown[] }).prices.length]).toEqual([200, 1])
  })

  it('waits for a publication that ends within a second', async () => {
    const asOf = await openInstant(READERS + 1)
    let reading: ReturnType<typeof timed> | undefined
    await whileClockIsHeld(async () => {
      reading = timed(`/v1/prices/history?asOf=${asOf}`, keys[READERS]!)
      await new Promise((done) => setTimeout(done, 300))
    })
    expect((await reading!).status).toBe(200)
  })
})
