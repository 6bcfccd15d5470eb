import {
  type Client,
  ScheduleAlreadyRunning,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
  type WorkflowHandle,
} from '@temporalio/client'
import { MINUTE } from '../lib/instant.ts'
import { CHECKS_QUEUE } from '../webhooks/workflow-schema.ts'

const CHECK_SCHEDULE = 'check'
const RETENTION_SCHEDULE = 'retention'

/** A check that outlives this is stuck: its round stops starting deliveries after 200 seconds. */
const CHECK_RUN_TIMEOUT_MS = 10 * MINUTE
/** After a stop of hours one check finds everything: those that were missed are not made up for. */
const CATCH_UP_MS = MINUTE
const RETENTION_HOUR_UTC = 3
const POLL_MS = 200

/** Creates the timetables, or brings those that are there up to the settings of now. */
export async function ensureSchedules(
  client: Client,
  settings: { checkIntervalMs: number },
  paused = false,
): Promise<void> {
  const state = { paused }
  await ensure(client, {
    scheduleId: CHECK_SCHEDULE,
    state,
    spec: { intervals: [{ every: settings.checkIntervalMs }] },
    action: {
      type: 'startWorkflow',
      workflowType: 'check',
      workflowId: 'check',
      taskQueue: CHECKS_QUEUE,
      workflowRunTimeout: CHECK_RUN_TIMEOUT_MS,
      staticSummary: 'collects what is due, finds changes, runs the delivery round',
    },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: CATCH_UP_MS },
  })
  await ensure(client, {
    scheduleId: RETENTION_SCHEDULE,
    state,
    spec: { calendars: [{ hour: RETENTION_HOUR_UTC }] },
    action: {
      type: 'startWorkflow',
      workflowType: 'retention',
      workflowId: 'retention',
      taskQueue: CHECKS_QUEUE,
      staticSummary: 'deletes what the log no longer keeps',
    },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '12h' },
  })
}

async function ensure(client: Client, options: ScheduleOptions): Promise<void> {
  const { spec, action, policies, scheduleId } = options
  try {
    await client.schedule.create(options)
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error
    await client.schedule.getHandle(scheduleId).update(({ state }) => ({ spec, action, policies, state }))
  }
}

/** Lets the next check run now; while one runs, that one will do. */
export const checkSoon = (client: Client): Promise<void> =>
  client.schedule.getHandle(CHECK_SCHEDULE).trigger(ScheduleOverlapPolicy.SKIP)

/**
 * Runs a check now and hands over its workflow. A check that runs already is waited for first, because two never run
 * at once and what it has read may be older than what the caller did.
 */
export async function checkNow(client: Client, patience: { signal?: AbortSignal } = {}): Promise<WorkflowHandle> {
  const schedule = client.schedule.getHandle(CHECK_SCHEDULE)
  for (;;) {
    const { info } = await schedule.describe()
    const known = new Set(info.recentActions.map((action) => action.action.workflow.firstExecutionRunId))
    for (const { workflow } of info.runningActions) {
      await client.workflow
        .getHandle(workflow.workflowId, workflow.firstExecutionRunId)
        .result()
        .catch(() => {})
      known.add(workflow.firstExecutionRunId)
    }
    await schedule.trigger(ScheduleOverlapPolicy.SKIP)
    for (let waited = 0; waited < 5_000; waited += POLL_MS) {
      patience.signal?.throwIfAborted()
      const now = await schedule.describe()
      const fresh = now.info.recentActions.find(({ action }) => !known.has(action.workflow.firstExecutionRunId))
      if (fresh) {
        const { workflowId, firstExecutionRunId } = fresh.action.workflow
        return client.workflow.getHandle(workflowId, firstExecutionRunId)
      }
      await new Promise((done) => setTimeout(done, POLL_MS))
    }
    // The trigger fell on a check that the timetable had started in between: wait for that one and ask again.
  }
}
