// Written by "npm run generate" from contract.ts.
import { endpoint } from '../endpoint.ts'

export const readPrices = endpoint('GET', '/v1/app/prices')
export const exportPrices = endpoint('GET', '/v1/app/export')
export const readSeries = endpoint('GET', '/v1/app/series')
export const readEvidence = endpoint('GET', '/v1/app/evidence/:contentHash')
