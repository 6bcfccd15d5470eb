import type { Client } from '@temporalio/client'
import type { Queues } from '../webhooks/rounds/delivery-workflows.ts'

/** Starts `collect/<source>` for a slow source, or at an operator's request; one that runs already goes on. */
export const collectStarter =
  (client: Client, queues: Queues) =>
  async (source: string, options: { byOperator?: true } = {}): Promise<void> => {
    await client.workflow.start('collect', {
      workflowId: `collect/${source}`,
      taskQueue: queues.checks,
      args: [source, ...(options.byOperator ? [options] : [])],
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowExecutionTimeout: '2h',
      staticSummary: `Collect ${source}`,
    })
  }
