import type { Sql } from '../../lib/sql.ts'
import { allWorkspaces, type ListedWorkspace } from './workspace-store.ts'

/** Returns every workspace with the number of its keys, oldest first. */
export const listWorkspaces = (sql: Sql): Promise<ListedWorkspace[]> => allWorkspaces(sql)
