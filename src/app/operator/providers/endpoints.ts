// Written by "npm run generate" from contract.ts.
import { endpoint } from '../../endpoint.ts'

export const listProviders = endpoint('GET', '/v1/operator/providers')
