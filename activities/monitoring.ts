import type { Context } from '../src/context.ts'
import { recordCheckRun } from '../src/monitoring/check-run-store.ts'

/** What a check leaves behind for monitoring. */
export function monitoringActivities({ sql }: Context) {
  return {
    /** Records that a check has finished, so that every API node can tell that checks go on. */
    recordCheck: (run: { runId: string; durationMs: number; problems: string[] }): Promise<void> =>
      recordCheckRun(sql, run),
  }
}
