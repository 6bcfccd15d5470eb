import { randomBytes, randomUUID } from 'node:crypto'
import { Client } from '@temporalio/client'
import { vi } from 'vitest'
import { assertSchedules } from '../../src/temporal/schedules.ts'
import { ensureSearchAttributes } from '../../src/temporal/search-attributes.ts'
import type { localTemporal } from '../support/servers/temporal.ts'

/** A client for a namespace of this test's own, without schedules. */
export async function newNamespace(temporal: ReturnType<typeof localTemporal>): Promise<Client> {
  const namespace = `test-${randomBytes(4).toString('hex')}`
  const { connection } = temporal.env
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
  })
  await vi.waitFor(() => connection.workflowService.describeNamespace({ namespace }), 20_000)
  await ensureSearchAttributes(connection, namespace)
  const client = new Client({ connection, namespace })
  const settings = { checkIntervalMs: 300_000, installationId: randomUUID() }
  // The server's parts learn of a namespace one after the other.
  await vi.waitFor(() => assertSchedules(client, settings, true), { timeout: 20_000, interval: 250 })
  await client.schedule.getHandle('check').delete()
  await client.schedule.getHandle('retention').delete()
  return client
}
