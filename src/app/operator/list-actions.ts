import { listActions } from '../../audit/list-actions.ts'
import { listAllActions, listWorkspaceActions } from '../contracts/audit.ts'
import { route } from '../route.ts'

/** GET /v1/operator/audit: who did what, everywhere. */
export const listAllActionsRoute = route(listAllActions, ({ tools, query: { workspace: workspaceId, ...filter } }) =>
  listActions(tools.sql, { ...filter, workspaceId }),
)

/** GET /v1/audit?workspace=: who did what in a workspace. */
export const listWorkspaceActionsRoute = route(
  listWorkspaceActions,
  ({ tools, actor: { workspaceId }, query: { workspace: _, ...filter } }) =>
    listActions(tools.sql, { ...filter, workspaceId }),
)
