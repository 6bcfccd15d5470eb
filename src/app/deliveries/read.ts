import { explainDelivery } from '../../webhooks/log/list-deliveries.ts'
import { readDelivery } from '../contracts/deliveries.ts'
import { route } from '../route.ts'
import { ofWebhook, refOf } from '../webhooks/of-webhook.ts'

/** GET /v1/webhooks/{webhookId}/deliveries/{deliveryId}: its attempts, the exact body and headers, what comes next. */
export const readDeliveryRoute = route(
  readDelivery,
  async ({ tools, actor, params, query }) => {
    const webhook = refOf(actor, params)
    const { workflowId, ...explained } = await explainDelivery(
      tools.sql,
      webhook,
      params.deliveryId,
      query.attemptsBefore,
    )
    const temporalUrl = actor.operator ? tools.workflowUrl(workflowId) : undefined
    return { ...explained, ...(temporalUrl && { temporalUrl }) }
  },
  ofWebhook,
)
