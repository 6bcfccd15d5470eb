import { getDelivery } from '../../webhooks/manage/list-deliveries.ts'
import { readDelivery } from '../contracts/deliveries.ts'
import { route } from '../route.ts'
import { ofWebhook, refOf } from '../webhooks/of-webhook.ts'

/** GET /v1/webhooks/{webhookId}/deliveries/{deliveryId}: its attempts and the exact body. */
export const readDeliveryRoute = route(
  readDelivery,
  async ({ tools, actor, params }) => ({
    delivery: await getDelivery(tools.sql, refOf(actor, params), params.deliveryId),
  }),
  ofWebhook,
)
