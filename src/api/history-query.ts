import { z } from 'zod'
import { slug } from '../catalog/schema.ts'
import { type Instant, parseInstant } from '../lib/instant.ts'
import {
  continued,
  DEFAULT_PAGE_ROWS,
  type HistoryRequest,
  MAX_PAGE_ROWS,
  MAX_PROVIDERS,
} from '../prices/history/history-rules.ts'
import { aliasNotFound, unknownProvider } from '../prices/history/scope-rules.ts'
import { badQuery, isStorable, list, parameter, single } from './query.ts'

export const historyQuery = z.strictObject({
  providers: parameter({
    description: `At most ${MAX_PROVIDERS} provider slugs, separated by commas or repeated. A credit-priced provider is served only when named.`,
    type: 'string',
    examples: ['openai,anthropic'],
  }),
  asOf: parameter({
    description: 'RFC 3339 instant at least 15 minutes in the past. Left out: the newest instant allowed.',
    type: 'string',
    format: 'date-time',
    examples: ['2026-08-01T00:00:00Z'],
  }),
  alias: parameter({ description: 'Id or name of one alias group: only its members are served.', type: 'string' }),
  cursor: parameter({
    description: 'The nextCursor of the page before. With it only limit may be sent.',
    type: 'string',
  }),
  limit: parameter({
    description: 'Rows on this page.',
    type: 'integer',
    minimum: 1,
    maximum: MAX_PAGE_ROWS,
    default: DEFAULT_PAGE_ROWS,
  }),
})
type Query = z.output<typeof historyQuery>

/** Parameters a cursor pins, which therefore must not be sent beside it. */
const PINNED = ['asOf', 'providers', 'alias'] as const

/** @throws AppError invalid_query with the field at fault; alias_not_found for a name no group can have. */
export function readHistoryQuery(query: Query, cursorKey: Uint8Array): HistoryRequest {
  if (query.cursor !== undefined) {
    const beside = PINNED.filter((name) => query[name] !== undefined)
    if (beside.length > 0) {
      throw badQuery('cursor', `The cursor pins ${beside.join(' and ')} already: send it with limit alone.`)
    }
    const page = continued(cursorKey, single(query.cursor, 'cursor') ?? '', readLimit(query.limit))
    if (!page) throw badQuery('cursor', 'This is not a cursor of ours: send nextCursor as it was, or start again.')
    return page
  }
  const alias = single(query.alias, 'alias')
  if (alias !== undefined && !isStorable(alias)) throw aliasNotFound()
  return {
    limit: readLimit(query.limit),
    asOf: readAsOf(single(query.asOf, 'asOf')),
    providers: readProviders(list(query.providers)),
    alias: alias === undefined ? undefined : { reference: alias },
    after: '',
  }
}

function readLimit(raw: unknown): number {
  const text = single(raw, 'limit') ?? String(DEFAULT_PAGE_ROWS)
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > MAX_PAGE_ROWS) throw badQuery('limit', `limit is a whole number from 1 to ${MAX_PAGE_ROWS}.`)
  return limit
}

function readAsOf(text: string | undefined): Instant | undefined {
  if (text === undefined) return undefined
  // An unescaped + arrives as a space, and no instant has a space there otherwise.
  const instant = parseInstant(text.replace(/ (\d{2}:\d{2})$/, '+$1'))
  if (!instant) throw badQuery('asOf', 'asOf is an RFC 3339 instant such as 2026-08-01T00:00:00Z.')
  return instant
}

function readProviders(slugs: string[] | undefined): string[] | undefined {
  for (const name of slugs ?? []) {
    if (name === '') throw badQuery('providers', 'Name at least one provider, or leave providers out.')
    if (!slug.safeParse(name).success) throw unknownProvider(name)
  }
  if (slugs && slugs.length > MAX_PROVIDERS) {
    throw badQuery('providers', `Name at most ${MAX_PROVIDERS} providers: leave providers out, or read in parts.`)
  }
  // In one order, so that the same providers make the same cursor and the same ETag.
  return slugs?.sort()
}
