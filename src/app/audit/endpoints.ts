// Written by "npm run generate" from contract.ts.
import { endpoint } from '../endpoint.ts'

export const listAllActions = endpoint('GET', '/v1/operator/audit')
export const exportActions = endpoint('GET', '/v1/operator/audit/export')
export const listWorkspaceActions = endpoint('GET', '/v1/audit')
