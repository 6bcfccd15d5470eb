import type { Sql } from '../../lib/sql.ts'
import { type ApiKey, apiKeysOf } from './api-key-store.ts'

/** Returns the keys of a workspace, oldest first, without their values. */
export const listApiKeys = (sql: Sql, workspaceId: string): Promise<ApiKey[]> => apiKeysOf(sql, workspaceId)
