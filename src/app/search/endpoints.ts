// Written by "npm run generate" from contract.ts.
import { endpoint } from '../endpoint.ts'

export const search = endpoint('GET', '/v1/search')
