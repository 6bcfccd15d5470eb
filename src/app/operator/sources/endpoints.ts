// Written by "npm run generate" from contract.ts.
import { endpoint } from '../../endpoint.ts'

export const listSources = endpoint('GET', '/v1/operator/sources')
export const readSource = endpoint('GET', '/v1/operator/sources/:source')
export const readSnapshot = endpoint('GET', '/v1/operator/snapshots/:hash')
export const collectSource = endpoint('POST', '/v1/operator/sources/:source/collect')
