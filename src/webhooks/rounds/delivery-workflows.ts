import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type WorkflowStartOptions,
} from '@temporalio/client'
import { DELIVERY_STATUS, EVENT_TYPE, WEBHOOK_ID, WORKSPACE_ID } from '../search-attributes-schema.ts'
import {
  CHANGED,
  CHECKS_QUEUE,
  DELIVERIES_QUEUE,
  type DeliveryInput,
  deliveryWorkflowId,
  GRANT,
  type Grant,
  type WebhookChange,
  webhookWorkflowId,
} from '../workflow-schema.ts'
import type { Claimed } from './round-store.ts'

/** A workflow may complete between a refused start and the signal after it; more than twice in a row is a fault. */
const TRIES = 4

/** Which task queues to use: each test its own, so that they never take each other's work. */
export type Queues = { checks: string; deliveries: string }
export const QUEUES: Queues = { checks: CHECKS_QUEUE, deliveries: DELIVERIES_QUEUE }

type Found = Pick<Claimed, 'deliveryId' | 'webhookId' | 'workspaceId' | 'eventId' | 'eventType'>

/** How workflows are started and told things. Postgres holds what was said: a lost message is found again by a check. */
export function createMessenger(client: Client, queues: Queues = QUEUES) {
  const startDelivery = (delivery: Found, grant?: Grant) =>
    client.workflow.start('delivery', {
      ...deliveryOptions(queues.deliveries, delivery, grant),
      // With a worker in the same process the first workflow task comes with the answer: measured, the rate doubles.
      requestEagerStart: grant !== undefined,
    })

  return {
    /** Lets a delivery's workflow make one attempt, starting the workflow when there is none. */
    async grant(claimed: Claimed): Promise<void> {
      let waiting = claimed.waiting
      for (let tries = 1; ; tries++) {
        try {
          if (waiting) await signalDelivery(client, claimed.deliveryId, GRANT, claimed.grant)
          else await startDelivery(claimed, claimed.grant)
          return
        } catch (error) {
          const other = waiting
            ? error instanceof WorkflowNotFoundError
            : error instanceof WorkflowExecutionAlreadyStartedError
          if (!other || tries === TRIES) throw error
          waiting = !waiting
        }
      }
    },

    /** Starts the workflow of a delivery that waits for a retry, for operators to see it; fine when it runs. */
    async show(delivery: Found): Promise<void> {
      await startDelivery(delivery).catch((error) => {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
      })
    },

    /** Makes a delivery's workflow read its row again; a workflow that is over has nothing to read. */
    async changed(deliveryId: string, what: string): Promise<void> {
      await signalDelivery(client, deliveryId, CHANGED, what).catch((error) => {
        if (!(error instanceof WorkflowNotFoundError)) throw error
      })
    },

    /** Tells the webhook's workflow what happened to the webhook, starting it when it does not run. */
    async tellWebhook(webhookId: string, workspaceId: string, change: WebhookChange): Promise<void> {
      await client.workflow.signalWithStart('webhook', {
        workflowId: webhookWorkflowId(webhookId),
        taskQueue: queues.checks,
        args: [{ webhookId }],
        signal: change,
        signalArgs: [],
        staticSummary: 'passes changes of a webhook on to its deliveries',
        typedSearchAttributes: [
          { key: WEBHOOK_ID, value: webhookId },
          { key: WORKSPACE_ID, value: workspaceId },
        ],
      })
    },
  }
}

export type Messenger = ReturnType<typeof createMessenger>

const signalDelivery = (client: Client, deliveryId: string, signal: string, argument: Grant | string) =>
  client.workflow.getHandle(deliveryWorkflowId(deliveryId)).signal(signal, argument)

function deliveryOptions(taskQueue: string, delivery: Found, grant: Grant | undefined): WorkflowStartOptions {
  const input: DeliveryInput = { deliveryId: delivery.deliveryId, ...(grant && { grant }) }
  return {
    workflowId: deliveryWorkflowId(delivery.deliveryId),
    taskQueue,
    args: [input],
    staticSummary: `${delivery.eventType} ${delivery.eventId}`,
    typedSearchAttributes: [
      { key: WEBHOOK_ID, value: delivery.webhookId },
      { key: WORKSPACE_ID, value: delivery.workspaceId },
      { key: EVENT_TYPE, value: delivery.eventType },
      { key: DELIVERY_STATUS, value: 'pending' },
    ],
  }
}
