// Written by "npm run generate" from contract.ts.
import { endpoint } from '../../endpoint.ts'

export const listReviewItems = endpoint('GET', '/v1/operator/review')
export const readReviewItem = endpoint('GET', '/v1/operator/review/:itemId')
export const decideReviewItems = endpoint('POST', '/v1/operator/review/decisions')
