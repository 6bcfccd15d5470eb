import { Readable } from 'node:stream'
import { exportActions } from '../../audit/export-actions.ts'
import { listActions } from '../../audit/list-actions.ts'
import { type AppRoute, route } from '../route.ts'
import * as contracts from './contract.ts'

export const auditRoutes: AppRoute[] = [
  /** GET /v1/operator/audit: who did what, everywhere. */
  route(contracts.listAllActions, ({ tools, query: { workspace: workspaceId, ...filter } }) =>
    listActions(tools.sql, { ...filter, workspaceId }),
  ),

  /** GET /v1/operator/audit/export?format=: the log of a period as a file. */
  route(contracts.exportActions, async ({ tools, query: { format, ...period } }) => ({
    name: `audit-log.${format}`,
    type: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
    bytes: Readable.from(exportActions(tools.sql, period, format), { objectMode: false }),
  })),

  /** GET /v1/audit?workspace=: who did what in a workspace. */
  route(contracts.listWorkspaceActions, ({ tools, actor: { workspaceId }, query: { workspace: _, ...filter } }) =>
    listActions(tools.sql, { ...filter, workspaceId }),
  ),
]
