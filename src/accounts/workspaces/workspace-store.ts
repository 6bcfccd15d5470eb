import type { Instant } from '../../lib/instant.ts'
import type { Db, Tx } from '../../lib/sql.ts'

/** PostgreSQL's code for a row that others refer to. */
const FOREIGN_KEY_VIOLATION = '23503'

export type Workspace = { workspaceId: string; name: string; createdAt: Instant }
/** A workspace as the list shows it. */
export type ListedWorkspace = Workspace & { keys: number }

export async function insertWorkspace(db: Db, name: string): Promise<Workspace> {
  const [row] = await db<Workspace[]>`
    insert into workspace (name, created_at) values (${name}, clock_timestamp())
    returning workspace_id as "workspaceId", name, created_at as "createdAt"`
  return row!
}

/** Every workspace with the number of its keys, oldest first. */
export async function allWorkspaces(db: Db): Promise<ListedWorkspace[]> {
  return [
    ...(await db<ListedWorkspace[]>`
      select workspace_id as "workspaceId", name, created_at as "createdAt",
             (select count(*)::int from api_key k where k.workspace_id = w.workspace_id) as keys
      from workspace w order by created_at, workspace_id`),
  ]
}

/** Returns the workspace under its new name; undefined when it does not exist. */
export async function setWorkspaceName(db: Db, { workspaceId, name }: Omit<Workspace, 'createdAt'>) {
  const [row] = await db<Workspace[]>`
    update workspace set name = ${name} where workspace_id = ${workspaceId}
    returning workspace_id as "workspaceId", name, created_at as "createdAt"`
  return row
}

/** Locks every workspace, always in the same order. Returns their ids. */
export async function lockWorkspaces(tx: Tx): Promise<Set<string>> {
  const rows = await tx<{ id: string }[]>`
    select workspace_id as id from workspace order by workspace_id for update`
  return new Set(rows.map(({ id }) => id))
}

/** Removes a workspace and its keys. Returns false when webhooks belong to it: then nothing is removed. */
export async function removeWorkspace(tx: Tx, workspaceId: string): Promise<boolean> {
  try {
    await tx.savepoint((inner) => inner`delete from workspace where workspace_id = ${workspaceId}`)
    return true
  } catch (error) {
    if ((error as { code?: string }).code === FOREIGN_KEY_VIOLATION) return false
    throw error
  }
}

/** Locks a workspace, so that what it holds can be counted. Returns whether it exists. */
export async function lockWorkspace(tx: Tx, workspaceId: string): Promise<boolean> {
  const rows = await tx`select from workspace where workspace_id = ${workspaceId} for update`
  return rows.length > 0
}

/** Returns what a workspace is called; undefined when it does not exist. */
export async function workspaceName(db: Db, workspaceId: string): Promise<string | undefined> {
  const [row] = await db<{ name: string }[]>`select name from workspace where workspace_id = ${workspaceId}`
  return row?.name
}

/** The oldest workspace: the one an operator's commands act on when none is named. */
export async function firstWorkspace(db: Db): Promise<string | undefined> {
  const [row] = await db<{ id: string }[]>`
    select workspace_id as id from workspace order by created_at, workspace_id limit 1`
  return row?.id
}

/**
 * Returns the workspace with this id, else those with this name, oldest first: several may have one name. Anyone may give a
 * workspace any name, so one that is called like the id of another does not count beside it.
 */
export async function workspacesNamed(db: Db, reference: string): Promise<string[]> {
  const rows = await db<{ id: string; isIt: boolean }[]>`
    select workspace_id as id, workspace_id::text = ${reference} as "isIt" from workspace
    where workspace_id::text = ${reference} or name = ${reference} order by created_at, workspace_id`
  const exact = rows.filter(({ isIt }) => isIt)
  return (exact.length > 0 ? exact : rows).map(({ id }) => id)
}
