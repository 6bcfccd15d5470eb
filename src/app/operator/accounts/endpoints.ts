// Written by "npm run generate" from contract.ts.
import { endpoint } from '../../endpoint.ts'

export const listAccounts = endpoint('GET', '/v1/operator/accounts')
export const changeAccountState = endpoint('PATCH', '/v1/operator/accounts/:accountId')
export const endAccountSessions = endpoint('DELETE', '/v1/operator/accounts/:accountId/sessions')
export const resetTotp = endpoint('DELETE', '/v1/operator/accounts/:accountId/totp')
export const resetPasskeys = endpoint('DELETE', '/v1/operator/accounts/:accountId/passkeys')
export const resetIdentities = endpoint('DELETE', '/v1/operator/accounts/:accountId/identities')
