// Written by "npm run generate" from contract.ts.
import { endpoint } from '../../endpoint.ts'

export const listResourceRows = endpoint('GET', '/v1/operator/prices')
export const correctPrice = endpoint('POST', '/v1/operator/prices/:contentHash/correct')
export const withdrawPrice = endpoint('POST', '/v1/operator/prices/:contentHash/withdraw')
export const restorePrice = endpoint('POST', '/v1/operator/prices/:contentHash/restore')
