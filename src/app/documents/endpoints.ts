// Written by "npm run generate" from contract.ts.
import { endpoint } from '../endpoint.ts'

export const listDocuments = endpoint('GET', '/v1/app/documents')
export const readDocument = endpoint('GET', '/v1/app/documents/:provider/:document')
