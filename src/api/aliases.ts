import { z } from 'zod'
import { listAliases } from '../aliases/list-groups.ts'
import type { Sql } from '../lib/sql.ts'
import { type Api, answers } from './route.ts'
import { aliasesAnswer } from './schema.ts'
import { listing, type SendAnswer } from './serving/send-answer.ts'

/** GET /v1/comparison/aliases: the published alias groups and what could be compared through them. */
export function aliasesRoute(api: Api, sql: Sql, sendAnswer: SendAnswer): void {
  const schema = {
    operationId: 'listAliases',
    summary: 'The alias groups',
    description:
      'Each group is one resource under the name of each provider that sells it. `version` rises with every change to any group.',
    tags: ['Catalog'],
    querystring: z.strictObject({}),
    response: answers(aliasesAnswer, [400]),
  }
  api.get('/v1/comparison/aliases', { schema }, async (request, reply) => {
    const canReview = request.signedIn?.operator === true
    return sendAnswer(request, reply, listing({ ...(await listAliases(sql)), canReview }))
  })
}
