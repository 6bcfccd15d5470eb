// Written by "npm run generate" from contract.ts.
import { endpoint } from '../endpoint.ts'

export const listWatches = endpoint('GET', '/v1/account/watches')
export const createWatch = endpoint('POST', '/v1/account/watches')
export const editWatch = endpoint('PATCH', '/v1/account/watches/:watchId')
export const deleteWatch = endpoint('DELETE', '/v1/account/watches/:watchId')
