// Written by "npm run generate" from contract.ts.
import { endpoint } from '../endpoint.ts'

export const listChoices = endpoint('GET', '/v1/choices')
export const findResources = endpoint('GET', '/v1/choices/resources')
export const listEventExamples = endpoint('GET', '/v1/choices/events')
