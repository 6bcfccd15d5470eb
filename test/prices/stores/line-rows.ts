import { HOUR, type Instant, plus } from '../../../src/lib/instant.ts'
import type { Sql, Tx } from '../../../src/lib/sql.ts'

const START = '2026-01-01T00:00:00.000Z' as Instant
export const at = (hour: number): Instant => plus(START, hour * HOUR)
export const inTransaction = <T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> => sql.begin(work) as Promise<T>

/** Sources of the same format, `list` and `other`, and one of another format that is a witness. */
export async function addSources(sql: Sql): Promise<void> {
  await sql`
    insert into source (source, kind, format, interval_seconds, witness)
    values ('list', 'prices', 'list', 3600, false), ('other', 'prices', 'other', 3600, false),
           ('witness', 'prices', 'third', 3600, true)`
}

type LineFields = {
  source?: string
  provider?: string
  resource?: string
  dimension?: string
  tier?: string
  unit?: string
}

/** What the price of a line is of, unless something else is given. */
export const KIND = { dimension: 'input_tokens', unit: 'usd_per_token', currency: 'USD', pricingTier: '{}' }

/** Adds a line of `list`, of the resource `a` of `acme` unless it is given. Returns its id. */
export async function addLine(sql: Sql, given: LineFields = {}): Promise<string> {
  const { source = 'list', provider = 'acme', resource = 'a', dimension = KIND.dimension } = given
  const { tier = KIND.pricingTier, unit = KIND.unit } = given
  const [row] = await sql<{ id: string }[]>`
    insert into price_line (source, provider, resource, dimension, unit, currency, pricing_tier)
    values (${source}, ${provider}, ${resource}, ${dimension}, ${unit}, ${KIND.currency}, ${tier}) returning line_id as id`
  return row!.id
}

type RowFields = {
  price?: string
  canonical?: string
  /** It is served in these periods: from an hour, until another or until now. */
  served?: [from: number, to?: number][]
  status?: string
  actor?: string
  /** It is the line's current or held row. */
  as?: 'current' | 'held'
}
let seq = 1

/** Adds a row that is called `name`, recorded at an hour. */
export async function addRow(
  sql: Sql,
  lineId: string,
  name: string,
  hour: number,
  given: RowFields = {},
): Promise<string> {
  const { price = String(hour), canonical = null, served = [], status, actor = null, as } = given
  await sql`
    insert into price_row (content_hash, line_id, price, recorded_at, canonical_resource, parser_version)
    values (${name}, ${lineId}, ${price}, ${at(hour)}, ${canonical}, 1)`
  for (const [from, to] of served)
    await sql`
      insert into publication (content_hash, published_at, unpublished_at, provider, source, resource, body, line_id,
                               recorded_at, dimension, currency, canonical_resource)
      select ${name}, ${at(from)}, ${to === undefined ? null : at(to)}, provider, source, resource, ${`${name} as JSON`},
             line_id, ${at(hour)}, dimension, currency, ${canonical} from price_line where line_id = ${lineId}`
  if (status) await addStatus(sql, name, status, hour, actor)
  if (as === 'current') await sql`update price_line set current_hash = ${name} where line_id = ${lineId}`
  if (as === 'held') await sql`update price_line set held_hash = ${name} where line_id = ${lineId}`
  return name
}

export async function addStatus(sql: Sql, row: string, status: string, hour: number, actor: string | null = null) {
  await sql`
    insert into price_status (content_hash, seq, at, status, actor)
    values (${row}, ${seq++}, ${at(hour)}, ${status}, ${actor})`
}

/** Removes what the test before left: much faster than a database of its own. */
export const emptied = (sql: Sql) =>
  sql`
    delete from contradicted_line; delete from unsaid_line; delete from row_confirmation; delete from upcoming_price;
    delete from witness_price; delete from price_status; delete from publication; delete from review_row;
    delete from review; delete from price_row; delete from price_line; delete from resource_rename; delete from resource;
    delete from source_provider; delete from ingested_content; delete from source_fetch; delete from good_fetch; delete from source;
    delete from snapshot; delete from provider_status; delete from provider_pricing; delete from provider`.simple()
