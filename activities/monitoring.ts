import type { Context } from '../src/context.ts'
import { type FinishedCheck, recordCheckRun } from '../src/monitoring/record-check-run.ts'

/** What a check records for monitoring. */
export function monitoringActivities({ sql }: Context) {
  return {
    /** Records that a check has finished, so that every API node can tell that checks go on. */
    recordCheck: (run: FinishedCheck): Promise<void> => recordCheckRun(sql, run),
  }
}
