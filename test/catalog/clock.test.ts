import { describe, expect, it } from 'vitest'
import { databaseNow, publishing } from '../../src/catalog/clock/clock-store.ts'
import { closeAsOf } from '../../src/catalog/clock/close-as-of.ts'
import { type Instant, MINUTE, plus } from '../../src/lib/instant.ts'
import { testDatabase } from '../support/database.ts'

describe('the publication clock', () => {
  const db = testDatabase({ each: true })
  const stampOf = () => publishing(db.sql, async (_tx, stamp) => stamp.at)

  it('never gives two publications the same instant, however many run at once', async () => {
    const stamps = await Promise.all(Array.from({ length: 20 }, stampOf))
    expect(new Set(stamps).size).toBe(20)
  })

  it('stamps later than every instant that was closed for a reader', async () => {
    const ahead = plus(await databaseNow(db.sql), 50_000)
    await closeAsOf(db.sql, ahead)
    expect((await stampOf()) > ahead).toBe(true)
  })

  it('lets one closing serve the readers of the next minutes without another write', async () => {
    await db.sql`update publication_clock set last_stamp = '2020-01-01T00:00:00Z'`
    const now = await databaseNow(db.sql)
    await closeAsOf(db.sql, plus(now, -15 * MINUTE))
    const [clock] = await db.sql<{ lastStamp: Instant }[]>`select last_stamp as "lastStamp" from publication_clock`
    expect(clock!.lastStamp > plus(now, -6 * MINUTE)).toBe(true)
    expect(clock!.lastStamp < now).toBe(true)
  })

  it('refuses to record in the past', async () => {
    await stampOf()
    const past = '2020-01-01T00:00:00.000Z' as Instant
    await expect(publishing(db.sql, async () => {}, past)).rejects.toThrow('history is recorded in order')
  })
})
