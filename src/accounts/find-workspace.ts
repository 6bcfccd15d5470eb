import { OperatorError } from '../lib/errors.ts'
import type { Sql } from '../lib/sql.ts'
import { firstWorkspace, workspaceNamed } from './workspace-store.ts'

/**
 * Returns the id of the workspace with this id or name; without either, of the oldest workspace.
 * @throws OperatorError when there is none
 */
export async function findWorkspace(sql: Sql, reference?: string): Promise<string> {
  const found = reference === undefined ? await firstWorkspace(sql) : await workspaceNamed(sql, reference)
  if (found) return found
  throw new OperatorError(
    reference === undefined ? 'There is no workspace yet.' : `There is no workspace ${reference}.`,
  )
}
