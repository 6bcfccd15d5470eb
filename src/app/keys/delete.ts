import { deleteApiKey } from '../../accounts/keys/delete-api-key.ts'
import { deleteKey } from '../contracts/keys.ts'
import { route } from '../route.ts'

/** DELETE /v1/keys/{keyId}?workspace=: the key is refused from the next request on. */
export const deleteKeyRoute = route(deleteKey, async ({ tools, actor: { workspaceId, accountId }, params }) => {
  await deleteApiKey(tools.sql, { workspaceId, keyId: params.keyId, by: accountId })
})
