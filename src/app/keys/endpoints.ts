// Written by "npm run generate" from contract.ts.
import { endpoint } from '../endpoint.ts'

export const listKeys = endpoint('GET', '/v1/keys')
export const createKey = endpoint('POST', '/v1/keys')
export const changeKey = endpoint('PATCH', '/v1/keys/:keyId')
export const deleteKey = endpoint('DELETE', '/v1/keys/:keyId')
