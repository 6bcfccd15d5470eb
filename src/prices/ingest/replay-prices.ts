import type { SourceDeclaration } from '../../catalog/schema.ts'
import { storeSnapshot } from '../../catalog/snapshot-store.ts'
import { tally } from '../../lib/collections.ts'
import { type Instant, latest, plus } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import type { ParsedPrices } from '../schema.ts'
import { ingestPrices } from './ingest-prices.ts'
import type { IngestReport } from './ingest-report.ts'

/** What `npm run replay -- FOLDER --json` prints for prices. Counts; `held` and `suppressed` by reason. */
export type PriceReplay = {
  snapshots: number
  /** Price lines read, over all snapshots. */
  lines: number
  events: Record<string, number>
  held: Record<string, number>
  quarantined: Record<string, number>
  suppressed: Record<string, number>
  /** Resources whose absence is in the review queue, by reason. */
  questions: Record<string, number>
  seconds: number
}

export type RecordedSnapshot = { file: string; at: Instant; bytes: Uint8Array }

export type PriceParser = {
  parserVersion: number
  /** Throws when the bytes are not what the format says. */
  parse: (bytes: Uint8Array, at: Instant) => ParsedPrices
}

export type ReplayOptions = { onReport?: (entry: { file: string; at: Instant; report: IngestReport }) => void }

/**
 * Runs recorded snapshots of one source through the pipeline in their order, each at its own instant. The first is the
 * baseline: it has no events.
 */
export async function replayPrices(
  sql: Sql,
  source: SourceDeclaration,
  parser: PriceParser,
  snapshots: AsyncIterable<RecordedSnapshot>,
  options: ReplayOptions = {},
): Promise<PriceReplay> {
  const started = performance.now()
  const result: PriceReplay = {
    snapshots: 0, lines: 0, events: {}, held: {}, quarantined: {}, suppressed: {}, questions: {}, seconds: 0,
  } // biome-ignore format: counters
  const { parserVersion } = parser
  let last: Instant | undefined
  let baseline = false
  for await (const { file, at: recordedAt, bytes } of snapshots) {
    const at = last ? latest(recordedAt, plus(last, 1)) : recordedAt
    last = at
    result.snapshots++
    const snapshotHash = await storeSnapshot(sql, { bytes, at })
    const parsed = readable(() => parser.parse(bytes, at))
    if (!parsed) {
      tally(result.quarantined, 'unreadable')
      continue
    }
    const report = await ingestPrices(sql, { source, snapshotHash, parserVersion, parsed, at, quiet: !baseline })
    options.onReport?.({ file, at, report })
    result.lines += parsed.observations.length
    if (report.quarantined) tally(result.quarantined, report.quarantined.reason)
    else baseline = true
    for (const counts of ['events', 'held', 'suppressed'] as const)
      for (const [reason, count] of Object.entries(report[counts])) tally(result[counts], reason, count)
    result.questions = report.quarantined ? result.questions : report.questions
  }
  result.seconds = Math.round(performance.now() - started) / 1000
  return result
}

function readable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
