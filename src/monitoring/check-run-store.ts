import { type Instant, SECOND } from '../lib/instant.ts'
import type { Db } from '../lib/sql.ts'
import type { CheckRun } from './schema.ts'

/**
 * Inserts a check that has just finished. A second record of the same run changes nothing. Runs that finish in the
 * future were recorded while the clock was ahead, and would hide that no check runs: they are deleted.
 */
export async function insertCheckRun(
  db: Db,
  run: { runId: string; durationMs: number; problems: string[] },
): Promise<void> {
  await db`delete from check_run where finished_at > clock_timestamp()`
  await db`
    insert into check_run (run_id, started_at, finished_at, problems)
    select ${run.runId}, now - make_interval(secs => ${run.durationMs / SECOND}), now, ${run.problems}::text[]
    from date_trunc('milliseconds', clock_timestamp()) as now
    on conflict do nothing`
}

/** Returns the newest check that finished, other than by a clock that was ahead. */
export async function newestCheckRun(db: Db): Promise<CheckRun | undefined> {
  const [run] = await db<CheckRun[]>`
    select run_id as "runId", started_at as "startedAt", finished_at as "finishedAt", problems
    from check_run where finished_at <= clock_timestamp() order by finished_at desc limit 1`
  return run
}

/** Deletes runs that finished up to `cutoff`, at most `limit`. Returns how many. */
export async function deleteCheckRunsBefore(db: Db, cutoff: Instant, limit: number): Promise<number> {
  const rows = await db`
    delete from check_run where run_id in (
      select run_id from check_run where finished_at <= ${cutoff} limit ${limit})
    returning 1`
  return rows.length
}
