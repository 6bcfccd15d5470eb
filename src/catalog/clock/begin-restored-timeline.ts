import type { Instant } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { lockClock } from './clock-store.ts'
import { beginTimeline, isRecordedHere, type LostHistory } from './timeline-store.ts'

/** Records that this database was restored from a backup, where PostgreSQL shows it and no one recorded it yet. */
export async function recordRestore(sql: Sql): Promise<void> {
  await sql.begin(lockClock)
}

/** As {@link recordRestore}, without waiting for the clock where there was no restore. */
export async function noticeRestore(sql: Sql): Promise<void> {
  if (!(await isRecordedHere(sql))) await recordRestore(sql)
}

/**
 * Records a restore that PostgreSQL does not show: a copied data folder, a snapshot of a disk. `backupAt` is when the
 * backup was made; without it nothing may have been published since the restore. Returns what is lost; undefined when
 * nothing can have been answered from it.
 */
export async function declareRestore(sql: Sql, backupAt?: Instant): Promise<LostHistory | undefined> {
  const declared = await sql.begin(async (tx) => {
    const { lastStamp } = await lockClock(tx)
    const lostAfter = backupAt !== undefined && backupAt < lastStamp ? backupAt : lastStamp
    return { lost: await beginTimeline(tx, 'an operator declared a restore', lostAfter) }
  })
  return declared.lost
}
