import { changeKeyNetworks } from '../../accounts/keys/change-key-networks.ts'
import { createApiKey } from '../../accounts/keys/create-api-key.ts'
import { deleteApiKey } from '../../accounts/keys/delete-api-key.ts'
import { listApiKeys } from '../../accounts/keys/list-api-keys.ts'
import { mostAllowed } from '../../accounts/workspaces/keep-to-quota.ts'
import { type AppRoute, route } from '../route.ts'
import * as contracts from './contract.ts'

export const keysRoutes: AppRoute[] = [
  /** GET /v1/keys?workspace=: the keys of a workspace, without their values. */
  route(contracts.listKeys, async ({ tools, actor }) => ({
    keys: await listApiKeys(tools.sql, actor.workspaceId),
    most: (await mostAllowed(tools.sql, actor.workspaceId)).apiKeys,
  })),

  /** POST /v1/keys?workspace=: a new key; its value is in this answer alone. */
  route(contracts.createKey, async ({ tools, actor: { workspaceId, accountId }, body }) => ({
    key: await createApiKey(tools.sql, { ...body, workspaceId, createdBy: accountId }),
  })),

  /** PATCH /v1/keys/{keyId}?workspace=: the networks that the key may be used from. */
  route(contracts.changeKey, async ({ tools, actor: { workspaceId, accountId }, params, body }) => {
    const key = { workspaceId, keyId: params.keyId, by: accountId }
    return { networks: await changeKeyNetworks(tools.sql, key, body.networks) }
  }),

  /** DELETE /v1/keys/{keyId}?workspace=: the key is refused from the next request on. */
  route(contracts.deleteKey, async ({ tools, actor: { workspaceId, accountId }, params }) => {
    await deleteApiKey(tools.sql, { workspaceId, keyId: params.keyId, by: accountId })
  }),
]
