import { listApiKeys } from '../../accounts/keys/list-api-keys.ts'
import { listKeys } from '../contracts/keys.ts'
import { route } from '../route.ts'

/** GET /v1/keys?workspace=: the keys of a workspace, without their values. */
export const listKeysRoute = route(listKeys, async ({ tools, actor }) => ({
  keys: await listApiKeys(tools.sql, actor.workspaceId),
}))
