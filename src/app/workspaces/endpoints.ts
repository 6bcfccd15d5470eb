// Written by "npm run generate" from contract.ts.
import { endpoint } from '../endpoint.ts'

export const listWorkspaces = endpoint('GET', '/v1/workspaces')
export const createWorkspace = endpoint('POST', '/v1/workspaces')
export const deleteWorkspace = endpoint('DELETE', '/v1/workspaces/:workspaceId')
export const renameWorkspace = endpoint('PATCH', '/v1/workspaces/:workspaceId')
