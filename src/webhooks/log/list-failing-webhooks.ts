import type { Sql } from '../../lib/sql.ts'
import { type FailingWebhook, failingWebhooks } from './failing-store.ts'

const MOST = 100

/** Returns what operators look for after an alert: webhooks that fail or are paused, with a delivery and the reason. */
export const listFailingWebhooks = (sql: Sql): Promise<FailingWebhook[]> => failingWebhooks(sql, MOST)
