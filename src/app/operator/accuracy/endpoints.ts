// Written by "npm run generate" from contract.ts.
import { endpoint } from '../../endpoint.ts'

export const readAccuracy = endpoint('GET', '/v1/operator/accuracy')
export const listContradicted = endpoint('GET', '/v1/operator/accuracy/contradicted')
