import {
  type Client,
  type ScheduleDescription,
  type ScheduleHandle,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type WorkflowHandle,
} from '@temporalio/client'
import { OperatorError } from '../lib/errors.ts'
import { CHECK_SCHEDULE } from './schedule-options.ts'

const POLL_MS = 200
const TRIGGERED_WITHIN_MS = 5_000
/** Workers make a lost schedule again within a minute. */
const RESTORED_WITHIN_MS = 60_000

/** Requests a check now; where one runs already, that one will do. */
export const checkSoon = (client: Client): Promise<void> =>
  client.schedule.getHandle(CHECK_SCHEDULE).trigger(ScheduleOverlapPolicy.SKIP)

/**
 * Runs a check now and returns its workflow. A check that runs already is waited for first, because two never run at
 * once and what it has read may be older than what the caller did.
 */
export async function checkNow(client: Client, options: { signal?: AbortSignal } = {}): Promise<WorkflowHandle> {
  const schedule = client.schedule.getHandle(CHECK_SCHEDULE)
  for (;;) {
    const { info } = await describeSoon(schedule, options.signal)
    const known = new Set(info.recentActions.map((action) => action.action.workflow.firstExecutionRunId))
    for (const { workflow } of info.runningActions) {
      await client.workflow
        .getHandle(workflow.workflowId, workflow.firstExecutionRunId)
        .result()
        .catch(() => {})
    }
    await schedule.trigger(ScheduleOverlapPolicy.SKIP)
    for (let waited = 0; waited < TRIGGERED_WITHIN_MS; waited += POLL_MS) {
      options.signal?.throwIfAborted()
      const now = await schedule.describe()
      const fresh = now.info.recentActions.find(({ action }) => !known.has(action.workflow.firstExecutionRunId))
      if (fresh) {
        const { workflowId, firstExecutionRunId } = fresh.action.workflow
        return client.workflow.getHandle(workflowId, firstExecutionRunId)
      }
      await new Promise((done) => setTimeout(done, POLL_MS))
    }
    // The schedule started a check by itself in between: wait for that one and request again.
  }
}

/** Describes the schedule; one that is missing is waited for. @throws OperatorError when no worker makes it again */
async function describeSoon(schedule: ScheduleHandle, signal?: AbortSignal): Promise<ScheduleDescription> {
  const until = performance.now() + RESTORED_WITHIN_MS
  for (;;) {
    try {
      return await schedule.describe()
    } catch (error) {
      if (!(error instanceof ScheduleNotFoundError)) throw error
      if (performance.now() > until)
        throw new OperatorError('The schedule of checks is missing: start a worker, which makes it again.')
      signal?.throwIfAborted()
      await new Promise((done) => setTimeout(done, POLL_MS))
    }
  }
}
