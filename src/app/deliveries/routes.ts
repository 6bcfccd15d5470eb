import { explainDelivery, searchDeliveries } from '../../webhooks/log/list-deliveries.ts'
import { readWebhookStatistics } from '../../webhooks/log/read-statistics.ts'
import { resendDelivery } from '../../webhooks/resend/resend-delivery.ts'
import { resendFailed } from '../../webhooks/resend/resend-failed.ts'
import { type AppRoute, route } from '../route.ts'
import { ofWebhook, refOf } from '../webhooks/of-webhook.ts'
import * as contracts from './contract.ts'

export const deliveriesRoutes: AppRoute[] = [
  /** GET /v1/webhooks/{webhookId}/deliveries: the newest 50 that meet a filter, with their attempts. */
  route(
    contracts.listDeliveries,
    async ({ tools, actor, params, query }) => searchDeliveries(tools.sql, refOf(actor, params), query),
    ofWebhook,
  ),

  /** POST /v1/webhooks/{webhookId}/resend-failed: what failed and meets the filter of the log, with all six attempts again. */
  route(
    contracts.resendFailed,
    async ({ tools, actor, params, body }) => resendFailed(tools.operator, refOf(actor, params), body),
    ofWebhook,
  ),

  /** GET /v1/webhook-statistics?workspace=: how the endpoints of a workspace answered in the last 24 hours and 30 days. */
  route(contracts.readStatistics, async ({ tools, actor }) => ({
    webhooks: await readWebhookStatistics(tools.sql, actor.workspaceId),
  })),

  /** GET /v1/webhooks/{webhookId}/deliveries/{deliveryId}: its attempts, the exact body and headers, what comes next. */
  route(
    contracts.readDelivery,
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
  ),

  /** POST /v1/webhooks/{webhookId}/deliveries/{deliveryId}/resend: all six attempts again, with the next round. */
  route(
    contracts.resendDelivery,
    async ({ tools, actor, params }) => {
      await resendDelivery(tools.operator, refOf(actor, params), params.deliveryId)
    },
    ofWebhook,
  ),
]
