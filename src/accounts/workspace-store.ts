import { AppError } from '../lib/errors.ts'
import type { Db } from '../lib/sql.ts'
import { displayName } from './api-key-rules.ts'

export type Workspace = { workspaceId: string; name: string }

/**
 * Creates a workspace. Who may belong to it, and how many a user may have, is decided by whoever calls.
 * @throws AppError invalid_body (field `name`).
 */
export async function createWorkspace(db: Db, given: { name: string }): Promise<Workspace> {
  const [row] = await db<Workspace[]>`
    insert into workspace (name, created_at) values (${checkedName(given.name)}, clock_timestamp())
    returning workspace_id as "workspaceId", name`
  return row!
}

/** @throws AppError invalid_body (field `name`) saying what is wrong with it. */
export function checkedName(name: string): string {
  const parsed = displayName.safeParse(name)
  if (parsed.success) return parsed.data
  throw new AppError('invalid_body', `The name ${parsed.error.issues[0]?.message}.`, { field: 'name' })
}
