import { readWebhookStatistics } from '../../webhooks/log/read-statistics.ts'
import { readStatistics } from '../contracts/deliveries.ts'
import { route } from '../route.ts'

/** GET /v1/webhook-statistics?workspace=: how the endpoints of a workspace answered in the last 24 hours and 30 days. */
export const readStatisticsRoute = route(readStatistics, async ({ tools, actor }) => ({
  webhooks: await readWebhookStatistics(tools.sql, actor.workspaceId),
}))
