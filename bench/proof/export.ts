/**
 * Measures exports of a large history, their verification, and the proof of a page of 10,000 rows in both clients:
 * `npx tsx bench/proof/export.ts 2000000`. Its last results are in export.md beside it.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pricetape } from '../../clients/typescript/src/index.ts'
import { verifyPage } from '../../clients/typescript/src/proof/index.ts'
import { readConfig } from '../../src/lib/config.ts'
import { createLog } from '../../src/lib/log.ts'
import { migrate } from '../../src/lib/postgres/migrate.ts'
import { connect, type Sql } from '../../src/lib/sql.ts'
import { keepLog } from '../../src/proof/keep-log.ts'
import { readKeys } from '../../src/proof/keys/read-keys.ts'
import { buildServer } from '../../src/server.ts'
import { freshKeys } from '../history/measure.ts'
import { startPostgres } from '../history/postgres.ts'

const ROOT = join(import.meta.dirname, '../..')
const SECRET_KEY = Buffer.alloc(32, 1)
const MB = 1024 * 1024
const POLL_MS = 100
const PAGE_ROWS = 10_000
const VERIFICATIONS = 5
const TICKS_A_SECOND = 100
/** As downloads of the app have it: what keeps more than a part in memory fails. */
const MAX_HEAP_MB = 256

const size = Number(process.argv[2] ?? 100_000)
const postgres = await startPostgres()
const folder = await mkdtemp(join(process.env.BENCH_DIR ?? tmpdir(), 'pricetape-export-'))
const url = `${postgres.url}/bench_export`
try {
  const admin = connect(`${postgres.url}/postgres`, { max: 1 })
  await admin.unsafe('create database bench_export')
  await admin.end()
  const sql = connect(url)
  console.log(`load ${loadavg()[0]!.toFixed(1)}`)
  const filled = await seconds(() => fill(sql, size))
  const logged = await seconds(() => keepLog({ sql, names: { logOrigin: 'bench.test/log' }, secretKey: SECRET_KEY }))
  console.log(`${size} rows made in ${filled.toFixed(0)} s, their log written in ${logged.toFixed(0)} s`)
  const { verifier } = (await readKeys(sql)).keys[0]!
  for (const format of ['parquet', 'csv']) await exportAndVerify(format, verifier)
  await proveAPage(sql, verifier)
  await sql.end()
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true })
}

/** Processor time of this process: a busy machine makes it longer too, but much less so. */
async function processorMs(work: () => unknown): Promise<number> {
  const from = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1_000
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return (performance.now() - from) / 1_000
}

/** Rows of 40 providers, five of each price line, a thousand in a publication, with the contentHash of their facts. */
async function fill(sql: Sql, rows: number): Promise<void> {
  await migrate(sql)
  const connection = await sql.reserve()
  await connection`set statement_timeout = 0`
  const indexes = await connection<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes where tablename = 'publication'`
  for (const { name } of indexes) await connection.unsafe(`drop index ${name}`)
  const lines = Math.ceil(rows / 5)
  await connection`insert into source (source, kind, format, interval_seconds) values ('own', 'prices', 'curated', 3600)`
  await connection`
    insert into provider (provider, name, created_at, activated_at)
    select 'provider-' || n, 'Provider ' || n, '2025-01-01T00:00:00Z', '2025-01-01T00:00:00Z' from generate_series(0, 39) n`
  await connection`
    insert into provider_status select 'provider-' || n, '2025-01-01T00:00:00Z', 'active' from generate_series(0, 39) n`
  await connection`
    insert into provider_pricing select 'provider-' || n, '2025-01-01T00:00:00Z', false, true from generate_series(0, 39) n`
  await connection`
    insert into price_line (line_id, source, provider, resource, dimension, unit, currency, pricing_tier)
    overriding system value
    select n, 'own', 'provider-' || n % 40, 'model-' || n / 2, (array['input_tokens', 'output_tokens'])[n % 2 + 1],
           'usd_per_token', 'USD', '{}'
    from generate_series(0, ${lines - 1}::int) n`
  await connection`
    create temporary table made as
    select n, line_id, provider, resource, dimension, price, at, encode(sha256(convert_to(
      '{"canonicalResource":"maker/' || resource || '","currency":"USD","dimension":"' || dimension || '","price":"' || price
      || '","pricingTier":"{}","provider":"' || provider || '","recordedAt":"' || instant || '","resource":"' || resource
      || '","source":"own","unit":"usd_per_token"}', 'UTF8')), 'hex') as hash, instant
    from (
      select n, l.line_id, l.provider, l.resource, l.dimension, '0.0000' || (n % 9000 + 1000) || '1' as price, at,
             to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as instant
      from generate_series(0, ${rows - 1}::int) n
      join price_line l on l.line_id = n % ${lines}::int
      cross join lateral (select '2025-01-02T00:00:00Z'::timestamptz + (n / 1000) * interval '1 second' as at) t
    ) r`
  await connection`
    insert into price_row (content_hash, line_id, price, recorded_at, canonical_resource, locator, parser_version)
    select hash, line_id, price::numeric, at, 'maker/' || resource, '/' || n, 1 from made`
  await connection`insert into price_status (content_hash, seq, at, status) select hash, n + 1, at, 'auto_approved' from made`
  await connection`alter table publication disable trigger user`
  await connection`
    insert into publication (content_hash, published_at, provider, source, resource, line_id, recorded_at, dimension,
                             currency, canonical_resource, body)
    select hash, at, provider, 'own', resource, line_id, at, dimension, 'USD', 'maker/' || resource,
           '{"provider":"' || provider || '","source":"own","resource":"' || resource || '","dimension":"' || dimension
           || '","unit":"usd_per_token","currency":"USD","pricingTier":{},"price":"' || price || '","recordedAt":"' || instant
           || '","contentHash":"' || hash || '","approvalStatus":"auto_approved"}'
    from made`
  for (const { definition } of indexes) await connection.unsafe(definition)
  await connection`alter table publication enable trigger user`
  await connection`select settle_superseded(array(select line_id from price_line), '-infinity', false)`
  await connection`update publication_clock set last_seq = ${rows}, last_stamp = '2026-06-01T00:00:00Z'`
  await connection`drop table made`
  for (const table of ['publication', 'price_row', 'price_status', 'price_line'])
    await connection.unsafe(`vacuum analyze ${table}`)
  connection.release()
}

/** Runs a command. Returns how long it took, its processor time, and the most memory it had, by the kernel's books. */
async function command(...args: string[]): Promise<{ took: number; processor: number; peakMb: number; said: string }> {
  const env = { ...process.env, DATABASE_URL: url, PRICETAPE_SECRET_KEY: SECRET_KEY.toString('base64') }
  const from = performance.now()
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${MAX_HEAP_MB}`, '--import', 'tsx', 'src/cli/main.ts', ...args],
    { cwd: ROOT, env },
  )
  let [said, peakMb, processor] = ['', 0, 0]
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
  const poll = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
    peakMb = Math.max(peakMb, Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024)
    const used = await readFile(`/proc/${child.pid}/stat`, 'latin1').catch(() => '')
    const fields = used.slice(used.lastIndexOf(')') + 2).split(' ')
    processor = Math.max(processor, (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_A_SECOND || 0)
  }, POLL_MS)
  const code = await new Promise((resolve) => child.once('close', resolve))
  clearInterval(poll)
  if (code !== 0) throw new Error(said)
  return { took: (performance.now() - from) / 1_000, processor, peakMb, said }
}

