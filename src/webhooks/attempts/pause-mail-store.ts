import type { Instant } from '../../lib/instant.ts'
import type { Sql, Tx } from '../../lib/sql.ts'

/** The pause of a webhook. */
export type Pause = { webhookId: string; pausedAt: Instant }

/** What a mail to one admin about a paused webhook says. */
export type PauseMail = Pause & {
  workspaceId: string
  email: string
  webhook: string
  workspace: string
  reason: string
}

/** Returns the admins of a webhook's workspace. */
export async function adminsOf(tx: Tx, webhookId: string): Promise<string[]> {
  const rows = await tx<{ accountId: string }[]>`
    select m.account_id as "accountId"
    from webhook w
    join workspace_member m on m.workspace_id = w.workspace_id and m.role = 'admin'
    join account a on a.account_id = m.account_id and a.disabled_at is null
    where w.webhook_id = ${webhookId}`
  return rows.map(({ accountId }) => accountId)
}

/** Returns what there is to say; undefined when the webhook was resumed, or the account is not an admin any more. */
export async function pauseMail(sql: Sql, accountId: string, pause: Pause): Promise<PauseMail | undefined> {
  const [row] = await sql<PauseMail[]>`
    select w.webhook_id as "webhookId", w.workspace_id as "workspaceId", a.email, w.name as webhook, s.name as workspace,
           w.paused_at as "pausedAt", w.paused_reason as reason
    from webhook w
    join workspace s using (workspace_id)
    join workspace_member m on m.workspace_id = w.workspace_id and m.account_id = ${accountId} and m.role = 'admin'
    join account a on a.account_id = m.account_id and a.disabled_at is null
    where w.webhook_id = ${pause.webhookId} and w.state = 'paused' and w.paused_at = ${pause.pausedAt}`
  return row
}
