// Written by "npm run generate" from contract.ts.
import { endpoint } from '../../endpoint.ts'

export const listAllWorkspaces = endpoint('GET', '/v1/operator/workspaces')
export const changeQuota = endpoint('PUT', '/v1/operator/workspaces/:workspaceId/quota')
