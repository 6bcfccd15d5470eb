import type { Db, Tx } from '../lib/sql.ts'

export type Workspace = { workspaceId: string; name: string }

export async function insertWorkspace(db: Db, name: string): Promise<Workspace> {
  const [row] = await db<Workspace[]>`
    insert into workspace (name, created_at) values (${name}, clock_timestamp())
    returning workspace_id as "workspaceId", name`
  return row!
}

/** Locks a workspace, so that what it holds can be counted. Returns whether it exists. */
export async function lockWorkspace(tx: Tx, workspaceId: string): Promise<boolean> {
  const rows = await tx`select from workspace where workspace_id = ${workspaceId} for update`
  return rows.length > 0
}
