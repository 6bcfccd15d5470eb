import { z } from 'zod'
import { createAddressBuckets } from '../accounts/limits/address-buckets.ts'
import { clientAddress } from '../accounts/limits/client-address-rules.ts'
import { RATE_LIMITS } from '../accounts/limits/rate-limit-rules.ts'
import { rateLimited } from '../accounts/limits/rate-limited.ts'
import { SHA256_HEX } from '../lib/hash.ts'
import type { Sql } from '../lib/sql.ts'
import { readKeys } from '../proof/keys/read-keys.ts'
import { signedLog } from '../proof/newest-log.ts'
import { LOG_PATH } from '../proof/origin-rules.ts'
import { readConsistency, readProof } from '../proof/read-proof.ts'
import { consistency, inclusion, logKeys } from '../proof/schema.ts'
import { readTile } from '../proof/tree/read-tile.ts'
import { badQuery, parameter, single, validatorCompiler } from './query.ts'
import { type Api, answers, publicAnswers } from './route.ts'
import { contentName } from './serving/etag-rules.ts'
import { type Answer, JSON_TYPE, listing, type SendAnswer } from './serving/send-answer.ts'

/** What changes with the next checkpoint may be kept for a minute. */
const SHORT = 'public, max-age=60'
const FOREVER = 'public, max-age=31536000, immutable'
const TEXT_TYPE = 'text/plain; charset=utf-8'
const BYTES_TYPE = 'application/octet-stream'

/** The files of the publication log, for everyone: C2SP tlog-tiles, and what clients need that read no tiles. */
export const publicLog =
  (sql: Sql, sendAnswer: SendAnswer) =>
  async (api: Api): Promise<void> => {
    api.setValidatorCompiler(validatorCompiler)
    api.setSerializerCompiler(() => (data) => JSON.stringify(data))
    const buckets = createAddressBuckets(undefined, RATE_LIMITS.log)
    api.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const waitSeconds = buckets.take(clientAddress(request.ip))
      if (waitSeconds > 0) throw rateLimited(waitSeconds)
    })
    const tags = ['Log']
    api.get(`${LOG_PATH}/checkpoint`, { schema: { hide: true } }, async (request, reply) => {
      const { note } = await signedLog(sql)
      return sendAnswer(request, reply, briefly(Buffer.from(note), TEXT_TYPE))
    })
    fileRoute(api, sql)
    const keysSchema = {
      operationId: 'readLogKeys',
      summary: 'The keys and names of the publication log',
      description:
        'Verifiers of the keys that sign checkpoints, and every origin the log had. `/v1/log/checkpoint` and ' +
        '`/v1/log/tile/` are files as C2SP tlog-tiles names them.',
      tags,
      security: [],
      querystring: z.strictObject({}),
      response: publicAnswers(logKeys),
    }
    api.get(`${LOG_PATH}/keys`, { schema: keysSchema }, async (request, reply) =>
      sendAnswer(request, reply, briefly(Buffer.from(JSON.stringify(await readKeys(sql))), JSON_TYPE)),
    )
    const consistencySchema = {
      operationId: 'readLogConsistency',
      summary: 'Proof that the log begins with an earlier tree',
      description: 'The consistency proof (RFC 6962) from the tree of `from` leaves to that of the newest checkpoint.',
      tags,
      security: [],
      querystring: z.strictObject({
        from: parameter({ type: 'integer', minimum: 0, description: 'leaves of the checkpoint that you kept' }),
      }),
      response: publicAnswers(consistency, [404]),
    }
    api.get(`${LOG_PATH}/consistency`, { schema: consistencySchema }, async (request, reply) => {
      const proof = await readConsistency(sql, readFrom(request.query.from))
      return sendAnswer(request, reply, briefly(Buffer.from(JSON.stringify(proof)), JSON_TYPE))
    })
  }

const FILE = /^(?:([0-9a-f]{8})\/)?(?:tile\/(\d|entries)\/(.+)|checkpoint)$/

/** The files below the log's path. A restored log has others under the same names, so they are below eight digits of their own. */
function fileRoute(api: Api, sql: Sql): void {
  api.get(`${LOG_PATH}/*`, { schema: { hide: true } }, async (request, reply) => {
    const [, timeline, level, name] = FILE.exec((request.params as { '*': string })['*']) ?? []
    const path = timeline === undefined ? '' : `/${timeline}`
    if (level === undefined && timeline !== undefined) {
      const { note } = await signedLog(sql, path)
      return reply.header('cache-control', SHORT).header('content-type', TEXT_TYPE).send(note)
    }
    const bytes = await readTile(sql, { path, level: level === 'entries' ? level : Number(level), name: name ?? '' })
    return reply.header('cache-control', FOREVER).header('content-type', BYTES_TYPE).send(bytes)
  })
}

const briefly = (bytes: Buffer, type: string): Answer => ({
  name: contentName(bytes),
  cacheControl: SHORT,
  vary: 'accept-encoding',
  make: async () => ({ bytes, headers: { 'content-type': type } }),
})

function readFrom(raw: unknown): number {
  const text = single(raw, 'from') ?? ''
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw badQuery('from', 'from is the number of leaves of a checkpoint that you kept.')
}

/** GET /v1/log/proof: that a row was published. It says what the row is, so it is behind the key. */
export function proofRoute(api: Api, sql: Sql, sendAnswer: SendAnswer): void {
  const schema = {
    operationId: 'readProof',
    summary: 'Proof that a row was published',
    description:
      'The inclusion proof (RFC 6962) of the newest leaf that published a row, in the tree of the newest checkpoint. ' +
      'It has a rate limit of its own: 100 requests a second.',
    tags: ['Log'],
    querystring: z.strictObject({
      contentHash: parameter({ type: 'string', description: 'identity of a row of the price history' }),
    }),
    response: answers(inclusion, [400, 404]),
  }
  api.get(`${LOG_PATH}/proof`, { schema, config: { limit: 'log' } }, async (request, reply) => {
    const contentHash = single(request.query.contentHash, 'contentHash') ?? ''
    if (!SHA256_HEX.test(contentHash))
      throw badQuery('contentHash', 'contentHash is that of a row of the price history: 64 hexadecimal digits.')
    return sendAnswer(request, reply, listing(await readProof(sql, contentHash)))
  })
}
