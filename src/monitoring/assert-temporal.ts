import type { Client, Connection } from '@temporalio/client'
import { NamespaceNotFoundError } from '@temporalio/common'
import { OperatorError } from '../lib/errors.ts'
import { SECOND } from '../lib/instant.ts'
import type { ScheduleSettings } from '../temporal/schedule-options.ts'
import { assertSchedules, OtherInstallation } from '../temporal/schedules.ts'
import { ensureSearchAttributes } from '../temporal/search-attributes.ts'
import type { Condition } from './schema.ts'

const ANSWER_WITHIN_MS = 20 * SECOND

export type TemporalToAssert = {
  client: Client
  connection: Connection
  schedules: ScheduleSettings
  /** Schedules that are created are paused: checks run on request alone. */
  paused?: boolean
  /** Temporal counts as away when it has not answered for this long. */
  answerWithinMs?: number
}

/** Schedules that were missing and are there again, and what keeps the work from going on. */
export type AssertTemporalResult = { created: string[]; conditions: Condition[] }

/**
 * Makes sure that Temporal has what our work needs: search attributes and schedules. Creates what is missing, because
 * a server lost its store, and leaves alone what exists.
 */
export async function assertTemporal(task: TemporalToAssert): Promise<AssertTemporalResult> {
  const { client, connection, answerWithinMs = ANSWER_WITHIN_MS } = task
  const { namespace } = client.options
  try {
    const { created, paused } = await connection.withDeadline(Date.now() + answerWithinMs, async () => {
      await ensureSearchAttributes(connection, namespace)
      return assertSchedules(client, task.schedules, task.paused)
    })
    const conditions = paused.map((schedule) => ({
      code: 'schedule_paused' as const,
      message: `The schedule “${schedule}” is paused in Temporal. Unpause it there to go on.`,
    }))
    return { created, conditions }
  } catch (error) {
    return { created: [], conditions: [temporalCondition(error as Error, namespace)] }
  }
}

/** What an error of Temporal's says about our work. */
export function temporalCondition(error: Error, namespace: string): Condition {
  if (error instanceof OtherInstallation) return { code: 'two_installations', message: error.message }
  if (error instanceof NamespaceNotFoundError) {
    const message = `Temporal has no namespace ${namespace}. Create it: temporal operator namespace create --namespace ${namespace}`
    return { code: 'namespace_missing', message }
  }
  if (error instanceof OperatorError) return { code: 'search_attributes_missing', message: error.message }
  const { message } = (error.cause as Error | undefined) ?? error
  return { code: 'temporal_away', message: `Temporal does not answer: ${message}. Work goes on when it is back.` }
}