async function exportAndVerify(format: string, key: string): Promise<void> {
  const file = join(folder, `prices.${format}`)
  const written = await command('export', '--format', format, '--out', file)
  const bytes = (await stat(file)).size
  const verified = await command('verify', '--file', file, '--key', key)
  const shown = ({ took, processor, peakMb }: typeof written) =>
    `${took.toFixed(0)} s (${processor.toFixed(0)} s of processor time), at most ${peakMb.toFixed(0)} MB of memory`
  console.log(`${format}: ${(bytes / MB).toFixed(0)} MB written in ${shown(written)}; verified in ${shown(verified)}`)
  console.log(`  ${verified.said.trim().replace(/\s+/g, ' ')}`)
}

async function proveAPage(sql: Sql, key: string): Promise<void> {
  const server = await buildServer({ sql, config: readConfig({}), log: createLog('error') })
  await server.listen({ port: 0, host: '127.0.0.1' })
  const address = `http://127.0.0.1:${(server.server.address() as { port: number }).port}`
  const [apiKey] = await freshKeys(sql, 1)
  const client = new Pricetape({ url: address, apiKey: apiKey!, cache: false })
  const { prices } = await client.history({ limit: PAGE_ROWS })
  let proof = await client.pageProof(prices)
  const served = await processorMs(async () => {
    proof = await client.pageProof(prices)
  })
  const kb = JSON.stringify(proof).length / 1024
  console.log(
    `proof of ${prices.length} rows: ${served.toFixed(0)} ms of processor time of server and client, ${proof.hashes.length} hashes, ${kb.toFixed(0)} KB`,
  )
  const times: number[] = []
  for (let n = 0; n < VERIFICATIONS; n++) times.push(await processorMs(() => verifyPage(prices, proof, key)))
  console.log(`verified by the TypeScript client in ${Math.min(...times).toFixed(0)} ms of processor time`)
  await writeFile(join(folder, 'page.json'), JSON.stringify([prices, proof, key]))
  const script = `import json, sys, time
from pricetape.proof import verify_page
given = json.load(open(sys.argv[1]))
times = []
for _ in range(${VERIFICATIONS}):
    began = time.process_time()
    verify_page(*given)
    times.append(time.process_time() - began)
print(f"verified by the Python client in {min(times) * 1000:.0f} ms of processor time")`
  const env = { PATH: process.env.PATH, PYTHONPATH: join(ROOT, 'clients/python/src') }
  const python = spawnSync('python3', ['-c', script, join(folder, 'page.json')], { env, encoding: 'utf8' })
  console.log(python.stdout.trim() || python.stderr)
  await server.close()
}
