import { AppError } from '../lib/errors.ts'
import type { Sql } from '../lib/sql.ts'
import { readName } from './name-rules.ts'
import { setWorkspaceName, type Workspace } from './workspace-store.ts'

/** Gives a workspace another name. @throws AppError invalid_body (field `name`), not_found */
export async function renameWorkspace(sql: Sql, input: { workspaceId: string; name: string }): Promise<Workspace> {
  const renamed = await setWorkspaceName(sql, { ...input, name: readName(input.name) })
  if (renamed) return renamed
  throw new AppError('not_found', 'This workspace does not exist: it may be deleted already.')
}
