import { AppError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Db } from '../../lib/sql.ts'
import type { WebhookRef, WebhookView } from '../schema.ts'
import { readWebhooks } from './webhook-store.ts'

/** The webhooks of a workspace, oldest first. @throws AppError not_found for what cannot be a workspace */
export async function listWebhooks(db: Db, workspaceId: string): Promise<WebhookView[]> {
  if (!isId(workspaceId)) throw new AppError('not_found', 'There is no such workspace.')
  return readWebhooks(db, workspaceId)
}

/** One webhook. @throws AppError not_found */
export async function getWebhook(db: Db, { workspaceId, id }: WebhookRef): Promise<WebhookView> {
  const [webhook] = isId(workspaceId) && isId(id) ? await readWebhooks(db, workspaceId, id) : []
  if (!webhook) throw new AppError('not_found', 'There is no such webhook in this workspace.')
  return webhook
}
