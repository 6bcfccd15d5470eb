// Written by "npm run generate" from contract.ts.
import { endpoint } from '../endpoint.ts'

export const listPasskeys = endpoint('GET', '/v1/account/passkeys')
export const beginPasskey = endpoint('POST', '/v1/account/passkeys/challenge')
export const addPasskey = endpoint('POST', '/v1/account/passkeys')
export const renamePasskey = endpoint('PATCH', '/v1/account/passkeys/:passkeyId')
export const removePasskey = endpoint('DELETE', '/v1/account/passkeys/:passkeyId')
export const beginPasskeySignIn = endpoint('POST', '/v1/sessions/passkey/challenge')
export const signInWithPasskey = endpoint('POST', '/v1/sessions/passkey')
