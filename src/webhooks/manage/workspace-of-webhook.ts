import { isId } from '../../lib/ids.ts'
import type { Db } from '../../lib/sql.ts'
import { webhookOf } from './operator-store.ts'

/** Returns the workspace that a webhook belongs to; undefined when there is no such webhook. */
export const workspaceOfWebhook = async (db: Db, id: string): Promise<string | undefined> =>
  isId(id) ? (await webhookOf(db, id))?.workspaceId : undefined
