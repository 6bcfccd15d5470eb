/**
 * Measures pages of 5,000 rows of history with and without confirmation, side by side: `npx tsx bench/proof/confirmation.ts
 * 100000 1000000`. Its last results are in confirmation.md beside it.
 */
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { readConfig } from '../../src/lib/config.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { createLog } from '../../src/lib/log.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { historyPage } from '../../src/prices/history/history-store.ts'
import { buildServer } from '../../src/server.ts'
import { createClient } from '../history/client.ts'
import { databaseOf } from '../history/data.ts'
import { freshKeys, spread } from '../history/measure.ts'
import { startPostgres } from '../history/postgres.ts'

const AS_OF = '2026-10-01T00:00:00.000Z' as Instant
const ROWS = 5_000
const PAIRS = 60

const sizes = process.argv.slice(2).map(Number)
const postgres = await startPostgres()
console.log(`load ${loadavg()[0]!.toFixed(1)}`)
try {
  for (const size of sizes.length > 0 ? sizes : [100_000]) await measure(size)
} finally {
  await postgres.stop()
}

/** Good fetches every hour of a year; every superseded row, and of four current ones one with evidence, has a period. */
async function addConfirmations(sql: Sql): Promise<void> {
  await sql`
    insert into good_fetch (source, at, rank, stale_after_seconds)
    select 'genai-prices', at, 2, 604800
    from generate_series('2025-10-01T00:00:00Z'::timestamptz, ${AS_OF}, '1 hour') at`
  const connection = await sql.reserve()
  await connection`set statement_timeout = 0`
  await connection`delete from row_confirmation`
  await connection`
    insert into row_confirmation (content_hash, since, line_id, provider, source, said, superseded, confirmed_at, agree, disagree,
                                  by_provider, independent, independent_of_own, basis)
    select content_hash, coalesce(next, recorded_at) + interval '1 second', line_id, provider, 'genai-prices', next is null,
           next is not null, next, case when next is null then ',{"source":"models-dev","rank":"community"}' else '' end,
           case when next is null then '{"source":"litellm","rank":"community","price":"0.0000025"}' else '' end,
           false, false, true, n
    from (
      select content_hash, provider, line_id, recorded_at, row_number() over () as n,
             lead(recorded_at) over (partition by line_id order by recorded_at) as next
      from (select distinct on (content_hash) * from publication where unpublished_at is null) u
    ) p
    where next is not null or n % 4 = 0
    order by content_hash`
  await connection`vacuum analyze row_confirmation`
  connection.release()
}

async function measure(size: number): Promise<void> {
  const { sql } = await databaseOf(postgres.url, size)
  await addConfirmations(sql)
  const [counted] = await sql<{ rows: number; periods: number }[]>`
    select (select count(*)::int from publication) as rows, (select count(*)::int from row_confirmation) as periods`
  console.log(`\n${counted!.rows} rows, ${counted!.periods} periods`)
  const server = await buildServer({ sql, config: readConfig({}), log: createLog('error') })
  await server.listen({ port: 0, host: '127.0.0.1' })
  const client = createClient((server.server.address() as { port: number }).port, 1)
  const [{ provider }] = (await sql`
    select provider from publication group by 1 order by count(*) desc limit 1`) as unknown as [{ provider: string }]
  const keys = await freshKeys(sql, PAIRS * 3)
  try {
    for (const [name, query] of [
      ['all providers', ''],
      ['one provider', `&providers=${provider}`],
      ['current prices of all', '&current=true'],
    ] as const) {
      const path = (n: number, more: string) =>
        `/v1/prices/history?limit=${ROWS}&asOf=${AS_OF.slice(0, 19)}.${String(n).padStart(3, '0')}Z${query}${more}`
      const times: [number[], number[]] = [[], []]
      let bytes = [0, 0]
      for (let n = 0; n < PAIRS; n++) {
        for (const which of n % 2 ? [0, 1] : [1, 0]) {
          const authorization = `Bearer ${keys[n]}`
          const answer = await client.get(path(n, which ? '&include=confirmation' : ''), { authorization })
          if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body}`)
          if (n > 4) times[which as 0 | 1].push(answer.ms)
          bytes = which ? [bytes[0]!, answer.bytes] : [answer.bytes, bytes[1]!]
        }
      }
      report(`HTTP, ${name}`, times, bytes)
    }
    const inDatabase: [number[], number[]] = [[], []]
    for (let n = 0; n < PAIRS; n++) {
      for (const which of n % 2 ? [0, 1] : [1, 0]) {
        const started = performance.now()
        const include = which ? (['confirmation'] as const) : undefined
        const after = (n % 16).toString(16)
        await historyPage(sql, {
          asOf: AS_OF,
          after,
          limit: ROWS,
          rows: { filters: {} },
          include: include && [...include],
        })
        if (n > 4) inDatabase[which as 0 | 1].push(performance.now() - started)
      }
    }
    report('database, all providers', inDatabase, [0, 0])
  } finally {
    client.close()
    const closed = once(server.server, 'close')
    await server.close()
    await closed.catch(() => {})
    await sql.end()
  }
}

function report(name: string, [without, including]: [number[], number[]], [a, b]: number[]): void {
  const [one, two] = [spread(without), spread(including)]
  const ratio = (two.p50 / one.p50).toFixed(2)
  console.log(
    `${name}: without ${one.p50.toFixed(1)} / ${one.p99.toFixed(1)} ms, with ${two.p50.toFixed(1)} / ${two.p99.toFixed(1)} ms, ` +
      `ratio ${ratio}, ${a} and ${b} bytes`,
  )
}
