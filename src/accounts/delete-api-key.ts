import { AppError } from '../lib/errors.ts'
import type { Sql } from '../lib/sql.ts'
import { removeApiKey } from './api-key-store.ts'

/** Deletes a key of this workspace. Every node refuses it from the next request on. @throws AppError not_found */
export async function deleteApiKey(sql: Sql, input: { workspaceId: string; keyId: string }): Promise<void> {
  if (await removeApiKey(sql, input)) return
  throw new AppError('not_found', 'This API key does not exist: it may be deleted already.')
}
