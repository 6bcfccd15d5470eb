import { mostAllowed } from '../../accounts/workspaces/keep-to-quota.ts'
import { MAX_WEBHOOKS_PER_WORKSPACE, whereFull } from '../../accounts/workspaces/quota-rules.ts'
import { publishing } from '../../catalog/clock/clock-store.ts'
import { AppError } from '../../lib/errors.ts'
import { readBody } from '../../lib/http/read-body.ts'
import { isId } from '../../lib/ids.ts'
import type { Sql } from '../../lib/sql.ts'
import { type WebhookBody, type WebhookView, webhookBody } from '../schema.ts'
import { resolveSubscription, type WebhookTools } from './resolve-subscription.ts'
import { addSecret } from './secret-store.ts'
import { countUnderLock, insertWebhook, readWebhooks, writeVersion } from './webhook-store.ts'

/**
 * Creates a webhook: it receives what is published from now on.
 * @throws AppError invalid_body with `field`, invalid_url, webhook_limit, not_found (the workspace)
 */
export async function createWebhook(
  sql: Sql,
  tools: WebhookTools,
  workspaceId: string,
  body: WebhookBody,
): Promise<{ webhook: WebhookView; secret: string }> {
  const wanted = readBody(webhookBody, body, 'a webhook')
  if (!isId(workspaceId)) throw new AppError('not_found', 'There is no such workspace.')
  await tools.checkUrl(wanted.url)
  return publishing(sql, async (tx, { at }) => {
    const webhooks = await countUnderLock(tx, workspaceId)
    const { webhooks: most } = await mostAllowed(tx, workspaceId)
    if (webhooks >= most) {
      const message = `A workspace holds at most ${most} webhooks: ${whereFull(most, MAX_WEBHOOKS_PER_WORKSPACE)}`
      throw new AppError('webhook_limit', message)
    }
    const subscription = await resolveSubscription(tx, wanted, [])
    const id = await insertWebhook(tx, at, { workspaceId, name: wanted.name, url: wanted.url })
    await writeVersion(tx, at, id, subscription)
    const secret = await addSecret(tx, tools.secretKey, id, at)
    const [webhook] = await readWebhooks(tx, workspaceId, id)
    return { webhook: webhook!, secret }
  })
}
