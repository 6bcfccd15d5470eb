import { type ScheduleOptions, ScheduleOverlapPolicy } from '@temporalio/client'
import { MINUTE } from '../lib/instant.ts'
import { VERSION } from '../lib/process/version.ts'
import { CHECKS_QUEUE } from '../webhooks/workflow-schema.ts'

export const CHECK_SCHEDULE = 'check'
export const RETENTION_SCHEDULE = 'retention'

/** A check that runs longer than this is stuck: its round stops starting deliveries after 200 seconds. */
const CHECK_RUN_TIMEOUT_MS = 10 * MINUTE
/** After a stop of hours one check finds everything: those that were missed are not made up for. */
const CATCH_UP_MS = MINUTE
const RETENTION_HOUR_UTC = 3

export type ScheduleSettings = {
  checkIntervalMs: number
  /** Whose namespace this is: kept in the memo of the schedule `check`. */
  installationId: string
  /** Other than the product's own task queue in tests. */
  checksQueue?: string
  /** The version of the product that writes the schedules; another one in tests. */
  version?: string
}

export function checkSchedule(settings: ScheduleSettings) {
  return {
    scheduleId: CHECK_SCHEDULE,
    spec: { intervals: [{ every: settings.checkIntervalMs }] },
    action: {
      type: 'startWorkflow',
      workflowType: 'check',
      workflowId: 'check',
      taskQueue: settings.checksQueue ?? CHECKS_QUEUE,
      workflowRunTimeout: CHECK_RUN_TIMEOUT_MS,
      staticSummary: 'collects what is due, finds changes, runs the delivery round',
      memo: memoOf(settings),
    },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: CATCH_UP_MS },
    memo: { installation: settings.installationId },
  } satisfies ScheduleOptions
}

export function retentionSchedule(settings: ScheduleSettings) {
  return {
    scheduleId: RETENTION_SCHEDULE,
    spec: { calendars: [{ hour: RETENTION_HOUR_UTC }] },
    action: {
      type: 'startWorkflow',
      workflowType: 'retention',
      workflowId: 'retention',
      taskQueue: settings.checksQueue ?? CHECKS_QUEUE,
      staticSummary: 'deletes what the log no longer keeps',
      memo: memoOf(settings),
    },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '12h' },
  } satisfies ScheduleOptions
}

/**
 * What a workflow of a schedule carries: the version that wrote the schedule. A schedule's own memo cannot be changed,
 * that of its action can.
 */
const memoOf = ({ version = VERSION }: ScheduleSettings) => ({ version })
