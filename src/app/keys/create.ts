import { createApiKey } from '../../accounts/keys/create-api-key.ts'
import { createKey } from '../contracts/keys.ts'
import { route } from '../route.ts'

/** POST /v1/keys?workspace=: a new key; its value is in this answer alone. */
export const createKeyRoute = route(createKey, async ({ tools, actor: { workspaceId, accountId }, body }) => ({
  key: await createApiKey(tools.sql, { ...body, workspaceId, createdBy: accountId }),
}))
