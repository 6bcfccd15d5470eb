import type { Instant } from '../../lib/instant.ts'
import type { Db, Tx } from '../../lib/sql.ts'
import type { Role } from '../members/member-schema.ts'
import { tokenHash } from '../new-token.ts'
import { emailKey } from '../users/email-rules.ts'
import { lockWorkspace } from '../workspaces/workspace-store.ts'
import {
  INVITATION_LIFETIME_MS,
  INVITATION_WINDOW_MS,
  type InvitationLimit,
  MOST_INVITATIONS,
} from './invitation-rules.ts'
import type { InvitationView, OpenInvitation } from './invitation-schema.ts'

/** What can still be accepted. */
const open = (db: Db) => db`
  i.workspace_id is not null and i.withdrawn_at is null and i.accepted_at is null and i.expires_at > clock_timestamp()`

/** Lets one transaction at a time count what an address gets. */
export async function lockRecipient(tx: Tx, email: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`invitation/${emailKey(email)}`}, 0))`
}

type Sending = { workspaceId: string; invitedBy: string; email: string }

/**
 * Returns the seconds until a limit lets another invitation go out: 0 means now. Those of workspaces that were deleted
 * count in every other one of who sent them. The caller holds the locks of account, workspace and recipient.
 */
export async function invitationWait(tx: Tx, limit: InvitationLimit, sending: Sending): Promise<number> {
  const byInviter = tx`(invited_by = ${sending.invitedBy}
    or inviter_email_key = (select email_key from account where account_id = ${sending.invitedBy}))`
  const counted = {
    workspace: tx`(workspace_id = ${sending.workspaceId} or (workspace_id is null and ${byInviter}))`,
    inviter: byInviter,
    recipient: tx`email_key = ${emailKey(sending.email)}`,
  }[limit]
  const [row] = await tx<{ wait: number }[]>`
    select extract(epoch from created_at + ${`${INVITATION_WINDOW_MS} ms`}::interval - clock_timestamp())::float8 as wait
    from invitation
    where ${counted} and created_at > clock_timestamp() - ${`${INVITATION_WINDOW_MS} ms`}::interval
    order by created_at desc offset ${MOST_INVITATIONS[limit] - 1} limit 1`
  return row ? Math.max(row.wait, 0) : 0
}

type NewInvitation = {
  workspaceId: string
  email: string
  role: Role
  token: string
  mailed: boolean
  invitedBy: string
}

export async function insertInvitation(
  tx: Tx,
  given: NewInvitation,
): Promise<{ invitationId: string; createdAt: Instant; expiresAt: Instant }> {
  const [row] = await tx<{ invitationId: string; createdAt: Instant; expiresAt: Instant }[]>`
    insert into invitation (workspace_id, email, email_key, role, token_hash, mailed, invited_by, inviter_email_key,
                            created_at, expires_at)
    values (${given.workspaceId}, ${given.email}, ${emailKey(given.email)}, ${given.role}, ${tokenHash(given.token)},
            ${given.mailed}, ${given.invitedBy},
            (select email_key from account where account_id = ${given.invitedBy}), clock_timestamp(),
            clock_timestamp() + ${`${INVITATION_LIFETIME_MS} ms`}::interval)
    returning invitation_id as "invitationId", created_at as "createdAt", expires_at as "expiresAt"`
  return row!
}

/** Withdraws the open invitations of an address: a new one replaces them. */
export async function withdrawInvitationsTo(tx: Tx, workspaceId: string, email: string): Promise<void> {
  await tx`
    update invitation as i set withdrawn_at = clock_timestamp()
    where i.workspace_id = ${workspaceId} and i.email_key = ${emailKey(email)} and ${open(tx)}`
}

/** Withdraws the open invitations that an account sent for these workspaces: they end with its right to invite. */
export async function withdrawInvitationsBy(
  tx: Tx,
  { accountId, workspaceIds }: { accountId: string; workspaceIds: string[] },
): Promise<void> {
  await tx`
    update invitation as i set withdrawn_at = clock_timestamp()
    where i.invited_by = ${accountId} and i.workspace_id = any (${workspaceIds}::uuid[]) and ${open(tx)}`
}

/** Returns the address of the invitation that was withdrawn; undefined when there was none to withdraw. */
export async function setWithdrawn(
  tx: Tx,
  { workspaceId, invitationId }: { workspaceId: string; invitationId: string },
): Promise<string | undefined> {
  const [row] = await tx<{ email: string }[]>`
    update invitation as i set withdrawn_at = clock_timestamp()
    where i.workspace_id = ${workspaceId} and i.invitation_id::text = ${invitationId} and ${open(tx)}
    returning i.email`
  return row?.email
}

/** The invitations of a workspace that can still be accepted, newest first. */
export const openInvitations = async (db: Db, workspaceId: string): Promise<InvitationView[]> => [
  ...(await db<InvitationView[]>`
    select i.invitation_id as "invitationId", i.email, i.role, a.name as "invitedBy", i.created_at as "createdAt",
           i.expires_at as "expiresAt"
    from invitation i join account a on a.account_id = i.invited_by
    where i.workspace_id = ${workspaceId} and ${open(db)}
    order by i.created_at desc, i.invitation_id desc`),
]

/** Whether an address has an invitation that can be accepted. */
export async function isInvited(db: Db, email: string): Promise<boolean> {
  const rows = await db`select from invitation i where i.email_key = ${emailKey(email)} and ${open(db)} limit 1`
  return rows.length > 0
}

/** Returns what can be accepted with this token. */
export async function findInvitation(db: Db, token: string): Promise<OpenInvitation | undefined> {
  const [row] = await db<OpenInvitation[]>`
    select i.workspace_id as "workspaceId", w.name as workspace, a.name as "invitedBy", i.email, i.role,
           i.expires_at as "expiresAt"
    from invitation i join workspace w using (workspace_id) join account a on a.account_id = i.invited_by
    where i.token_hash = ${tokenHash(token)} and ${open(db)}`
  return row
}

/**
 * Uses an invitation up, and locks its workspace: before the invitation, as who ends its sender's right does. Returns it
 * once; undefined when it was accepted, withdrawn or has expired.
 */
export async function useInvitation(
  tx: Tx,
  token: string,
): Promise<{ workspaceId: string; email: string; role: Role; mailed: boolean } | undefined> {
  const [found] = await tx<{ workspaceId: string | null }[]>`
    select workspace_id as "workspaceId" from invitation where token_hash = ${tokenHash(token)}`
  if (!found?.workspaceId || !(await lockWorkspace(tx, found.workspaceId))) return undefined
  const [row] = await tx<{ workspaceId: string; email: string; role: Role; mailed: boolean }[]>`
    update invitation as i set accepted_at = clock_timestamp()
    where i.token_hash = ${tokenHash(token)} and ${open(tx)}
    returning i.workspace_id as "workspaceId", i.email, i.role, i.mailed`
  return row
}

/** Deletes invitations that are over and count toward no limit any more. Returns how many. */
export async function deleteOldInvitations(db: Db): Promise<number> {
  const deleted = await db`
    delete from invitation i
    where created_at < clock_timestamp() - ${`${2 * INVITATION_LIFETIME_MS} ms`}::interval and not (${open(db)})`
  return deleted.count
}
