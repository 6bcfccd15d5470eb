// Written by "npm run generate" from contract.ts.
import { endpoint } from '../endpoint.ts'

export const listFeed = endpoint('GET', '/v1/app/feed')
export const listRecordedChanges = endpoint('GET', '/v1/app/feed/recorded')
export const readOverview = endpoint('GET', '/v1/app/overview')
export const readFeedAddress = endpoint('GET', '/v1/account/feed')
export const createFeedAddress = endpoint('POST', '/v1/account/feed')
export const deleteFeedAddress = endpoint('DELETE', '/v1/account/feed')
