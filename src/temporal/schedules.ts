import {
  type Client,
  ScheduleAlreadyRunning,
  type ScheduleDescription,
  ScheduleNotFoundError,
  type ScheduleOptions,
} from '@temporalio/client'
import { PermanentError } from '../lib/errors.ts'
import { VERSION } from '../lib/process/version.ts'
import { isNewerVersion } from '../lib/process/version-rules.ts'
import {
  CHECK_SCHEDULE,
  checkSchedule,
  RETENTION_SCHEDULE,
  retentionSchedule,
  type ScheduleSettings,
} from './schedule-options.ts'

/** A schedule may be created or deleted by someone else between two requests; more often than this is a fault. */
const TRIES = 4

/**
 * Creates the schedules at a start, or brings those that exist up to the current settings. An operator's pause stays.
 * During a rolling update workers of two versions start: those that a newer version wrote are left as they are.
 * @throws OperatorError when another installation uses the namespace
 */
export async function ensureSchedules(client: Client, settings: ScheduleSettings, paused = false): Promise<void> {
  const check = await ownCheckSchedule(client, settings, paused)
  if (check && !isNewer(check, settings)) await update(client, checkSchedule(settings), check, paused)
  const retention = await describe(client, RETENTION_SCHEDULE)
  if (!retention) await create(client, { ...retentionSchedule(settings), state: { paused } })
  else if (!isNewer(retention, settings)) await update(client, retentionSchedule(settings), retention, paused)
}

/** Whether a newer version than this one wrote a schedule. */
function isNewer({ action }: ScheduleDescription, { version = VERSION }: ScheduleSettings): boolean {
  const written = action.memo?.version
  return typeof written === 'string' && isNewerVersion(written, version)
}

/** What an assertion found missing and created, and what an operator has paused. */
export type AssertedSchedules = { created: string[]; paused: string[] }

/**
 * Creates the schedules that are missing, because Temporal lost its store, and runs a check at once. Changes nothing
 * about those that exist.
 * @throws OperatorError when another installation uses the namespace
 */
export async function assertSchedules(
  client: Client,
  settings: ScheduleSettings,
  paused = false,
): Promise<AssertedSchedules> {
  const report: AssertedSchedules = { created: [], paused: [] }
  for (const options of [checkSchedule(settings), retentionSchedule(settings)]) {
    const { scheduleId } = options
    const found = await describe(client, scheduleId)
    if (found && scheduleId === CHECK_SCHEDULE) refuseOther(client, found, settings)
    if (found?.state.paused) report.paused.push(scheduleId)
    if (found) continue
    const state = { paused, triggerImmediately: scheduleId === CHECK_SCHEDULE && !paused }
    // Where another worker was faster, the next assertion finds whose it is.
    if (await create(client, { ...options, state })) report.created.push(scheduleId)
  }
  return report
}

/**
 * Creates the schedule `check` with our id, or returns the one that exists when it is ours. Creating is atomic: of two
 * installations that start at once, one is refused.
 */
async function ownCheckSchedule(
  client: Client,
  settings: ScheduleSettings,
  paused: boolean,
): Promise<ScheduleDescription | undefined> {
  for (let tries = 1; tries <= TRIES; tries++) {
    if (await create(client, { ...checkSchedule(settings), state: { paused } })) return undefined
    const found = await describe(client, CHECK_SCHEDULE)
    if (!found) continue
    refuseOther(client, found, settings)
    return found
  }
  throw new Error(`the schedule ${CHECK_SCHEDULE} is created and deleted by another program`)
}

function refuseOther(client: Client, { memo }: ScheduleDescription, { installationId }: ScheduleSettings): void {
  const owner = memo?.installation
  if (owner === installationId) return
  const { namespace } = client.options
  throw new OtherInstallation(
    `Temporal's namespace ${namespace} belongs to another installation of Pricetape (${owner ?? 'one without an id'}; this database is ${installationId}). ` +
      `Set TEMPORAL_NAMESPACE to a namespace of its own. If the other one is gone for good, delete its schedule: temporal schedule delete --namespace ${namespace} --schedule-id ${CHECK_SCHEDULE}`,
  )
}

/** Two installations would take each other's work: each has a database of its own. */
export class OtherInstallation extends PermanentError {
  override name = 'OtherInstallation'
}

async function describe(client: Client, scheduleId: string): Promise<ScheduleDescription | undefined> {
  try {
    return await client.schedule.getHandle(scheduleId).describe()
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return undefined
    throw error
  }
}

/** Returns false when it exists already. */
async function create(client: Client, options: ScheduleOptions): Promise<boolean> {
  try {
    await client.schedule.create(options)
    return true
  } catch (error) {
    if (error instanceof ScheduleAlreadyRunning) return false
    throw error
  }
}

async function update(
  client: Client,
  { scheduleId, spec, action, policies }: ScheduleOptions,
  found: ScheduleDescription,
  paused: boolean,
): Promise<void> {
  const state = { ...found.state, paused: paused || found.state.paused }
  await client.schedule.getHandle(scheduleId).update(() => ({ spec, action, policies, state }))
}
