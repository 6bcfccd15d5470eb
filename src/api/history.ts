import { sha256 } from '../lib/hash.ts'
import type { Sql } from '../lib/sql.ts'
import type { HistoryReplica } from '../prices/history/history-replica.ts'
import { createCursorKeyReader } from '../prices/history/read-cursor-key.ts'
import { historyIdentity, readHistory } from '../prices/history/read-history.ts'
import { createScopeMemory } from '../prices/history/scope-memory.ts'
import { HISTORY_FORMAT, HISTORY_FORMATS, historyFormat } from './history-format.ts'
import { historyQuery, readHistoryQuery } from './history-query.ts'
import { type Api, answers } from './route.ts'
import { historyAnswer } from './schema.ts'
import { contentName } from './serving/etag-rules.ts'
import { REVALIDATE, type SendAnswer } from './serving/send-answer.ts'

/** An answer at an instant that the client chose is the same forever. */
const IMMUTABLE = 'private, max-age=31536000, immutable'
/** Without `asOf` each answer has an instant of its own. */
const NEVER = 'no-store'
const VARY = 'authorization, cookie, accept, accept-encoding'

/** GET /v1/prices/history: every reviewed price as it stood at an instant. */
export function historyRoute(
  api: Api,
  { sql, replica }: { sql: Sql; replica?: HistoryReplica },
  sendAnswer: SendAnswer,
): void {
  const schema = {
    operationId: 'readPriceHistory',
    summary: 'Every reviewed price as it stood at an instant',
    description:
      'The same `asOf` always returns the same rows; without it the answer is of 15 minutes ago. Rows are ordered by ' +
      '`contentHash`. While `nextCursor` is not null, send it with `limit` only to read the next page. Credit-priced ' +
      'providers are served when `providers` names them.',
    tags: ['Prices'],
    querystring: historyQuery,
    response: answers(historyAnswer, [400, 404, 406, 409], HISTORY_FORMATS),
  }
  const cursorKey = createCursorKeyReader(sql)
  const openHistory = createScopeMemory(sql)
  api.get('/v1/prices/history', { schema, config: { limit: 'history' } }, async (request, reply) => {
    const { cursor } = request.query
    const key = await cursorKey(typeof cursor === 'string' ? cursor : undefined)
    const wanted = readHistoryQuery(request.query, key.opening)
    const format = historyFormat(request.headers, wanted)
    const open = await openHistory(wanted)
    const pinned = wanted.asOf !== undefined
    return sendAnswer(request, reply, {
      name: pinned ? contentName([HISTORY_FORMAT, sha256(key.sealing), format.type, historyIdentity(open)]) : undefined,
      // With a group it is the same only as long as the group is.
      cacheControl: !pinned ? NEVER : wanted.alias ? REVALIDATE : IMMUTABLE,
      vary: VARY,
      keepsPlain: true,
      make: async () => format.write(await readHistory(sql, key.sealing, open, replica), wanted.limit),
    })
  })
}
