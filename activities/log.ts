import { Context as Activity } from '@temporalio/activity'
import type { Context } from '../src/context.ts'
import { keepLog, type LogReport } from '../src/proof/keep-log.ts'

/** The publication log, written behind the publications. */
export function logActivities({ sql, config, secretKey }: Context) {
  return {
    /** Appends what was published and signs it: as much as there is time for, the rest in the next check. */
    async writeLog({ budgetMs }: { budgetMs: number }): Promise<LogReport> {
      const activity = Activity.current()
      const end = performance.now() + budgetMs
      return keepLog({ sql, names: config, secretKey }, (size) => {
        activity.heartbeat(size)
        return performance.now() > end || activity.cancellationSignal.aborted
      })
    },
  }
}
