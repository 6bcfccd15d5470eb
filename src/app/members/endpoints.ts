// Written by "npm run generate" from contract.ts.
import { endpoint } from '../endpoint.ts'

export const listMembers = endpoint('GET', '/v1/members')
export const changeRole = endpoint('PATCH', '/v1/members/:accountId')
export const removeMember = endpoint('DELETE', '/v1/members/:accountId')
