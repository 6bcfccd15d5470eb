import type { Sql } from '../../lib/sql.ts'
import { readName } from '../name-rules.ts'
import { insertWorkspace, type Workspace } from './workspace-store.ts'

/**
 * Creates a workspace. The caller decides who belongs to it and how many a user may have.
 * @throws AppError invalid_body (field `name`)
 */
export const createWorkspace = async (sql: Sql, input: { name: string }): Promise<Workspace> =>
  insertWorkspace(sql, readName(input.name))
