import { endpoint } from '../endpoint.ts'

export const search = endpoint('GET', '/v1/search')
