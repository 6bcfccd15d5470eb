import type { Instant } from '../../lib/instant.ts'
import { readMachineClock } from '../../lib/process/machine-clock.ts'
import type { Db } from '../../lib/sql.ts'
import { anchorOf, type ClockAnchor, type ClockReading, type ClockVerdict, judgeClock } from './clock-rules.ts'

type Row = { database: Instant; anchor: Instant | null; machine: Instant; uptimeMs: string }

/** Reads the database's clock between two readings of this machine's, with this machine's anchor. */
export async function readClocks(db: Db): Promise<{ reading: ClockReading; verdict: ClockVerdict }> {
  const before = readMachineClock()
  const [row] = await db<Row[]>`
    select clock_timestamp()::timestamptz(3) as database, a.database_at as anchor, a.machine_at as machine,
           a.uptime_ms as "uptimeMs"
    from (select) as here left join clock_anchor a on a.machine = ${before.machine}`
  const { database, anchor, machine, uptimeMs } = row!
  const reading = { database, before, after: readMachineClock() }
  const known: ClockAnchor | undefined =
    anchor === null ? undefined : { database: anchor, machine, uptimeMs: Number(uptimeMs) }
  return { reading, verdict: judgeClock(reading, known) }
}

/** Remembers a reading in which nothing was wrong. */
export async function saveAnchor(db: Db, reading: ClockReading): Promise<void> {
  const { database, machine, uptimeMs } = anchorOf(reading)
  await db`
    insert into clock_anchor (machine, database_at, machine_at, uptime_ms)
    values (${reading.before.machine}, ${database}, ${machine}, ${uptimeMs})
    on conflict (machine) do update
    set database_at = excluded.database_at, machine_at = excluded.machine_at, uptime_ms = excluded.uptime_ms`
}

/** Trusts the clocks as they are now: what they were before is forgotten. */
export async function forgetAnchors(db: Db): Promise<void> {
  await db`delete from clock_anchor`
}
