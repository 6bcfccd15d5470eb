import { z } from 'zod'
import { listProviders } from '../catalog/providers/list-providers.ts'
import type { Sql } from '../lib/sql.ts'
import { type Api, answers } from './route.ts'
import { providersAnswer } from './schema.ts'
import { listing, type SendAnswer } from './serving/send-answer.ts'

/** GET /v1/providers: the slugs that `providers` and webhooks may name. */
export function providersRoute(api: Api, sql: Sql, sendAnswer: SendAnswer): void {
  const schema = {
    operationId: 'listProviders',
    summary: 'The provider directory',
    description: 'The slugs that `providers` and webhooks take. A webhook may name a provider that is still `pending`.',
    tags: ['Catalog'],
    querystring: z.strictObject({}),
    response: answers(providersAnswer, [400]),
  }
  api.get('/v1/providers', { schema }, async (request, reply) =>
    sendAnswer(request, reply, listing({ providers: await listProviders(sql) })),
  )
}
