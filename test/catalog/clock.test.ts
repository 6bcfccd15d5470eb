import { describe, expect, it } from 'vitest'
import { databaseNow, lastPublication, publishing } from '../../src/catalog/clock/clock-store.ts'
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

  it('never goes back when an earlier instant is closed', async () => {
    const stamp = await stampOf()
    await closeAsOf(db.sql, plus(stamp, -30 * MINUTE))
    await closeAsOf(db.sql, plus(stamp, -1))
    expect(await lastPublication(db.sql)).toBe(stamp)
  })

  it('refuses to record in the past, and at the instant of the last publication', async () => {
    const stamp = await stampOf()
    for (const past of ['2020-01-01T00:00:00.000Z' as Instant, stamp])
      await expect(publishing(db.sql, async () => {}, past)).rejects.toThrow('history is recorded in order')
    expect(await publishing(db.sql, async (_tx, { at }) => at, plus(stamp, 1))).toBe(plus(stamp, 1))
  })
})
