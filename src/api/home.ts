import type { Api } from './route.ts'

/** What there is to read here, for people who open the address without a path. */
export function homeRoute(api: Api): void {
  api.get('/', { schema: { hide: true } }, async () => ({
    service: 'pricetape',
    documentation: '/docs',
    openapi: '/openapi.json',
    llms: '/llms.txt',
    endpoints: ['/v1/prices/history', '/v1/providers', '/v1/comparison/aliases', '/v1/catalog'],
    health: ['/healthz', '/readyz', '/readyz/reads'],
  }))
}
