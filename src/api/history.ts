import { AppError } from '../lib/errors.ts'
import type { Sql } from '../lib/sql.ts'
import { type HistoryRequest, historyCursor } from '../prices/history/history-rules.ts'
import {
  closedScope,
  type HistoryScope,
  historyPage,
  historyScope,
  type Slice,
} from '../prices/history/history-store.ts'
import { aliasNotFound, historyQuery, readHistoryQuery, unknownProvider } from './history-query.ts'
import { badQuery } from './query.ts'
import type { Api } from './route.ts'
import { answers } from './route.ts'
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
  api.get('/v1/prices/history', { schema, config: { history: true } }, async (request, reply) => {
    const answer = await readHistory(sql, readHistoryQuery(request.query))
    // A buffer goes out as it is: the rows are JSON text already.
    return reply.type(JSON_TYPE).send(answer)
  })
}

async function readHistory(sql: Sql, page: HistoryRequest): Promise<Buffer> {
  const asked = { asOf: page.asOf, providers: page.providers ?? [], alias: page.alias?.reference }
  const found = await historyScope(sql, asked)
  refuse(page, found)
  const scope = await closedScope(sql, asked, found)
  refuse(page, scope)
  const { asOf, group } = scope
  const { prices, next } = await historyPage(sql, { ...page, asOf, slices: slicesOf(page, scope) })
  const alias = group && { id: group.id, name: group.name, revision: group.revision }
  const nextCursor = next === undefined ? null : historyCursor({ asOf, after: next, providers: page.providers, alias })
  const head = JSON.stringify({ asOf, nextCursor, alias, members: group?.members })
  return Buffer.concat([Buffer.from(`${head.slice(0, -1)},"prices":[`), prices, Buffer.from(']}')])
}

function refuse(page: HistoryRequest, scope: HistoryScope): void {
  const continues = page.after !== ''
  if (scope.asOf > scope.newest) {
    if (continues) throw badQuery('cursor', 'This cursor reads an instant that cannot be read yet.')
    const message = `asOf must be at least 15 minutes in the past: ${scope.newest} is the newest instant now.`
    throw new AppError('as_of_too_recent', message, { field: 'asOf' })
  }
  const unknown = scope.unknownProviders[0]
  if (unknown !== undefined)
    throw continues ? badQuery('cursor', 'This is not a cursor of ours.') : unknownProvider(unknown)
  if (!page.alias) return
  if (continues && scope.group?.revision !== page.alias.revision) {
    throw new AppError(
      'alias_changed',
      'The alias group changed since the first page: discard the pages read and start again without cursor. ' +
        'Send the first page’s asOf to read the same instant.',
    )
  }
  if (!scope.group) throw aliasNotFound()
}

/** With a group: its members, of the providers named, else of the active ones that price in money. */
function slicesOf(page: HistoryRequest, { group, usualProviders }: HistoryScope): Slice[] | undefined {
  if (!group) return page.providers?.map((provider) => ({ provider }))
  const providers = new Set(page.providers ?? usualProviders)
  return group.members.filter((member) => providers.has(member.provider))
}
