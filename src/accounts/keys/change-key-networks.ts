import { recordAction } from '../../audit/record-action.ts'
import { AppError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Sql } from '../../lib/sql.ts'
import { authorize } from '../members/authorize.ts'
import { setNetworks } from './api-key-store.ts'
import { readNetworks } from './network-rules.ts'

/**
 * Says where a key may be used from: networks in CIDR notation, or everywhere when there are none. Returns them as they are
 * stored. @throws AppError invalid_body (field `networks`), not_found
 */
export async function changeKeyNetworks(
  sql: Sql,
  { by, ...key }: { workspaceId: string; keyId: string; by?: string },
  given: string[],
): Promise<string[]> {
  const networks = readNetworks(given)
  const { workspaceId, keyId } = key
  await sql.begin(async (tx) => {
    if (!isId(keyId) || !(await setNetworks(tx, key, networks)))
      throw new AppError('not_found', 'This API key does not exist: it may be deleted already.')
    if (by) await authorize(tx, { accountId: by, workspaceId }, 'member')
    await recordAction(tx, 'key_changed', { accountId: by, workspaceId, subject: keyId, detail: { networks } })
  })
  return networks
}
