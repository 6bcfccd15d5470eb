import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Client, Connection } from '@temporalio/client'
import type { Sql } from '../lib/sql.ts'
import { requireTemporal } from '../temporal/connect.ts'
import type { ScheduleSettings } from '../temporal/schedule-options.ts'
import { ensureSchedules, OtherInstallation } from '../temporal/schedules.ts'
import { ensureSearchAttributes } from '../temporal/search-attributes.ts'
import { temporalCondition } from './assert-temporal.ts'
import { recordHeartbeat } from './heartbeat-store.ts'
import { ensureInstallationId } from './installation-store.ts'

export type ToPrepare = { sql: Sql; connection: Connection; temporal: Client; checkIntervalMs: number }

/**
 * Prepares Temporal before any worker runs: search attributes, and schedules that carry the id of this installation.
 * Returns what the workers assert from then on.
 * @throws OperatorError when Temporal does not answer, or when another installation uses its namespace
 */
export async function prepareTemporal(ctx: ToPrepare, paused = false): Promise<ScheduleSettings> {
  const { sql, connection, temporal, checkIntervalMs } = ctx
  const { namespace } = temporal.options
  const installationId = await ensureInstallationId(sql)
  const settings = { checkIntervalMs, installationId }
  await requireTemporal(connection, namespace)
  await ensureSearchAttributes(connection, namespace)
  try {
    await ensureSchedules(temporal, settings, paused)
  } catch (error) {
    if (error instanceof OtherInstallation) {
      const identity = { workerId: randomUUID(), host: hostname(), processId: process.pid }
      await recordHeartbeat(sql, identity, [temporalCondition(error, namespace)])
    }
    throw error
  }
  return settings
}
