import type { Context } from '../src/context.ts'
import { type FinishedCheck, recordCheckRun } from '../src/monitoring/record-check-run.ts'
import type { WorkRecorder } from '../src/monitoring/record-work.ts'

/** What a check records for monitoring. */
export function monitoringActivities({ sql }: Context, { record }: { record: WorkRecorder }) {
  return {
    /** Records that a check has finished, so that every API node can tell that checks go on. */
    async recordCheck(run: FinishedCheck): Promise<void> {
      await recordCheckRun(sql, run)
      record.check(run)
    },
  }
}
