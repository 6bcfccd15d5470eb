// Written by "npm run generate" from contract.ts.
import { endpoint } from '../endpoint.ts'

export const beginProviderSignIn = endpoint('POST', '/v1/sessions/identity/begin')
export const signInWithProvider = endpoint('POST', '/v1/sessions/identity')
export const listIdentities = endpoint('GET', '/v1/account/identities')
export const beginLink = endpoint('POST', '/v1/account/identities/begin')
export const linkIdentity = endpoint('POST', '/v1/account/identities')
export const unlinkIdentity = endpoint('DELETE', '/v1/account/identities/:identityId')
