import type { Sql } from '../lib/sql.ts'
import { LOG_PATH } from '../proof/origin-rules.ts'
import { pageProof, provenRows } from '../proof/page-proof-schema.ts'
import { readPageProof } from '../proof/read-page-proof.ts'
import { type Api, answers } from './route.ts'
import { JSON_TYPE, type SendAnswer } from './serving/send-answer.ts'

/** 10,000 hashes with their quotes and commas. */
const MAX_BODY_BYTES = 1024 * 1024

/** POST /v1/log/proofs: that all rows of a page were published. */
export function pageProofRoute(api: Api, sql: Sql, sendAnswer: SendAnswer): void {
  const schema = {
    operationId: 'readProofs',
    summary: 'One proof that all rows of a page were published',
    description:
      'The inclusion proof of up to 10,000 rows in the tree of the newest checkpoint: what several answers of ' +
      '`/v1/log/proof` say, with each hash once. It counts as a request of the price history.',
    tags: ['Log'],
    body: provenRows,
    response: answers(pageProof, [400, 404]),
  }
  const inTurn = createTurns()
  api.post(
    `${LOG_PATH}/proofs`,
    { schema, config: { limit: 'history' }, bodyLimit: MAX_BODY_BYTES },
    async (request, reply) => {
      const proof = await inTurn(() => readPageProof(sql, request.body.contentHashes))
      return sendAnswer(request, reply, {
        name: undefined,
        cacheControl: 'no-store',
        vary: 'authorization, cookie, accept-encoding',
        make: async () => ({ bytes: Buffer.from(JSON.stringify(proof)), headers: { 'content-type': JSON_TYPE } }),
      })
    },
  )
}

/** One proof after the other: each computes some 100,000 hashes. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work)
    last = next.catch(() => {})
    return next
  }
}
