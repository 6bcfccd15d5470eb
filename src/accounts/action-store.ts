import type { Json } from '../lib/canonical-json.ts'
import type { Db } from '../lib/sql.ts'

type AccountAction =
  | 'account_created'
  | 'account_disabled'
  | 'account_enabled'
  | 'account_renamed'
  | 'email_verified'
  | 'invitation_accepted'
  | 'invitation_sent'
  | 'invitation_withdrawn'
  | 'key_created'
  | 'key_deleted'
  | 'member_left'
  | 'member_removed'
  | 'password_changed'
  | 'password_reset'
  | 'role_changed'
  | 'sessions_ended'
  | 'signed_in'
  | 'workspace_created'
  | 'workspace_renamed'

/** Records who did what. Part of the transaction that does it. */
export async function recordAction(
  db: Db,
  action: AccountAction,
  about: { accountId?: string; workspaceId?: string; detail?: { [name: string]: Json } },
): Promise<void> {
  await db`
    insert into account_action (at, action, account_id, workspace_id, detail)
    values (clock_timestamp(), ${action}, ${about.accountId ?? null}, ${about.workspaceId ?? null},
            ${db.json(about.detail ?? {})})`
}
