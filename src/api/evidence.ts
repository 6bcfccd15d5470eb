import { z } from 'zod'
import { boundedPlaces } from '../evidence/bounded-places.ts'
import { readEvidence } from '../evidence/read-evidence.ts'
import { evidence } from '../evidence/schema.ts'
import { createIsolation } from '../lib/isolation/isolation.ts'
import type { Sql } from '../lib/sql.ts'
import { type Api, answers } from './route.ts'
import { listing, type SendAnswer } from './serving/send-answer.ts'

/** Snapshots looked through beside each other: readers must not take every core. */
const LOOKS = 2

const params = z.strictObject({
  contentHash: z
    .string()
    .describe('identity of a row of the price history')
    .meta({ examples: ['0'.repeat(64)] }),
})

/** GET /v1/prices/evidence/{contentHash}: where a price was read, and who else shows it. It counts as a read of history. */
export function evidenceRoute(api: Api, sql: Sql, sendAnswer: SendAnswer, createReaders = createIsolation): void {
  const isolation = createReaders({ concurrency: LOOKS })
  const findPlace = boundedPlaces({ sql, isolation })
  api.addHook('onClose', () => isolation[Symbol.asyncDispose]())
  const schema = {
    operationId: 'readEvidence',
    summary: 'Where one price was read, and who else shows it',
    description:
      'The page or file that a served price comes from, when it was read, the place in it as it was, and what other ' +
      'sources show for the same price line. It counts against the rate limit of the price history.',
    tags: ['Prices'],
    params,
    querystring: z.strictObject({}),
    response: answers(evidence, [400, 404]),
  }
  api.get('/v1/prices/evidence/:contentHash', { schema, config: { limit: 'history' } }, async (request, reply) =>
    sendAnswer(request, reply, listing(await readEvidence(sql, findPlace, request.params.contentHash))),
  )
}
