import { z } from 'zod'
import { listProviders } from '../catalog/list-providers.ts'
import type { Sql } from '../lib/sql.ts'
import { type Api, answers } from './route.ts'
import { providersAnswer } from './schema.ts'

/** GET /v1/providers: the slugs that `providers` and webhooks may name. */
export function providersRoute(api: Api, sql: Sql): void {
  const schema = {
    operationId: 'listProviders',
    summary: 'The provider directory',
    tags: ['Catalog'],
    querystring: z.strictObject({}),
    response: answers(providersAnswer, [400]),
  }
  api.get('/v1/providers', { schema }, async () => ({ providers: await listProviders(sql) }))
}
