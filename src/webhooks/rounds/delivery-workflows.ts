import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type WorkflowStartOptions,
} from '@temporalio/client'
import { DELIVERY_STATUS, WEBHOOK_ID } from '../search-attributes-schema.ts'
import {
  CHANGED,
  CHECKS_QUEUE,
  DELIVERIES_QUEUE,
  type DeliveryInput,
  deliveryWorkflowId,
  GRANT,
  type Grant,
  type WebhookChange,
  type WorkflowName,
  webhookWorkflowId,
} from '../workflow-schema.ts'
import { type DeliveryLabel, memoOf, summaryOf, webhookSummaryOf } from './label-rules.ts'
import type { ClaimedDelivery } from './round-store.ts'

/** A workflow may complete between a refused start and the signal after it. More than twice in a row is a fault. */
const TRIES = 4

/** Which task queues to use: each test its own, so that they never take each other's work. */
export type Queues = { checks: string; deliveries: string }
export const QUEUES: Queues = { checks: CHECKS_QUEUE, deliveries: DELIVERIES_QUEUE }

/** Starts and signals workflows. Postgres holds what was said: a check finds a lost message again. */
export function createDeliveryWorkflows(client: Client, queues: Queues = QUEUES) {
  const startDelivery = (delivery: DeliveryLabel, grant?: Grant) =>
    client.workflow.start('delivery', {
      ...deliveryOptions(queues.deliveries, delivery, grant),
      // With a worker in the same process the first workflow task comes with the answer: measured, the rate doubles.
      requestEagerStart: grant !== undefined,
    })

  return {
    /**
     * Lets a delivery's workflow make one attempt, starting the workflow when there is none. Returns whether a worker of
     * this process makes it.
     */
    async grant(claimed: ClaimedDelivery): Promise<{ here: boolean }> {
      let { waiting } = claimed
      for (let tries = 1; ; tries++) {
        try {
          if (!waiting) return { here: (await startDelivery(claimed, claimed.grant)).eagerlyStarted }
          await signalDelivery(client, claimed, GRANT, claimed.grant)
          return { here: false }
        } catch (error) {
          const other = waiting
            ? error instanceof WorkflowNotFoundError
            : error instanceof WorkflowExecutionAlreadyStartedError
          if (!other || tries === TRIES) throw error
          waiting = !waiting
        }
      }
    },

    /** Starts the workflow of a delivery that waits for a retry, so that operators see it. Fine when it runs. */
    async start(delivery: DeliveryLabel): Promise<void> {
      await startDelivery(delivery).catch((error) => {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
      })
    },

    /** Makes a delivery's workflow read its row again. A workflow that is over has nothing to read. */
    async changed(delivery: WorkflowName, what: string): Promise<void> {
      await signalDelivery(client, delivery, CHANGED, what).catch((error) => {
        if (!(error instanceof WorkflowNotFoundError)) throw error
      })
    },

    /** Notifies the webhook's workflow of what was done to the webhook, starting it when it does not run. */
    async notifyWebhook(webhook: { id: string; name: string }, change: WebhookChange): Promise<void> {
      await client.workflow.signalWithStart('webhook', {
        workflowId: webhookWorkflowId(webhook.id),
        taskQueue: queues.checks,
        args: [{ webhookId: webhook.id }],
        signal: change,
        signalArgs: [],
        staticSummary: webhookSummaryOf(webhook.name),
        typedSearchAttributes: [{ key: WEBHOOK_ID, value: webhook.id }],
      })
    },
  }
}

export type DeliveryWorkflows = ReturnType<typeof createDeliveryWorkflows>

const signalDelivery = (client: Client, delivery: WorkflowName, signal: string, argument: Grant | string) =>
  client.workflow.getHandle(deliveryWorkflowId(delivery)).signal(signal, argument)

function deliveryOptions(taskQueue: string, delivery: DeliveryLabel, grant: Grant | undefined): WorkflowStartOptions {
  const { deliveryId, webhookId } = delivery
  const input: DeliveryInput = { deliveryId, ...(grant && { grant, statusless: true }) }
  return {
    workflowId: deliveryWorkflowId(delivery),
    taskQueue,
    args: [input],
    staticSummary: summaryOf(delivery),
    memo: memoOf(delivery),
    typedSearchAttributes: [
      { key: WEBHOOK_ID, value: webhookId },
      ...(input.statusless ? [] : [{ key: DELIVERY_STATUS, value: 'pending' }]),
    ],
  }
}
