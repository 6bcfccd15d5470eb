// Written by "npm run generate" from contract.ts.
import { endpoint } from '../../endpoint.ts'

export const listAliases = endpoint('GET', '/v1/operator/aliases')
export const acceptProposals = endpoint('POST', '/v1/operator/aliases/accept')
export const createGroup = endpoint('POST', '/v1/operator/aliases')
export const saveGroup = endpoint('PUT', '/v1/operator/aliases/:groupId')
export const deleteGroup = endpoint('DELETE', '/v1/operator/aliases/:groupId')
