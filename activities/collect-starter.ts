import type { Client } from '@temporalio/client'
import type { Queues } from '../src/webhooks/rounds/delivery-workflows.ts'

/** Starts `collect/<source>` for a slow source; one that runs already goes on. */
export const collectStarter = (client: Client, queues: Queues) => async (source: string) => {
  await client.workflow.start('collect', {
    workflowId: `collect/${source}`,
    taskQueue: queues.checks,
    args: [source],
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowExecutionTimeout: '2h',
    staticSummary: `Collect ${source}`,
  })
}
