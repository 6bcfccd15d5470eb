// Written by "npm run generate" from contract.ts.
import { endpoint } from '../../endpoint.ts'

export const startCheck = endpoint('POST', '/v1/operator/check')
