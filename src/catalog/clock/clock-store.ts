import { AppError } from '../../lib/errors.ts'
import { type Instant, latest, plus, SECOND } from '../../lib/instant.ts'
import type { Db, Sql, Tx } from '../../lib/sql.ts'
import { readClocks, saveAnchor } from './clock-anchor-store.ts'
import { clockMessage, mayStamp } from './clock-rules.ts'
import { keepTimeline } from './keep-timeline.ts'

/** No publication may hold the clock longer: the database ends it, and the next publication continues. */
const PUBLICATION_TIMEOUT_MS = 60_000

/**
 * What a publication is stamped with: one instant, and sequence numbers that are in commit order. `nextSeq` takes this many of
 * them, one if not said, and returns the first.
 */
export type Stamp = { at: Instant; nextSeq: (count?: number) => number }

/**
 * Runs `work` as the one publication of its moment: under the clock's row lock, stamped later than everything
 * published before it and than every instant that was closed for a reader. `at` is only for importing history.
 * @throws AppError `unavailable` while the clock is ahead of the time: nothing is stamped with an instant to come
 * @throws when `at` is not after the last stamp: nothing is ever recorded in the past
 */
export async function publishing<T>(sql: Sql, work: (tx: Tx, stamp: Stamp) => Promise<T>, at?: Instant): Promise<T> {
  const result = await sql.begin(async (tx) => {
    await tx`select set_config('transaction_timeout', ${String(PUBLICATION_TIMEOUT_MS)}, true)`
    const clock = await lockClock(tx)
    const earliest = plus(clock.lastStamp, 1)
    if (at && at < earliest) throw new Error(`${at} is not after ${clock.lastStamp}: history is recorded in order`)
    const stamped = at ?? latest(await trustedNow(tx), earliest)
    let seq = clock.lastSeq
    const nextSeq = (count = 1) => {
      const first = seq + 1
      seq += count
      return first
    }
    const done = await work(tx, { at: stamped, nextSeq })
    await tx`update publication_clock set last_stamp = ${stamped}, last_seq = ${seq}`
    return { done }
  })
  return result.done as T
}

/**
 * Locks the clock until the transaction ends. A restore from a backup shows here, before anything is stamped: it is
 * recorded as a new timeline.
 */
export async function lockClock(tx: Tx): Promise<{ lastStamp: Instant; lastSeq: number }> {
  const [clock] = await tx<{ lastStamp: Instant; lastSeq: string }[]>`
    select last_stamp as "lastStamp", last_seq as "lastSeq" from publication_clock for update`
  if (!clock) throw new Error('the publication clock is missing')
  await keepTimeline(tx, clock.lastStamp)
  return { lastStamp: clock.lastStamp, lastSeq: Number(clock.lastSeq) }
}

/** Returns the database's time. @throws AppError `unavailable` when it is ahead of what other clocks say. */
async function trustedNow(tx: Tx): Promise<Instant> {
  const { reading, verdict } = await readClocks(tx)
  if (!mayStamp(verdict)) {
    throw new AppError('unavailable', `Nothing can be published: ${clockMessage(verdict)}`, { retryAfter: 60 })
  }
  if (verdict.state === 'steady') await saveAnchor(tx, reading)
  return reading.database
}

/**
 * Moves the clock to `at` or, where that is later, to `aheadMs` before now, unless it is past `at` already: nothing is
 * stamped at or before it any more. Returns where the clock is then.
 * @throws PostgresError 55P03 when a publication in progress does not end within `waitMs`
 */
export async function moveClock(sql: Sql, at: Instant, limits: { aheadMs: number; waitMs: number }): Promise<Instant> {
  const moved = await sql.begin(async (tx) => {
    await tx`select set_config('lock_timeout', ${String(limits.waitMs)}, true)`
    await tx`
      update publication_clock
      set last_stamp = greatest(${at}, (clock_timestamp() - make_interval(secs => ${limits.aheadMs / SECOND}))::timestamptz(3))
      where last_stamp < ${at}`
    const [clock] = await tx<{ at: Instant }[]>`select last_stamp as at from publication_clock`
    return clock!.at
  })
  return moved as Instant
}

/** The database's clock: the one every limit on instants is measured with. */
export async function databaseNow(db: Db): Promise<Instant> {
  const [row] = await db<
    { now: Instant }[]
  >`select date_trunc('milliseconds', clock_timestamp())::timestamptz(3) as now`
  return row!.now
}

/** Returns the instant of the newest publication; nothing is recorded at or before it any more. */
export async function lastPublication(db: Db): Promise<Instant> {
  const [clock] = await db<{ at: Instant }[]>`select last_stamp as at from publication_clock`
  return clock!.at
}
