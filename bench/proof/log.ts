/**
 * Measures what the publication log costs a first load, and a proof in a large tree: `npx tsx bench/proof/log.ts 100000
 * 10000000`. Its last results are in log.md beside it.
 */
import { randomBytes } from 'node:crypto'
import { loadavg } from 'node:os'
import { databaseNow } from '../../src/catalog/clock/clock-store.ts'
import { sourceDeclaration } from '../../src/catalog/schema.ts'
import { storeSnapshot } from '../../src/catalog/snapshots/snapshot-store.ts'
import { declareSources } from '../../src/catalog/sources/source-store.ts'
import { sha256 } from '../../src/lib/hash.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { migrate } from '../../src/lib/postgres/migrate.ts'
import { connect, type Sql } from '../../src/lib/sql.ts'
import { ingestPrices } from '../../src/prices/ingest/ingest-prices.ts'
import type { Observation } from '../../src/prices/schema.ts'
import { readCheckpoint } from '../../src/proof/checkpoint-rules.ts'
import { keepLog } from '../../src/proof/keep-log.ts'
import { readConsistency, readProof } from '../../src/proof/read-proof.ts'
import { leafHash } from '../../src/proof/tree/hash-rules.ts'
import { bundle, leafText } from '../../src/proof/tree/leaf-rules.ts'
import { edgeOf, grow, TILE_WIDTH, type Tile, tileKey } from '../../src/proof/tree/tile-rules.ts'
import { type Entries, writeEntries, writeTiles } from '../../src/proof/tree/tile-store.ts'
import { rootOfInclusion } from '../../src/proof/tree/tree-rules.ts'
import { processorSeconds } from '../check/processor-time.ts'
import { startPostgres } from '../history/postgres.ts'

const SECRET_KEY = Buffer.alloc(32, 1)
const NAMES = { logOrigin: 'prices.example.com/v1/log' }
const PAIRS = 3
const PROOFS = 500
const TILES_AT_ONCE = 64
const AT = '2026-01-01T00:00:00.000Z' as Instant

const lines = Number(process.argv[2] ?? 100_000)
const leaves = Number(process.argv[3] ?? 1_000_000)
const postgres = await startPostgres()
const admin = connect(`${postgres.url}/postgres`, { max: 1 })
/** Seconds and processor seconds that work takes: a busy machine makes the first longer, and the second much less so. */
async function timed(work: () => Promise<unknown>): Promise<{ wall: number; processor: number }> {
  const [from, used] = [performance.now(), processorSeconds()]
  await work()
  return { wall: (performance.now() - from) / 1_000, processor: processorSeconds() - used }
}
type Timing = Awaited<ReturnType<typeof timed>>
const median = (all: Timing[], of: keyof Timing) =>
  quantile(
    all.map((one) => one[of]).sort((a, b) => a - b),
    0.5,
  )
const quantile = (sorted: number[], q: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))]!
let databases = 0

async function freshDatabase(): Promise<Sql> {
  const name = `bench_${databases++}`
  await admin.unsafe(`create database ${name}`)
  const sql = connect(`${postgres.url}/${name}`)
  await migrate(sql)
  return sql
}

const keep = (sql: Sql) => keepLog({ sql, names: NAMES, secretKey: SECRET_KEY })

const line = (n: number): Observation => ({
  provider: 'acme',
  resource: `model-${Math.floor(n / 4)}`,
  dimension: (['input_tokens', 'output_tokens', 'cache_read_tokens', 'cache_write_tokens'] as const)[n % 4]!,
  unit: 'usd_per_token',
  currency: 'USD',
  pricingTier: {},
  price: `0.00000${(n % 899) + 100}1`,
  canonicalResource: `acme/model-${Math.floor(n / 4)}`,
  locator: `/${n}`,
})

/** A first load, and the log of it. Without the log its index is not there either. */
async function firstLoad(withLog: boolean): Promise<{ load: Timing; log: Timing }> {
  const sql = await freshDatabase()
  if (!withLog) await sql`drop index price_status_by_seq`
  const source = sourceDeclaration.parse({ source: 'own', format: 'own-format' })
  await declareSources(sql, [{ ...source, kind: 'prices' as const }])
  const snapshotHash = await storeSnapshot(sql, { bytes: Buffer.from('x'), at: await databaseNow(sql) })
  const observations = Array.from({ length: lines }, (_, n) => line(n))
  const parsed = { providers: [{ provider: 'acme', name: 'Acme' }], observations, ignored: [] }
  const load = await timed(() => ingestPrices(sql, { source, snapshotHash, parserVersion: 1, parsed }))
  const log = await timed(async () => withLog && keep(sql))
  await sql.end()
  return { load, log }
}

async function measureFirstLoad(): Promise<void> {
  const times: Record<'without' | 'with' | 'log', Timing[]> = { without: [], with: [], log: [] }
  await firstLoad(true)
  for (let n = 0; n < PAIRS * 2; n++) {
    const withLog = (n + Math.floor(n / 2)) % 2 === 0
    const { load, log } = await firstLoad(withLog)
    times[withLog ? 'with' : 'without'].push(load)
    if (withLog) times.log.push(log)
  }
  for (const of of ['processor', 'wall'] as const) {
    const [without, including, log] = [times.without, times.with, times.log].map((all) => median(all, of)) as [
      number,
      number,
      number,
    ]
    const share = (part: number) => `${((part / without) * 100).toFixed(1)} %`
    console.log(
      `first load of ${lines} lines, ${of} time: ${without.toFixed(2)} s without the log, ${including.toFixed(2)} s with it (${share(including - without)}); ` +
        `the log written behind it: ${log.toFixed(2)} s (${((log / lines) * 1e6).toFixed(0)} µs a leaf, ${share(log)})`,
    )
  }
}

