import type { Db, Tx } from '../../lib/sql.ts'
import type { CurrentRole, Membership, MemberView, Role } from './member-schema.ts'

type Ref = { workspaceId: string; accountId: string }

/** Returns false when the account belongs to the workspace already. */
export async function insertMember(tx: Tx, { workspaceId, accountId, role }: Ref & { role: Role }): Promise<boolean> {
  const inserted = await tx`
    insert into workspace_member (workspace_id, account_id, role, created_at)
    values (${workspaceId}, ${accountId}, ${role}, clock_timestamp())
    on conflict do nothing`
  return inserted.count > 0
}

/** Returns an account's role in a workspace; undefined when it does not belong to it. */
export async function roleOf(db: Db, { workspaceId, accountId }: Ref): Promise<Role | undefined> {
  const [row] = await db<{ role: Role }[]>`
    select role from workspace_member where workspace_id = ${workspaceId} and account_id = ${accountId}`
  return row?.role
}

/** The members of a workspace, in the order in which they joined. */
export const membersOf = async (db: Db, workspaceId: string): Promise<MemberView[]> => [
  ...(await db<MemberView[]>`
    select a.account_id as "accountId", a.name, a.email, m.role, m.created_at as "joinedAt"
    from workspace_member m join account a using (account_id)
    where m.workspace_id = ${workspaceId} order by m.created_at, a.account_id`),
]

/** The workspaces an account belongs to, in the order in which it joined them. */
export const membershipsOf = async (db: Db, accountId: string): Promise<Membership[]> => [
  ...(await db<Membership[]>`
    select w.workspace_id as "workspaceId", w.name, m.role, w.created_at as "createdAt"
    from workspace_member m join workspace w using (workspace_id)
    where m.account_id = ${accountId} order by m.created_at, w.workspace_id`),
]

export async function countMemberships(tx: Tx, accountId: string): Promise<number> {
  const [row] = await tx<{ workspaces: number }[]>`
    select count(*)::int as workspaces from workspace_member where account_id = ${accountId}`
  return row!.workspaces
}

export async function setRole(tx: Tx, { workspaceId, accountId, role }: Ref & { role: Role }): Promise<void> {
  await tx`update workspace_member set role = ${role} where workspace_id = ${workspaceId} and account_id = ${accountId}`
}

export async function removeMember(tx: Tx, { workspaceId, accountId }: Ref): Promise<void> {
  await tx`delete from workspace_member where workspace_id = ${workspaceId} and account_id = ${accountId}`
}

/** An account in these workspaces, with how many other admins can act there. */
export const currentRoles = async (tx: Tx, accountId: string, workspaceIds: string[]): Promise<CurrentRole[]> => [
  ...(await tx<CurrentRole[]>`
    select w.workspace_id as "workspaceId",
           (select m.role from workspace_member m
            where m.workspace_id = w.workspace_id and m.account_id = ${accountId}) as role,
           count(a.account_id)::int as "otherAdmins"
    from workspace w
    left join workspace_member m
      on m.workspace_id = w.workspace_id and m.account_id <> ${accountId} and m.role = 'admin'
    left join account a on a.account_id = m.account_id and a.disabled_at is null
    where w.workspace_id = any (${workspaceIds}::uuid[])
    group by w.workspace_id order by w.workspace_id`),
]

/** Whether someone with this address belongs to the workspace. */
export async function isMemberEmail(db: Db, workspaceId: string, emailKey: string): Promise<boolean> {
  const rows = await db`
    select from workspace_member m join account a using (account_id)
    where m.workspace_id = ${workspaceId} and a.email_key = ${emailKey}`
  return rows.length > 0
}

/** Takes the lock under which an account's workspaces are created; false while another transaction holds it. */
export async function tryLockCreation(tx: Tx, accountId: string): Promise<boolean> {
  const [row] = await tx<{ locked: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended(${`create workspace/${accountId}`}, 0)) as locked`
  return row!.locked
}

/** Locks the workspaces of an account, always in the same order. Returns their ids. */
export async function lockWorkspacesOf(tx: Tx, accountId: string): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select w.workspace_id as id from workspace w join workspace_member m using (workspace_id)
    where m.account_id = ${accountId} order by w.workspace_id for update of w`
  return rows.map(({ id }) => id)
}

/**
 * The workspaces that have no admin who can act, oldest first, with how many of their members can: an account that is
 * disabled cannot. Without ids, of all workspaces.
 */
export const workspacesWithoutAdmin = async (
  db: Db,
  workspaceIds?: string[],
): Promise<{ workspaceId: string; name: string; members: number }[]> => [
  ...(await db<{ workspaceId: string; name: string; members: number }[]>`
    select w.workspace_id as "workspaceId", w.name, count(a.account_id)::int as members
    from workspace w
    left join workspace_member m on m.workspace_id = w.workspace_id
    left join account a on a.account_id = m.account_id and a.disabled_at is null
    where ${workspaceIds === undefined ? db`true` : db`w.workspace_id = any (${workspaceIds}::uuid[])`}
    group by w.workspace_id
    having not coalesce(bool_or(m.role = 'admin' and a.account_id is not null), false)
    order by w.created_at, w.workspace_id`),
]
