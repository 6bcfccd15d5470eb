import { type Instant, latest, MINUTE, plus, SECOND } from '../lib/instant.ts'
import type { Db, Sql, Tx } from '../lib/sql.ts'

/** No publication may hold the clock longer: the database ends it, and whoever waits for the clock goes on. */
const PUBLICATION_TIMEOUT_MS = 60_000

/** What a publication is stamped with: one instant, and sequence numbers that are in commit order. */
export type Stamp = { at: Instant; nextSeq: () => number }

/**
 * Runs `work` as the one publication of its moment: under the clock's row lock, stamped later than everything
 * published before it and than every instant a reader was answered at. `at` is only for importing history.
 * @throws when `at` is not after the last stamp: nothing is ever recorded in the past.
 */
export async function publishing<T>(sql: Sql, work: (tx: Tx, stamp: Stamp) => Promise<T>, at?: Instant): Promise<T> {
  const result = await sql.begin(async (tx) => {
    await tx`select set_config('transaction_timeout', ${String(PUBLICATION_TIMEOUT_MS)}, true)`
    const [clock] = await tx<{ lastStamp: Instant; lastSeq: string; now: Instant }[]>`
      select last_stamp as "lastStamp", last_seq as "lastSeq", clock_timestamp()::timestamptz(3) as now
      from publication_clock for update`
    if (!clock) throw new Error('the publication clock is missing')
    const earliest = plus(clock.lastStamp, 1)
    if (at && at < earliest) throw new Error(`${at} is not after ${clock.lastStamp}: history is recorded in order`)
    const stamped = at ?? latest(clock.now, earliest)
    let seq = Number(clock.lastSeq)
    const done = await work(tx, { at: stamped, nextSeq: () => ++seq })
    await tx`update publication_clock set last_stamp = ${stamped}, last_seq = ${seq}`
    return { done }
  })
  return result.done as T
}

/**
 * How close to the present a settling reader moves the clock: with instants at least 15 minutes old, one reader's write
 * then serves every reader of the next ten minutes.
 */
const SETTLE_AHEAD_MS = 5 * MINUTE

/**
 * Settles an instant before it is read at: from here on nothing is stamped at or before it. Waits for a publication
 * in progress only when the clock has not passed the instant yet.
 */
export async function settle(db: Db, at: Instant): Promise<void> {
  const [clock] = await db<{ passed: boolean }[]>`select last_stamp >= ${at} as passed from publication_clock`
  if (clock?.passed) return
  await db`
    update publication_clock
    set last_stamp = greatest(${at}, (clock_timestamp() - make_interval(secs => ${SETTLE_AHEAD_MS / SECOND}))::timestamptz(3))
    where last_stamp < ${at}`
}

/** The database's clock: the one every limit on instants is measured with. */
export async function databaseNow(db: Db): Promise<Instant> {
  const [row] = await db<{ now: Instant }[]>`select clock_timestamp()::timestamptz(3) as now`
  return row!.now
}
