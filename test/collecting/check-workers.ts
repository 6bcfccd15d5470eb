import { randomUUID } from 'node:crypto'
import type { NativeConnection } from '@temporalio/worker'
import type { Context } from '../../src/context.ts'
import { readConfig } from '../../src/lib/config.ts'
import { createLog } from '../../src/lib/log.ts'
import { buildWorkers } from '../../src/worker.ts'
import type { CheckReport } from '../../workflows/check-report.ts'
import type { testDatabase } from '../support/database.ts'
import type { localTemporal } from '../support/servers/temporal.ts'
import type { collectingSystem } from './support.ts'

/** Workers that run checks on the sources of a test file. */
export function checkWorkers(
  database: ReturnType<typeof testDatabase>,
  temporal: ReturnType<typeof localTemporal>,
  system: ReturnType<typeof collectingSystem>,
) {
  const queues = { checks: temporal.taskQueue, deliveries: `${temporal.taskQueue}-deliveries` }
  const workers = async (connection = temporal.env.nativeConnection) => {
    const config = readConfig({ PRICETAPE_SOURCES: system.file, PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: 'true' })
    const ctx = {
      sql: database.sql,
      config,
      log: createLog('silent'),
      temporal: temporal.client,
      secretKey: new Uint8Array(32),
      isolation: system.isolation,
    }
    const bundle = await temporal.workflowBundle()
    return buildWorkers(ctx as unknown as Context, connection, { bundle, queues })
  }
  return {
    queues,
    /** Runs workers until `use` is done. */
    async working(use: () => Promise<void>, connection?: NativeConnection): Promise<void> {
      const started = await workers(connection)
      const running = started.run()
      try {
        await use()
      } finally {
        started.shutdown()
        await running
      }
    },
    check: (): Promise<CheckReport> =>
      temporal.client.workflow.execute('check', { taskQueue: queues.checks, workflowId: `check-${randomUUID()}` }),
  }
}
