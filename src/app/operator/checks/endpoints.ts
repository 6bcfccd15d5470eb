import { endpoint } from '../../endpoint.ts'

export const startCheck = endpoint('POST', '/v1/operator/check')
