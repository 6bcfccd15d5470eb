import { z } from 'zod'
import { readCatalog } from '../catalog/read-catalog.ts'
import { AppError } from '../lib/errors.ts'
import type { Sql } from '../lib/sql.ts'
import { parameter, single } from './query.ts'
import { type Api, answers } from './route.ts'
import { catalogAnswer } from './schema.ts'
import { listing, type SendAnswer } from './serving/send-answer.ts'

const query = z.strictObject({
  provider: parameter({ description: 'Provider slug.', type: 'string', examples: ['openai'] }),
})

/** GET /v1/catalog: what a webhook can be filtered on for one provider. */
export function catalogRoute(api: Api, sql: Sql, sendAnswer: SendAnswer): void {
  const schema = {
    operationId: 'readCatalog',
    summary: 'Resources and documents of one provider',
    description:
      'The values that a webhook filter can use for one provider. Without a catalog yet, `updatedAt` is null and the lists are empty.',
    tags: ['Catalog'],
    querystring: query,
    response: answers(catalogAnswer, [400, 404]),
  }
  api.get('/v1/catalog', { schema }, async (request, reply) => {
    const provider = single(request.query.provider, 'provider')
    const catalog = provider ? await readCatalog(sql, provider) : undefined
    if (catalog) return sendAnswer(request, reply, listing(catalog))
    const message = provider
      ? `There is no provider ${JSON.stringify(provider)}: /v1/providers lists them.`
      : 'Name a provider: /v1/catalog?provider=<slug>. /v1/providers lists them.'
    throw new AppError('provider_not_found', message, { field: 'provider' })
  })
}
