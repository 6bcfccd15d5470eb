import { endpoint } from '../../endpoint.ts'

export const listProviders = endpoint('GET', '/v1/operator/providers')
