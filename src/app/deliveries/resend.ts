import * as deliveries from '../../webhooks/resend/resend-delivery.ts'
import { resendDelivery } from '../contracts/deliveries.ts'
import { route } from '../route.ts'
import { ofWebhook, refOf } from '../webhooks/of-webhook.ts'

/** POST /v1/webhooks/{webhookId}/deliveries/{deliveryId}/resend: all six attempts again, with the next round. */
export const resendDeliveryRoute = route(
  resendDelivery,
  async ({ tools, actor, params }) => {
    await deliveries.resendDelivery(tools.operator, refOf(actor, params), params.deliveryId)
  },
  ofWebhook,
)
