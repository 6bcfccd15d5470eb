import type { Client } from '@temporalio/client'
import { NOTIFY_WITHIN_MS } from '../webhooks/manage/notify-webhook.ts'
import type { Operator } from '../webhooks/manage/operator.ts'

/** What the app's buttons request of Temporal. */
type AppWorkflows = Operator['workflows'] & {
  /** Starts the workflow that reads a source now. */
  collect(source: string): Promise<void>
  /** Starts a check before its time. */
  startCheck(): Promise<void>
}

/**
 * Returns what passes a change of a webhook on to its workflow, and starts a check or the workflow that reads a source.
 * The Temporal SDK is loaded, and a connection made, when the first change comes: an API node that only answers reads
 * needs neither. Without Temporal's answer the next check passes the change on.
 */
export function createWorkflowNotifier(): AppWorkflows & AsyncDisposable {
  let opened: ReturnType<typeof open> | undefined
  return {
    notifyWebhook: async (webhook, change) => {
      opened ??= open()
      const { client, workflows } = await opened
      await client.withDeadline(Date.now() + NOTIFY_WITHIN_MS, () => workflows.notifyWebhook(webhook, change))
    },
    collect: async (source) => {
      opened ??= open()
      const { client, startCollecting } = await opened
      await client.withDeadline(Date.now() + NOTIFY_WITHIN_MS, () => startCollecting(source, { byOperator: true }))
    },
    startCheck: async () => {
      opened ??= open()
      const { client, checkSoon } = await opened
      await client.withDeadline(Date.now() + NOTIFY_WITHIN_MS, () => checkSoon(client))
    },
    [Symbol.asyncDispose]: async () => {
      await (await opened?.catch(() => undefined))?.client.connection.close()
    },
  }
}

async function open() {
  const [{ Client }, { lazyConnection }, { externalTemporal }, { collectStarter }, { checkSoon }, delivery] =
    await Promise.all([
      import('@temporalio/client'),
      import('../temporal/connect.ts'),
      import('../temporal/external.ts'),
      import('../temporal/collect-starter.ts'),
      import('../temporal/request-check.ts'),
      import('../webhooks/rounds/delivery-workflows.ts'),
    ])
  const access = externalTemporal()
  const client: Client = new Client({ connection: lazyConnection(access), namespace: access.namespace })
  const { createDeliveryWorkflows, QUEUES } = delivery
  return {
    client,
    workflows: createDeliveryWorkflows(client),
    startCollecting: collectStarter(client, QUEUES),
    checkSoon,
  }
}
