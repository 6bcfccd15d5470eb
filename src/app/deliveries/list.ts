import { searchDeliveries } from '../../webhooks/log/list-deliveries.ts'
import { listDeliveries } from '../contracts/deliveries.ts'
import { route } from '../route.ts'
import { ofWebhook, refOf } from '../webhooks/of-webhook.ts'

/** GET /v1/webhooks/{webhookId}/deliveries: the newest 50 that meet a filter, with their attempts. */
export const listDeliveriesRoute = route(
  listDeliveries,
  async ({ tools, actor, params, query }) => searchDeliveries(tools.sql, refOf(actor, params), query),
  ofWebhook,
)
