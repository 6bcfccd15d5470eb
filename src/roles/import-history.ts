import { lastPublication, publishing, type Stamp } from '../catalog/clock/clock-store.ts'
import type { SourceDeclaration } from '../catalog/schema.ts'
import { recordGoodFetch } from '../catalog/snapshots/good-fetch-store.ts'
import { storeSnapshot } from '../catalog/snapshots/snapshot-store.ts'
import { type BundledSnapshot, bundledSnapshots, collectorFor } from '../collectors/index.ts'
import { type Instant, plus } from '../lib/instant.ts'
import { withAdvisoryLock } from '../lib/postgres/database.ts'
import type { Progress } from '../lib/process/progress.ts'
import type { Sql, Tx } from '../lib/sql.ts'
import { settleFetched } from '../prices/confirmation/settle-confirmations.ts'
import { ingestPrices } from '../prices/ingest/ingest-prices.ts'
import { FIRST_START_LOCK } from './first-start-lock.ts'

export type ImportCounts = { snapshots: number; rows: number; seconds: number }

/**
 * Records the bundled snapshots of these sources as history: each at the instant it was published, in order, without
 * events. A snapshot is one publication, so an import that was ended half-way goes on with the next one, and a
 * database that has moved on since is left as it is.
 */
export async function importHistory(
  sql: Sql,
  sources: SourceDeclaration[],
  options: { progress: Pick<Progress, 'say'>; until?: Instant },
): Promise<ImportCounts> {
  return withAdvisoryLock(sql, FIRST_START_LOCK, async () => {
    const started = performance.now()
    const { progress } = options
    const last = await lastPublication(sql)
    const wanted = sources
      .filter((source) => source.bundled)
      .flatMap((source) => bundledSnapshots(source.format).map((snapshot) => ({ source, snapshot })))
      .filter(({ snapshot: { at } }) => at > last && (!options.until || at <= options.until))
      .sort((a, b) => (a.snapshot.at < b.snapshot.at ? -1 : 1))
    let rows = 0
    for (const { source, snapshot } of wanted) {
      const recorded = await importSnapshot(sql, source, snapshot)
      rows += recorded
      progress.say(`  ${snapshot.at.slice(0, 10)}  ${source.source} ${snapshot.version}: ${recorded} prices recorded`)
    }
    return { snapshots: wanted.length, rows, seconds: (performance.now() - started) / 1000 }
  })
}

async function importSnapshot(
  sql: Sql,
  source: SourceDeclaration,
  { bytes, at, address }: BundledSnapshot,
): Promise<number> {
  const collector = collectorFor(source.format)
  if (!collector) throw new Error(`no collector reads ${source.format}`)
  const raw = bytes()
  const parsed = collector.parse(raw, { source, at })
  const snapshotHash = await storeSnapshot(sql, { bytes: raw, at, contentType: 'application/json', address })
  const { parserVersion } = collector
  const report = await ingestPrices(sql, { source, snapshotHash, parserVersion, parsed, at, quiet: true })
  await confirm(sql, source.source, plus(at, 1))
  return report.published
}

/** Records that the source said so when the snapshot was published, one stamp after what it published. */
async function confirm(sql: Sql, source: string, at: Instant): Promise<void> {
  const record = async (tx: Tx, stamp: Stamp) => {
    if (await recordGoodFetch(tx, source, stamp.at)) await settleFetched(tx, stamp, source)
  }
  await publishing(sql, record, at)
}
