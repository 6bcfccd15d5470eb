import { OperatorError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { composedName } from '../../lib/text.ts'
import { firstWorkspace, workspacesNamed } from './workspace-store.ts'

/**
 * Returns the id of the workspace with this id or name; without either, of the oldest workspace.
 * @throws OperatorError when there is none, or several have the name
 */
export async function findWorkspace(sql: Sql, reference?: string): Promise<string> {
  if (reference === undefined) return oldestWorkspace(sql)
  const [found, ...others] = await workspacesNamed(sql, composedName(reference))
  if (!found) throw new OperatorError(`There is no workspace ${reference}. See: npx pricetape workspace list`)
  if (others.length === 0) return found
  throw new OperatorError(`${others.length + 1} workspaces are called ${reference}: name one by its id.`)
}

async function oldestWorkspace(sql: Sql): Promise<string> {
  const found = await firstWorkspace(sql)
  if (found) return found
  throw new OperatorError('There is no workspace yet.')
}
