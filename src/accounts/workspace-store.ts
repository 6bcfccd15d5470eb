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

/** The oldest workspace: the one an operator's commands act on when none is named. */
export async function firstWorkspace(db: Db): Promise<string | undefined> {
  const [row] = await db<{ id: string }[]>`
    select workspace_id as id from workspace order by created_at, workspace_id limit 1`
  return row?.id
}

/** Returns the workspace with this id or name; the oldest where several have the name. */
export async function workspaceNamed(db: Db, reference: string): Promise<string | undefined> {
  const [row] = await db<{ id: string }[]>`
    select workspace_id as id from workspace
    where workspace_id::text = ${reference} or name = ${reference} order by created_at limit 1`
  return row?.id
}
