import { changeQuota, listWorkspaceUses } from '../../../accounts/workspaces/change-quota.ts'
import { type AppRoute, route } from '../../route.ts'
import * as contracts from './contract.ts'

export const operatorWorkspacesRoutes: AppRoute[] = [
  /** GET /v1/operator/workspaces: every workspace, with what it has and may have at most. */
  route(contracts.listAllWorkspaces, async ({ tools }) => ({ workspaces: await listWorkspaceUses(tools.sql) })),

  /** PUT /v1/operator/workspaces/{workspaceId}/quota: what a workspace may have at most. */
  route(contracts.changeQuota, async ({ tools, params, body }) => {
    await changeQuota(tools.sql, params.workspaceId, body)
  }),
]
