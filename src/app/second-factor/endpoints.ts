// Written by "npm run generate" from contract.ts.
import { endpoint } from '../endpoint.ts'

export const readTotp = endpoint('GET', '/v1/account/totp')
export const beginTotp = endpoint('POST', '/v1/account/totp')
export const confirmTotp = endpoint('POST', '/v1/account/totp/confirm')
export const turnTotpOff = endpoint('DELETE', '/v1/account/totp')
