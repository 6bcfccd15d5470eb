/**
 * What a check costs: taking in a snapshot of 50,000 lines against parsing it. What one change to 10,000 webhooks
 * costs is bench/fan-out. Run with `node --import tsx bench/check/run.ts`.
 */
import { cpus } from 'node:os'
import { databaseNow } from '../../src/catalog/clock-store.ts'
import { sourceDeclaration } from '../../src/catalog/schema.ts'
import { storeSnapshot } from '../../src/catalog/snapshot-store.ts'
import { withScratchDatabase } from '../../src/cli/scratch-database.ts'
import { collectorFor } from '../../src/collectors/index.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { ingestPrices } from '../../src/prices/ingest/ingest-prices.ts'

const LINES = 50_000
const RUNS = 5

/** A genai-prices snapshot of 50 providers with 250 models of 4 prices each; `cut` lowers the first model's price. */
function snapshotOf(cut = false): Uint8Array {
  const providers = Array.from({ length: LINES / 1000 }, (_, p) => ({
    id: `provider-${p}`,
    name: `Provider ${p}`,
    models: Array.from({ length: 250 }, (_, m) => {
      const input = 1 + m / 100 - (cut && p === 0 && m === 0 ? 0.1 : 0)
      const prices = {
        input_mtok: input,
        output_mtok: input * 4,
        cache_read_mtok: input / 10,
        cache_write_mtok: input * 1.25,
      }
      return { id: `model-${m}`, name: `Model ${m}`, match: { equals: `model-${m}` }, context_window: 200_000, prices }
    }),
  }))
  return Buffer.from(JSON.stringify(providers))
}

const median = (times: number[]) => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)]!

async function timed<T>(work: () => T | Promise<T>): Promise<[number, T]> {
  const started = performance.now()
  const value = await work()
  return [performance.now() - started, value]
}

async function benchIngest(sql: Sql) {
  const source = sourceDeclaration.parse({ source: 'bench', format: 'genai-prices' })
  const collector = collectorFor('genai-prices')!
  const at = await databaseNow(sql)
  const take = async (bytes: Uint8Array) => {
    const snapshotHash = await storeSnapshot(sql, { bytes, at })
    const [parsing, parsed] = await timed(() => collector.parse(bytes, { source, at }))
    const [taking, report] = await timed(() => ingestPrices(sql, { source, snapshotHash, parserVersion: 1, parsed }))
    return { parsing, taking, report }
  }
  const first = await take(snapshotOf())
  const plain = []
  for (let i = 0; i < RUNS; i++) plain.push(await take(snapshotOf()))
  if (plain.some(({ report }) => report.unchanged !== LINES)) throw new Error('the snapshot was not unchanged')
  const changed = await take(snapshotOf(true))
  return {
    firstMs: first.taking,
    parsingMs: median(plain.map(({ parsing }) => parsing)),
    unchangedMs: median(plain.map(({ taking }) => taking)),
    changedMs: changed.taking,
    events: changed.report.events,
  }
}

await withScratchDatabase(async (sql) => {
  const ingest = await benchIngest(sql)
  const ms = (value: number) => `${Math.round(value)} ms`
  console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`)
  console.log(`parsing ${LINES} lines             ${ms(ingest.parsingMs)}`)
  console.log(`taking them in, first time       ${ms(ingest.firstMs)}`)
  console.log(
    `taking them in, unchanged        ${ms(ingest.unchangedMs)}  = ${(ingest.unchangedMs / ingest.parsingMs).toFixed(2)} × parsing`,
  )
  console.log(`taking them in, one model raised ${ms(ingest.changedMs)}  ${JSON.stringify(ingest.events)}`)
})
