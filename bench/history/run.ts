/**
 * Measures the price history: `npx tsx bench/history/run.ts 100000 1000000 10000000` (needs psql and curl, and for ten million
 * rows about 15 GB of disk). Its last results are in README.md beside it.
 */
import { loadavg } from 'node:os'
import { readConfig } from '../../src/lib/config.ts'
import { createLog } from '../../src/lib/log.ts'
import { buildServer } from '../../src/server.ts'
import { databaseOf } from './data.ts'
import { filterTimes } from './filters.ts'
import { copyTimes, freshKeys, PAGE_ROWS, requestsPerSecond, type Spread, spread, walk } from './measure.ts'
import { startPostgres } from './postgres.ts'

const AS_OF = '2026-10-01T00:00:00.000Z'
/** Pages and COPY take turns, so that what else the machine does falls on both. */
const ROUNDS = 6
const PAGES_A_ROUND = 10
const WALK_PAGES = 100

const sizes = process.argv.slice(2).map(Number)
const postgres = await startPostgres()

console.log(`load ${loadavg()[0]!.toFixed(1)}`)
const ms = ({ p50, p99 }: Spread) => `${p50.toFixed(1)} / ${p99.toFixed(1)} ms`
try {
  for (const size of sizes.length > 0 ? sizes : [100_000]) await measure(size)
} finally {
  await postgres.stop()
}

async function measure(size: number): Promise<void> {
  const built = performance.now()
  const { sql, url: databaseUrl } = await databaseOf(postgres.url, size)
  console.log(`\n${size} rows (made in ${((performance.now() - built) / 1_000).toFixed(0)} s)`)
  const server = await buildServer({ sql, config: readConfig({}), log: createLog('error') })
  await server.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(server.server.address() as { port: number }).port}`
  const providers = await sql<{ provider: string; count: number }[]>`
    select provider, count(*)::int from publication group by provider order by count(*) desc`
  const large = providers[0]!.provider
  const ten = providers.slice(0, 10).map((row) => row.provider)
  const starts = ['', '1', '2', '3', '4', '5']
  const cases: [name: string, query: string, where: string][] = [
    [`one provider (${large})`, `providers=${large}`, `provider = '${large}'`],
    ['ten providers', `providers=${ten}`, `provider = any ('{${ten}}')`],
    ['all providers', '', `provider <> all (array(select provider from provider_pricing where in_credits))`],
  ]
  for (const [name, query, where] of cases) {
    const first = `${query ? `${query}&` : ''}asOf=${AS_OF}`
    await walk(sql, url, first, PAGES_A_ROUND)
    copyTimes(databaseUrl, where, AS_OF, starts)
    const pages: number[] = []
    const copies: number[][] = []
    for (let round = 0; round < ROUNDS; round++) {
      for (let read = 0; read < PAGES_A_ROUND; ) {
        const { times, rows } = await walk(sql, url, first, PAGES_A_ROUND - read)
        read += times.length
        pages.push(...times.filter((_, n) => rows[n] === PAGE_ROWS))
      }
      for (const [plan, times] of copyTimes(databaseUrl, where, AS_OF, starts).entries()) {
        copies[plan] = [...(copies[plan] ?? []), ...times]
      }
    }
    const page = spread(pages)
    const copy = copies.map(spread).reduce((best, run) => (run.p50 < best.p50 ? run : best))
    const ratio = (page.p50 / copy.p50).toFixed(2)
    console.log(`  ${name}: page ${ms(page)}; COPY ${ms(copy)}; ratio ${ratio} (${pages.length} full pages)`)
  }
  for (const { name, time, rows } of await filterTimes(sql, AS_OF)) {
    console.log(`  in the database, ${name}: ${time.p50.toFixed(2)} / ${time.p99.toFixed(2)} ms (${rows} rows)`)
  }
  if (size >= 1_000_000) {
    const { memory, times } = await walk(sql, url, `asOf=${AS_OF}`, WALK_PAGES)
    const at = (n: number) => `${(memory[Math.min(n, memory.length - 1)]! / 1e6).toFixed(0)} MB`
    console.log(`  memory after page 1, 10, 50, ${times.length}: ${[0, 9, 49, times.length - 1].map(at).join(', ')}`)
  }
  await freshKeys(sql, 1)
  const rate = await requestsPerSecond(sql, url, 16, 4_000)
  console.log(`  ${rate.toFixed(0)} requests/s with key check and rate limits (client in the same process)`)
  await server.close()
  await sql.end()
}
