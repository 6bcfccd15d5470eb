import { AppError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Db, Sql, Tx } from '../../lib/sql.ts'
import { lockAccount } from '../users/account-store.ts'
import { lockWorkspace } from '../workspaces/workspace-store.ts'
import type { Role } from './member-schema.ts'
import { roleOf } from './member-store.ts'

/** Who acts, and in which workspace. */
export type Acting = { accountId: string; workspaceId: string }

const noWorkspace = (): AppError => new AppError('not_found', 'There is no such workspace, or you do not belong to it.')

/**
 * Returns the role of an account in a workspace, when it may do what needs this one.
 * @throws AppError not_found to those who do not belong to it, forbidden to members where an admin is needed
 */
export async function authorize(db: Db, acting: Acting, needed: Role): Promise<Role> {
  const role = isId(acting.workspaceId) ? await roleOf(db, acting) : undefined
  if (!role) throw noWorkspace()
  if (needed === 'admin' && role !== 'admin') {
    throw new AppError('forbidden', 'Only admins of this workspace may do this: ask one of them.')
  }
  return role
}

/**
 * Runs `work` while no other request changes what belongs to the workspace, or sends in the name of the account. The role
 * is read under that lock: it may have been taken away meanwhile. Accounts are locked before workspaces, everywhere.
 * @throws AppError not_found, forbidden
 */
export async function withLockedWorkspace<T>(
  sql: Sql,
  acting: Acting,
  needed: Role,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  if (!isId(acting.workspaceId)) throw noWorkspace()
  const done = await sql.begin(async (tx) => {
    const account = await lockAccount(tx, acting.accountId)
    if (!account || account.disabledAt) throw noWorkspace()
    if (!(await lockWorkspace(tx, acting.workspaceId))) throw noWorkspace()
    await authorize(tx, acting, needed)
    return { result: await work(tx) }
  })
  return done.result as T
}
