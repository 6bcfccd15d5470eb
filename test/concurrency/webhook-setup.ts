import type { Instant } from '../../src/lib/instant.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { pauseWebhook } from '../../src/webhooks/manage/pause-webhook.ts'
import { failPausedDue } from '../../src/webhooks/rounds/fail-paused-due.ts'
import type { WebhookRef } from '../../src/webhooks/schema.ts'
import { listWebhooks } from '../../src/webhooks/subscriptions/list-webhooks.ts'
import { addDeliveries } from '../support/webhooks/deliveries.ts'
import { addWebhook, operator } from '../support/webhooks/subscriptions.ts'
import type { Setting } from './cell.ts'

export const AT = '2026-11-21T10:00:00.000Z' as Instant
export const DUE = 10

export const create = async ({ sql, workspaceId }: Setting): Promise<WebhookRef> => ({
  workspaceId,
  id: await addWebhook(sql, workspaceId),
})
export const at = (sql: Sql) => ({ ...operator(sql), now: AT })
export async function withDeliveries(setting: Setting) {
  const webhook = await create(setting)
  return { webhook, ids: await addDeliveries(setting.sql, webhook, { at: AT, count: DUE }) }
}
export async function paused(setting: Setting) {
  const made = await withDeliveries(setting)
  await pauseWebhook(at(setting.sql), made.webhook, 'Paused by hand.')
  return made
}
export async function unsent(setting: Setting) {
  const made = await paused(setting)
  await failPausedDue(setting.sql, AT)
  return made
}
export const stateOf = async (sql: Sql, { id }: WebhookRef) => {
  const [row] = await sql`select state, paused_reason as reason from webhook where webhook_id = ${id}`
  return row && [row.state, row.reason]
}
export const deliveriesOf = async (sql: Sql, { id }: WebhookRef) => {
  const rows = await sql`
    select status, cycle, attempts, count(*)::int as n from delivery where webhook_id = ${id}
    group by 1, 2, 3 order by 1, 2`
  return rows.map(({ status, cycle, attempts, n }) => [status, cycle, attempts, n])
}
export const webhooks = async ({ sql, workspaceId }: Setting) => (await listWebhooks(sql, workspaceId)).length
