import type { IncomingHttpHeaders } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import Negotiator from 'negotiator'
import { z } from 'zod'
import { AppError } from '../lib/errors.ts'
import { csvRow } from '../lib/text/csv-rules.ts'
import type { HistoryAnswer, HistoryRequest, IncludeOption } from '../prices/history/history-rules.ts'
import { type Body, JSON_TYPE } from './serving/send-answer.ts'

/** Raised whenever the same rows would be written in another way: it is part of the ETag. */
export const HISTORY_FORMAT = 1

export type HistoryFormat = {
  /** As it goes into `content-type`. */
  type: string
  write: (page: HistoryAnswer, limit: number) => Body | Promise<Body>
}

/** The columns of CSV, in the order of a row's fields. New ones are added at the end. */
const CSV_COLUMNS = [
  'provider', 'source', 'resource', 'dimension', 'unit', 'currency', 'pricingTier', 'price', 'recordedAt', 'contentHash',
  'approvalStatus', 'renamedTo', 'continues',
] as const // biome-ignore format: a list reads best in lines

/** The columns of what a request includes. */
const INCLUDED_COLUMNS: Record<IncludeOption, readonly string[]> = {
  confirmation: ['confirmedAt', 'contradictedSince', 'confirmedBy'],
}

const FORMATS: Record<string, HistoryFormat> = {
  'application/json': {
    type: JSON_TYPE,
    write: (page) => ({ bytes: asJson(page), headers: { 'content-type': JSON_TYPE } }),
  },
  'application/x-ndjson': { type: 'application/x-ndjson; charset=utf-8', write: asLines },
  'text/csv': { type: 'text/csv; charset=utf-8; header=present', write: asCsv },
}
const TYPES = Object.keys(FORMATS)

/** The formats beside JSON, for the OpenAPI document. */
export const HISTORY_FORMATS = {
  'application/x-ndjson': z.string().describe('one row of `prices` a line, as JSON'),
  'text/csv': z
    .string()
    .describe(
      `RFC 4180, UTF-8, with a header row: ${CSV_COLUMNS.join(', ')}; with include=confirmation also ${INCLUDED_COLUMNS.confirmation.join(', ')}; pricingTier and confirmedBy are JSON`,
    ),
}

/**
 * Returns the format that the client prefers for this request; JSON without a preference.
 * @throws AppError not_acceptable
 */
export function historyFormat({ accept }: IncomingHttpHeaders, { since }: HistoryRequest): HistoryFormat {
  // Rows that are gone have no line in other formats.
  const types = since === undefined ? TYPES : ['application/json']
  // Everything is UTF-8 and has its header row, whatever else was named.
  const wanted = accept?.replace(/;\s*(?:charset|header)\s*=[^;,]*/gi, '')
  const type = new Negotiator({ headers: { accept: wanted } }).mediaType(types)
  if (type) return FORMATS[type]!
  const message = `Send an accept header with ${types.join(', ')} or */*, or none.`
  throw new AppError('not_acceptable', since === undefined ? message : `With since there is JSON alone. ${message}`)
}

/** Returns a page as one JSON object. */
export function asJson({ head, prices }: HistoryAnswer): Buffer {
  const text = JSON.stringify(head)
  return Buffer.concat([Buffer.from(`${text.slice(0, -1)},"prices":[`), prices, Buffer.from(']}')])
}

/** Between two rows: it cannot occur inside of one, where a quote is always escaped. */
const BETWEEN_ROWS = Buffer.from(',{"provider":')
const LINE_FEED = 0x0a
/** Rows of about this many bytes are parsed at once: a few milliseconds. */
const CSV_PART_BYTES = 256 * 1024

function asLines({ head, prices }: HistoryAnswer, limit: number): Body {
  const bytes = Buffer.concat([prices, Buffer.from(prices.length > 0 ? '\n' : '')])
  for (let at = bytes.indexOf(BETWEEN_ROWS); at !== -1; at = bytes.indexOf(BETWEEN_ROWS, at)) bytes[at] = LINE_FEED
  return { bytes, headers: { 'content-type': FORMATS['application/x-ndjson']!.type, ...headHeaders(head, limit) } }
}

async function asCsv({ head, prices, include = [] }: HistoryAnswer, limit: number): Promise<Body> {
  const columns = [...CSV_COLUMNS, ...include.flatMap((included) => INCLUDED_COLUMNS[included])]
  const parts = [csvRow(columns)]
  for (let start = 0; start < prices.length; ) {
    const near = prices.indexOf(BETWEEN_ROWS, start + CSV_PART_BYTES)
    const end = near === -1 ? prices.length : near
    const rows = JSON.parse(`[${prices.subarray(start, end)}]`) as Record<string, unknown>[]
    for (const row of rows) parts.push(csvRow(columns.map((column) => row[column])))
    start = end + 1
    // Other requests have their turn between the parts of a long page.
    await setImmediate()
  }
  const bytes = Buffer.from(parts.join(''))
  return { bytes, headers: { 'content-type': FORMATS['text/csv']!.type, ...headHeaders(head, limit) } }
}

/** What JSON says beside the rows, for formats that hold rows alone. */
function headHeaders({ asOf, nextCursor, alias }: HistoryAnswer['head'], limit: number): Record<string, string> {
  return {
    'pricetape-as-of': asOf,
    ...(alias && { 'pricetape-alias-id': alias.id, 'pricetape-alias-revision': String(alias.revision) }),
    ...(nextCursor !== null && {
      'pricetape-next-cursor': nextCursor,
      link: `<?cursor=${nextCursor}&limit=${limit}>; rel="next"`,
    }),
  }
}