/**
 * A tree of this many leaves, with texts for those that are asked for: the others are random hashes, which cost the same to
 * prove against.
 */
async function measureProofs(): Promise<void> {
  const sql = await freshDatabase()
  await sql`
    insert into source (source, kind, format, interval_seconds) values ('genai-prices', 'prices', 'curated', 3600)`
  await sql`insert into provider (provider, name, created_at) values ('anthropic', 'Anthropic', now())`
  const tiles = Math.floor(leaves / TILE_WIDTH)
  const asked = Array.from(
    { length: PROOFS },
    (_, n) => Math.floor(((n + 0.5) * tiles) / PROOFS) * TILE_WIDTH + (n % TILE_WIDTH),
  )
  await sql`
    with line as (
      insert into price_line (source, provider, resource, dimension, unit, currency, pricing_tier)
      select 'genai-prices', 'anthropic', 'claude-sonnet-4-5-' || n, 'input_tokens', 'usd_per_token', 'USD', '{}'
      from unnest(${asked}::int[]) as n
      returning line_id, split_part(resource, '-', 5)::int as n
    ), recorded as (
      insert into price_row (content_hash, line_id, price, recorded_at, canonical_resource, parser_version)
      select encode(sha256(n::text::bytea), 'hex'), line_id, 0.0000032, ${AT}, 'anthropic/claude-sonnet-4-5', 1 from line
      returning content_hash
    )
    insert into price_status (content_hash, seq, at, status)
    select encode(sha256(n::text::bytea), 'hex'), n + 1, ${AT}, 'auto_approved'
    from unnest(${asked}::int[]) as n`
  await keep(sql)
  await sql`delete from log_entries`
  await sql`delete from log_tile`
  await sql`delete from log_checkpoint`
  const leafOf = (n: number) =>
    Buffer.from(leafText({ kind: 'row', at: AT, contentHash: sha256(String(n)), status: 'auto_approved' }))
  let edge: Tile[] = []
  for (let size = 0; size < leaves; ) {
    const count = Math.min(TILE_WIDTH * TILES_AT_ONCE, leaves - size)
    const hashes = randomBytes(count * 32)
    const written: Entries[] = []
    for (const n of asked)
      if (n >= size && n < size + count) {
        const tile = Math.floor(n / TILE_WIDTH)
        const texts = Array.from({ length: TILE_WIDTH }, (_, k) => leafOf(tile * TILE_WIDTH + k))
        leafHash(leafOf(n)).copy(hashes, (n - size) * 32)
        written.push({ tile, afterSeq: tile * TILE_WIDTH, entries: bundle(texts) })
      }
    const grown = grow(size, edge, hashes)
    size += count
    const wanted = new Set(edgeOf(size).map(tileKey))
    edge = [
      ...edge.filter((tile) => wanted.has(tileKey(tile)) && !grown.some((one) => tileKey(one) === tileKey(tile))),
      ...grown.filter((tile) => wanted.has(tileKey(tile))),
    ]
    await sql.begin(async (tx) => {
      await writeTiles(tx, grown)
      await writeEntries(tx, written)
    })
  }
  await sql`update log_state set size = ${leaves}`
  await keep(sql)
  await sql`vacuum analyze`
  const used = processorSeconds()
  const times: number[] = []
  const bytes: number[] = []
  for (const n of asked) {
    const start = performance.now()
    const proof = await readProof(sql, sha256(String(n)))
    times.push(performance.now() - start)
    bytes.push(Buffer.byteLength(JSON.stringify(proof)))
    const { size: signed, root } = readCheckpoint(proof.checkpoint)!
    const hashes = proof.hashes.map((text) => Buffer.from(text, 'base64'))
    const found = rootOfInclusion({ index: proof.leafIndex, size: signed }, leafHash(Buffer.from(proof.leaf)), hashes)
    if (!found?.equals(root)) throw new Error(`the proof of ${n} does not lead to the root`)
  }
  const processor = ((processorSeconds() - used) / PROOFS) * 1_000
  const consistency: number[] = []
  for (let n = 1; n <= 200; n++) {
    const start = performance.now()
    await readConsistency(sql, Math.floor((leaves * n) / 201))
    consistency.push(performance.now() - start)
  }
  for (const all of [times, bytes, consistency]) all.sort((a, b) => a - b)
  const [stored] = await sql<{ tiles: string }[]>`select pg_total_relation_size('log_tile') as tiles`
  console.log(`${leaves} leaves, tiles of ${(Number(stored!.tiles) / 1e6).toFixed(0)} MB`)
  console.log(
    `proof of a row: p10 ${quantile(times, 0.1).toFixed(2)}, p50 ${quantile(times, 0.5).toFixed(2)}, p99 ${quantile(times, 0.99).toFixed(2)} ms, processor ${processor.toFixed(2)} ms with checking it; ` +
      `p50 ${quantile(bytes, 0.5)} bytes, largest ${bytes.at(-1)} bytes; ` +
      `consistency p50 ${quantile(consistency, 0.5).toFixed(2)} ms`,
  )
  await sql.end()
}

console.log(`load ${loadavg()[0]!.toFixed(1)}`)
try {
  if (lines > 0) await measureFirstLoad()
  if (leaves > 0) await measureProofs()
} finally {
  await admin.end()
  await postgres.stop()
}
