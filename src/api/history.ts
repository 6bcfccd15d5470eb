import type { Sql } from '../lib/sql.ts'
import { createCursorKeyReader } from '../prices/history/read-cursor-key.ts'
import { readHistory } from '../prices/history/read-history.ts'
import { historyQuery, readHistoryQuery } from './history-query.ts'
import { type Api, answers } from './route.ts'
import { historyAnswer } from './schema.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** GET /v1/prices/history: every reviewed price as it stood at an instant. */
export function historyRoute(api: Api, sql: Sql): void {
  const schema = {
    operationId: 'readPriceHistory',
    summary: 'Every reviewed price as it stood at an instant',
    tags: ['Prices'],
    querystring: historyQuery,
    response: answers(historyAnswer, [400, 404, 409]),
  }
  const cursorKey = createCursorKeyReader(sql)
  api.get('/v1/prices/history', { schema, config: { history: true } }, async (request, reply) => {
    const key = await cursorKey()
    // A buffer goes out as it is, without being serialized again.
    return reply.type(JSON_TYPE).send(await readHistory(sql, key, readHistoryQuery(request.query, key)))
  })
}
