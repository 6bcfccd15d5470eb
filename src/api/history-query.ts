import { z } from 'zod'
import { DIMENSIONS, type Dimension, dimension, slug } from '../catalog/schema.ts'
import { type Instant, parseInstant } from '../lib/instant.ts'
import { isStorable } from '../lib/text.ts'
import { continued } from '../prices/history/cursor-rules.ts'
import {
  CONFIRMED_BY,
  type ConfirmedBy,
  DEFAULT_PAGE_ROWS,
  type HistoryRequest,
  INCLUDED,
  type IncludeOption,
  MAX_FILTER_BYTES,
  MAX_FILTER_NAMES,
  MAX_PAGE_ROWS,
  MAX_PROVIDERS,
  type RowFilters,
} from '../prices/history/history-rules.ts'
import { aliasNotFound, unknownProvider } from '../prices/history/scope-rules.ts'
import { isName } from '../prices/schema.ts'
import { badQuery, list, parameter, single } from './query.ts'

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
  resource: parameter({
    description:
      `At most ${MAX_FILTER_NAMES} exact names of resources, separated by commas or repeated. ` +
      'A text with commas is compared as a whole too. Rows under a former name are served when it is named.',
    type: 'string',
    examples: ['gpt-4o'],
  }),
  canonicalResource: parameter({
    description: `At most ${MAX_FILTER_NAMES} canonical ids, separated by commas or repeated: rows recorded with one of them.`,
    type: 'string',
    examples: ['openai/gpt-4o'],
  }),
  dimension: parameter({
    description: `Dimensions, separated by commas or repeated: ${DIMENSIONS.join(', ')}. Others may be added.`,
    type: 'string',
    examples: ['input_tokens,output_tokens'],
  }),
  current: parameter({
    description:
      'true: of each price line only the row that is its price at asOf. Renamings and removals are resolved: a row under ' +
      'a former name is served only while the listed name has no row of that line.',
    type: 'boolean',
    default: false,
  }),
  confirmed: parameter({
    description:
      'provider: only prices that their provider’s own list or page confirmed at asOf; independent: those on which at ' +
      'least two sources of different origin agreed. No contradicted price is among them, and no superseded one.',
    type: 'string',
    enum: [...CONFIRMED_BY],
  }),
  include: parameter({
    description:
      'confirmation: each row says when its source last said so (confirmedAt) and which sources agreed (confirmedBy).',
    type: 'string',
    examples: ['confirmation'],
  }),
  since: parameter({
    description:
      'Only what differs from this earlier instant: rows that are new or changed in prices, the contentHash of those ' +
      'that are gone in unpublished. A client that had the rows at since then has those at asOf.',
    type: 'string',
    format: 'date-time',
    examples: ['2026-07-01T00:00:00Z'],
  }),
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
const PINNED = ['asOf', 'providers', 'alias', 'resource', 'canonicalResource', 'dimension', 'current', 'confirmed', 'include', 'since'] as const // biome-ignore format: a list reads best in a line

/** @throws AppError invalid_query with the field at fault; alias_not_found for a name no group can have. */
export function readHistoryQuery(query: Query, cursorKey: Uint8Array): HistoryRequest {
  if (query.cursor !== undefined) {
    const beside = PINNED.filter((name) => query[name] !== undefined)
    if (beside.length > 0) {
      throw badQuery('cursor', `The cursor pins ${beside.join(' and ')} already: send it with limit alone.`)
    }
    const page = continued(cursorKey, single(query.cursor, 'cursor') ?? '', readLimit(query.limit))
    if (!page) throw badQuery('cursor', 'This is not a valid cursor: send nextCursor as it was, or start again.')
    return page
  }
  const alias = single(query.alias, 'alias')
  if (alias !== undefined && !isStorable(alias)) throw aliasNotFound()
  return {
    limit: readLimit(query.limit),
    asOf: readInstant('asOf', query.asOf),
    providers: readProviders(list(query.providers)),
    alias: alias === undefined ? undefined : { reference: alias },
    filters: readFilters(query),
    include: readIncluded(query),
    since: readSince(query),
    after: '',
  }
}

