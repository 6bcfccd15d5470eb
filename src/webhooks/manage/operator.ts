import { databaseNow } from '../../catalog/clock/clock-store.ts'
import { AppError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Log } from '../../lib/log.ts'
import type { Sql, Tx } from '../../lib/sql.ts'
import type { DeliveryWorkflows } from '../rounds/delivery-workflows.ts'
import type { WebhookRef } from '../schema.ts'
import { type LockedState, lockState } from './operator-store.ts'

/** What the buttons on a webhook need: the database, and a way to notify the webhook's workflow. */
export type Operator = {
  sql: Sql
  workflows: Pick<DeliveryWorkflows, 'notifyWebhook'>
  /** Where pauses and resumes are written down. */
  log?: Log
  now?: Instant
}

/**
 * Runs `work` in a transaction that holds the webhook's lock. The lock comes before those of deliveries (README.md).
 * @throws AppError not_found
 */
export async function withLockedWebhook<T>(
  { sql, now }: Pick<Operator, 'sql' | 'now'>,
  webhook: WebhookRef,
  work: (tx: Tx, state: LockedState, now: Instant) => Promise<T>,
  lock: (tx: Tx, webhook: WebhookRef) => Promise<LockedState | undefined> = lockState,
): Promise<T> {
  checkRef(webhook)
  const result = await sql.begin(async (tx) => {
    const state = await lock(tx, webhook)
    if (!state) throw webhookNotFound()
    return { done: await work(tx, state, now ?? (await databaseNow(tx))) }
  })
  return result.done as T
}

/** @throws AppError not_found */
export function checkRef(webhook: WebhookRef): void {
  if (!isId(webhook.id) || !isId(webhook.workspaceId)) throw webhookNotFound()
}

export const webhookNotFound = () => new AppError('not_found', 'There is no such webhook in this workspace.')
export const webhookPaused = () => new AppError('webhook_paused', 'The webhook is paused. Resume it first.')
