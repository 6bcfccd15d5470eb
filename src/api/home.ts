import { VERSION } from '../lib/version.ts'
import type { Api } from './route.ts'

/** GET /: what can be read here, for people who open the address without a path. */
export function homeRoute(api: Api): void {
  api.get('/', { schema: { hide: true } }, async () => ({
    service: 'pricetape',
    version: VERSION,
    documentation: '/docs',
    openapi: '/openapi.json',
    llms: '/llms.txt',
    endpoints: ['/v1/prices/history', '/v1/providers', '/v1/comparison/aliases', '/v1/catalog'],
    health: ['/healthz', '/readyz', '/readyz/reads'],
  }))
}
