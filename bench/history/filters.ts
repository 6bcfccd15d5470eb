import type { Sql } from '../../src/lib/sql.ts'
import { PAGE_ROWS, type Spread, spread } from './measure.ts'

const READS = 200
const PAGES = 12
/** Not counted: the first readings of each kind fill caches. */
const WARM = 2

type Page = { resources?: string[]; canonical?: string[]; dimensions?: string[]; current?: boolean; after?: string }
type ReadResult = { ms: number; rows: number }

/** Times one page in the database: planning and execution of the function, without the client and the network. */
async function timePage(sql: Sql, asOf: string, page: Page): Promise<ReadResult> {
  const { resources, canonical, dimensions, current, after } = page
  const call = sql`history_rows(
    ${asOf}::timestamptz, ${after ?? ''}::text, ${PAGE_ROWS + 1}::int, null::text[], '{}'::text[], null::text[],
    null::text[], ${resources ?? null}::text[], ${canonical ?? null}::text[], ${dimensions ?? null}::text[],
    ${current ?? false}::boolean, false, null::text)`
  const [plan] = await sql`explain (analyze, timing off, format json) select * from ${call}`
  const [{ 'Execution Time': ms }] = Object.values(plan!)[0] as [{ 'Execution Time': number }]
  const [found] = await sql<{ rows: number }[]>`select rows_found as rows from ${call}`
  return { ms, rows: found!.rows }
}

type Changes = { since: string; after?: string; resource?: string }

async function timeChanges(sql: Sql, asOf: string, { since, after = '', resource }: Changes): Promise<ReadResult> {
  const rows = sql`rows_condition(null, '{}', null, null, ${resource === undefined ? null : [resource]}::text[], null, null)`
  const call = sql`history_changes(${asOf}::timestamptz, ${since}::timestamptz, ${after}::text, ${PAGE_ROWS + 1}::int,
    ${rows}, ${rows}, '{}'::text[], '{}'::text[], null::text[], ${resource !== undefined}::boolean)`
  const [plan] = await sql`explain (analyze, timing off, format json) select * from ${call}`
  const [{ 'Execution Time': ms }] = Object.values(plan!)[0] as [{ 'Execution Time': number }]
  const [found] = await sql<{ rows: number }[]>`select rows_found as rows from ${call}`
  return { ms, rows: found!.rows }
}

type FilterResult = { name: string; time: Spread; rows: number }

async function repeat(name: string, times: number, read: (n: number) => Promise<ReadResult>): Promise<FilterResult> {
  const reads: ReadResult[] = []
  for (let n = 0; n < times + WARM; n++) reads.push(await read(n))
  const counted = reads.slice(WARM)
  const rows = Math.round(counted.reduce((sum, { rows }) => sum + rows, 0) / counted.length)
  return { name, time: spread(counted.map(({ ms }) => ms)), rows }
}

/** Times answers with filters in the database: resources and positions all over the table, each read once. */
export async function filterTimes(sql: Sql, asOf: string): Promise<FilterResult[]> {
  const named = await sql<{ resource: string; canonical: string }[]>`
    select resource, canonical_resource as canonical from publication
    where canonical_resource is not null and content_hash > '8' order by content_hash limit ${READS + WARM}`
  const [rare] = await sql<{ dimension: string }[]>`
    select dimension from publication group by dimension order by count(*) limit 1`
  const at = (n: number) => ((n * 7) % 16).toString(16)
  const [instants] = await sql<{ last: string; before: string }[]>`
    select max(published_at) as last, (select max(published_at) from publication
      where published_at < (select max(published_at) from publication)) as before from publication`
  return [
    await repeat('one resource', READS, (n) => timePage(sql, asOf, { resources: [named[n]!.resource] })),
    await repeat('one resource, current', READS, (n) =>
      timePage(sql, asOf, { resources: [named[n]!.resource], current: true }),
    ),
    await repeat('one canonical id', READS, (n) => timePage(sql, asOf, { canonical: [named[n]!.canonical] })),
    await repeat('50 resources', PAGES, (n) =>
      timePage(sql, asOf, { resources: named.slice(n, n + 50).map(({ resource }) => resource) }),
    ),
    await repeat('input_tokens, a page', PAGES, (n) =>
      timePage(sql, asOf, { dimensions: ['input_tokens'], after: at(n) }),
    ),
    await repeat(`${rare!.dimension}, a page`, PAGES, (n) =>
      timePage(sql, asOf, { dimensions: [rare!.dimension], after: at(n) }),
    ),
    await repeat('current, a page', PAGES, (n) => timePage(sql, asOf, { current: true, after: at(n) })),
    await repeat('all rows, a page', PAGES, (n) => timePage(sql, asOf, { after: at(n) })),
    await repeat('since the last import, a page', PAGES, (n) =>
      timeChanges(sql, asOf, { since: instants!.before, after: at(n) }),
    ),
    await repeat('since the last stamp, a page', PAGES, (n) =>
      timeChanges(sql, asOf, { since: instants!.last, after: at(n) }),
    ),
    await repeat('since the last import, one resource', READS, (n) =>
      timeChanges(sql, asOf, { since: instants!.before, resource: named[n]!.resource }),
    ),
  ]
}
