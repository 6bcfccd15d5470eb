import { recordAction } from '../../audit/record-action.ts'
import { AppError } from '../../lib/errors.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { authorize } from '../members/authorize.ts'
import { readName } from '../name-rules.ts'
import { mostAllowed } from '../workspaces/keep-to-quota.ts'
import { whereFull } from '../workspaces/quota-rules.ts'
import { lockWorkspace } from '../workspaces/workspace-store.ts'
import { hasExpired, lastCharacters, MAX_API_KEYS } from './api-key-rules.ts'
import { type ApiKey, countApiKeys, insertApiKey } from './api-key-store.ts'
import { readNetworks } from './network-rules.ts'
import { newApiKey } from './new-api-key.ts'

/**
 * Creates an API key. Its full value is returned here and stored nowhere.
 * @throws AppError api_key_limit when the workspace holds 20; invalid_body (field `name`, `expiresAt` or `networks`); not_found without
 * workspace, or when `createdBy` does not belong to it.
 */
export async function createApiKey(
  sql: Sql,
  input: { workspaceId: string; name: string; createdBy?: string; expiresAt?: Instant; networks?: string[] },
): Promise<ApiKey & { key: string }> {
  const name = readName(input.name)
  const networks = readNetworks(input.networks ?? [])
  const key = newApiKey()
  return await sql.begin(async (tx) => {
    if (!(await lockWorkspace(tx, input.workspaceId))) {
      throw new AppError('not_found', 'This workspace does not exist.')
    }
    // A member who was removed while this waited for the lock creates none.
    if (input.createdBy) await authorize(tx, { accountId: input.createdBy, workspaceId: input.workspaceId }, 'member')
    const { apiKeys: most } = await mostAllowed(tx, input.workspaceId)
    if ((await countApiKeys(tx, input.workspaceId)) >= most) {
      const message = `A workspace holds at most ${most} API keys: ${whereFull(most, MAX_API_KEYS)}`
      throw new AppError('api_key_limit', message)
    }
    const created = await insertApiKey(tx, { ...input, name, key, networks })
    const { expiresAt = null } = input
    if (hasExpired({ expiresAt }, created.createdAt)) {
      throw new AppError('invalid_body', 'expiresAt must be in the future.', { field: 'expiresAt' })
    }
    const { workspaceId, createdBy: accountId } = input
    await recordAction(tx, 'key_created', {
      accountId,
      workspaceId,
      subject: created.keyId,
      detail: { name, ...(networks.length > 0 && { networks }) },
    })
    return { ...created, name, lastCharacters: lastCharacters(key), lastUsedAt: null, expiresAt, networks, key }
  })
}
