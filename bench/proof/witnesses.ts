/**
 * Measures how long a list of witnesses takes to record, and what other sources say to compare: `npx tsx
 * bench/proof/witnesses.ts 1000000`. Its last results are in confirmation.md beside it.
 */
import { databaseNow } from '../../src/catalog/clock/clock-store.ts'
import { sourceDeclaration } from '../../src/catalog/schema.ts'
import { storeSnapshot } from '../../src/catalog/snapshots/snapshot-store.ts'
import { declareSources } from '../../src/catalog/sources/source-store.ts'
import { migrate } from '../../src/lib/postgres/migrate.ts'
import { connect } from '../../src/lib/sql.ts'
import { measureServed } from '../../src/prices/accuracy/measure-served.ts'
import { settleEvidence } from '../../src/prices/confirmation/settle-confirmations.ts'
import { ingestPrices } from '../../src/prices/ingest/ingest-prices.ts'
import type { Observation } from '../../src/prices/schema.ts'
import { recordWitnessPrices } from '../../src/prices/witness/record-witness-prices.ts'
import { startPostgres } from '../history/postgres.ts'

const OWN = sourceDeclaration.parse({ source: 'own', format: 'own-format' })
const WITNESS = sourceDeclaration.parse({ source: 'witness', format: 'witness-format', witness: true })
const CHANGED = 1_000

const count = Number(process.argv[2] ?? 100_000)
const postgres = await startPostgres()
const sql = connect(`${postgres.url}/postgres`)
try {
  await migrate(sql)
  await declareSources(sql, [OWN, WITNESS].map((one) => ({ ...one, kind: 'prices' as const }))) // biome-ignore format: one thought
  const hash = await storeSnapshot(sql, { bytes: Buffer.from('x'), at: await databaseNow(sql) })
  const input = { snapshotHash: hash, parserVersion: 1 }
  const parsed = (changed: number) => ({
    providers: [{ provider: 'acme', name: 'Acme' }],
    observations: Array.from({ length: count }, (_, n) => line(n, n < changed)),
    ignored: [],
  })
  const timed = async (name: string, work: () => Promise<unknown>) => {
    const started = performance.now()
    const result = await work()
    console.log(
      `${name}: ${((performance.now() - started) / 1_000).toFixed(1)} s`,
      JSON.stringify(result).slice(0, 120),
    )
  }
  const now = () => databaseNow(sql)
  const witness = (changed: number) => recordWitnessPrices(sql, { source: WITNESS, ...input, parsed: parsed(changed) })
  await timed(`first load of ${count} lines`, async () => {
    const { published } = await ingestPrices(sql, { source: OWN, ...input, parsed: parsed(0) })
    return published
  })
  await timed('record the witness', () => witness(0))
  await timed('record it again', () => witness(0))
  await timed('compare all lines for the first time', async () => settleEvidence(sql, await now()))
  await timed('compare when nothing was said', async () => settleEvidence(sql, await now()))
  await timed(`record ${CHANGED} changes`, () => witness(CHANGED))
  await timed(`compare after ${CHANGED} changes`, async () => settleEvidence(sql, await now()))
  await timed('measure what is served', async () => {
    const { served, contradicted } = await measureServed(sql, await now())
    return { served, contradicted }
  })
  const [size] = await sql`select pg_size_pretty(pg_total_relation_size('row_confirmation')) as size`
  console.log('row_confirmation', size)
} finally {
  await sql.end()
  await postgres.stop()
}

function line(n: number, isChanged: boolean): Observation {
  const resource = `model-${Math.floor(n / 2)}`
  const dimension = n % 2 ? 'output_tokens' : 'input_tokens'
  const price = String(((n % 2 ? 4 : 1) * (isChanged ? 1.1 : 1)) / 1e6)
  return {
    provider: 'acme',
    resource,
    dimension,
    unit: 'usd_per_token',
    currency: 'USD',
    pricingTier: {},
    price,
    locator: '/',
  }
}