function readFilters(query: Query): RowFilters | undefined {
  const filters: RowFilters = {
    resources: readNames('resource', query.resource),
    canonicalResources: readNames('canonicalResource', query.canonicalResource),
    dimensions: readDimensions(list(query.dimension)),
    current: readCurrent(single(query.current, 'current')),
    confirmed: readConfirmed(single(query.confirmed, 'confirmed')),
  }
  return Object.values(filters).some((filter) => filter !== undefined) ? filters : undefined
}

/** Names may hold commas, so each text also counts as a whole. In one order, so that equal filters make equal cursors. */
function readNames(field: 'resource' | 'canonicalResource', raw: unknown): string[] | undefined {
  const names = list(raw)
  if (!names) return undefined
  for (const name of names) {
    if (name === '') throw badQuery(field, `Name at least one ${field}, or leave ${field} out.`)
    if (!isName(name)) throw badQuery(field, `${JSON.stringify(name.slice(0, 80))} cannot be a name.`)
  }
  const whole = [raw].flat().map((text) => String(text).trim())
  const all = [...new Set([...names, ...whole.filter(isName)])].sort()
  const bytes = all.reduce((sum, name) => sum + Buffer.byteLength(name), 0)
  if (all.length > MAX_FILTER_NAMES || bytes > MAX_FILTER_BYTES) {
    throw badQuery(field, `Name at most ${MAX_FILTER_NAMES} of ${field}, in ${MAX_FILTER_BYTES} bytes: read in parts.`)
  }
  return all
}

function readDimensions(names: string[] | undefined): Dimension[] | undefined {
  const read = names?.map((name) => {
    const known = dimension.safeParse(name)
    if (known.success) return known.data
    throw badQuery('dimension', `There is no dimension ${JSON.stringify(name)}: /docs lists them.`)
  })
  return read?.sort()
}

function readCurrent(text: string | undefined): true | undefined {
  if (text === undefined || text === 'false') return undefined
  if (text !== 'true') throw badQuery('current', 'current is true or false.')
  return true
}

function readConfirmed(text: string | undefined): ConfirmedBy | undefined {
  const known = CONFIRMED_BY.find((by) => by === text)
  if (known === undefined && text !== undefined)
    throw badQuery('confirmed', `confirmed is one of ${CONFIRMED_BY.join(', ')}.`)
  return known
}

/** @throws AppError invalid_query; a confirmation changes without its row, so it cannot be among changes */
function readIncluded(query: Query): IncludeOption[] | undefined {
  const names = list(query.include)
  const included = INCLUDED.filter((one) => names?.includes(one))
  const unknown = names?.find((name) => !INCLUDED.some((one) => one === name))
  if (unknown !== undefined)
    throw badQuery('include', `There is no ${JSON.stringify(unknown)} to include: ${INCLUDED.join(', ')}.`)
  return names && included
}

function readSince(query: Query): Instant | undefined {
  const since = readInstant('since', query.since)
  if (since !== undefined && readCurrent(single(query.current, 'current'))) {
    throw badQuery('since', 'since cannot be combined with current: keep all rows and take the newest of each line.')
  }
  if (since !== undefined && (query.confirmed ?? readIncluded(query)?.includes('confirmation'))) {
    throw badQuery('since', 'A confirmation changes without its row: read confirmations without since.')
  }
  return since
}

function readLimit(raw: unknown): number {
  const text = single(raw, 'limit') ?? String(DEFAULT_PAGE_ROWS)
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > MAX_PAGE_ROWS) throw badQuery('limit', `limit is a whole number from 1 to ${MAX_PAGE_ROWS}.`)
  return limit
}

function readInstant(field: 'asOf' | 'since', raw: unknown): Instant | undefined {
  const text = single(raw, field)
  if (text === undefined) return undefined
  // An unescaped + arrives as a space, and no instant has a space there otherwise.
  const instant = parseInstant(text.replace(/ (\d{2}:\d{2})$/, '+$1'))
  if (!instant) throw badQuery(field, `${field} is an RFC 3339 instant such as 2026-08-01T00:00:00Z.`)
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
