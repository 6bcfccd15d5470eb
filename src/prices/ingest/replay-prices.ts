import { shownAddress } from '../../catalog/address-rules.ts'
import type { SourceDeclaration } from '../../catalog/schema.ts'
import { storeSnapshot } from '../../catalog/snapshots/snapshot-store.ts'
import { tally } from '../../lib/collections.ts'
import { DAY, HOUR, type Instant, latest, plus, SECOND } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import type { Miss } from '../replay/miss-rules.ts'
import { startRawHistory } from '../replay/raw-history.ts'
import { readScore } from '../replay/read-score.ts'
import type { Score } from '../replay/score-rules.ts'
import type { ParsedPrices } from '../schema.ts'
import { confirmUntilDue } from './confirm-prices.ts'
import { ingestPrices } from './ingest-prices.ts'
import type { IngestReport } from './ingest-report.ts'

/** What `npm run replay -- FOLDER --json` prints for prices. Counts; `held` and `suppressed` by reason. */
export type PriceReplay = {
  snapshots: number
  /** Further fetches of the same snapshots that were compared again. */
  refetches: number
  /** Price lines read, over all snapshots. */
  lines: number
  events: Record<string, number>
  held: Record<string, number>
  quarantined: Record<string, number>
  suppressed: Record<string, number>
  /** Resources whose absence is in the review queue, by reason. */
  questions: Record<string, number>
  /** Lines that are held at the end, by reason. */
  stillHeld: Record<string, number>
  seconds: number
} & Score

export type RecordedSnapshot = { file: string; at: Instant; bytes: Uint8Array }

export type PriceParser = {
  parserVersion: number
  /** Throws when the bytes are not what the format says. */
  parse: (bytes: Uint8Array, at: Instant) => ParsedPrices & { nextChangeAt?: Instant }
}

type Report = { file: string; at: Instant; report: IngestReport; refetch: boolean }
export type ReplayOptions = { onReport?: (entry: Report) => void; onMiss?: (miss: Miss) => void }

/** After the last snapshot the source is fetched for so long: what waits for confirmation gets it. */
const AFTERWARDS_MS = 7 * DAY
/** A source that is quarantined is tried again at least this often. */
const QUARANTINE_RETRY_MS = 6 * HOUR

/**
 * Runs recorded snapshots of one source through the pipeline in their order, each at its own instant. A snapshot is
 * fetched again at the source's interval until the next one. The first is the baseline: it has no events.
 */
export async function replayPrices(
  sql: Sql,
  source: SourceDeclaration,
  parser: PriceParser,
  snapshots: AsyncIterable<RecordedSnapshot>,
  options: ReplayOptions = {},
): Promise<PriceReplay> {
  const started = performance.now()
  const history = startRawHistory()
  const result = startResult()
  let served: ServedSnapshot | undefined
  let last: Instant | undefined
  let hasBaseline = false
  let isQuarantined = false
  for await (const { file, at: recordedAt, bytes } of snapshots) {
    const at = last ? latest(recordedAt, plus(last, 1)) : recordedAt
    if (served) await refetch(served, at)
    last = at
    result.snapshots++
    const snapshotHash = await storeSnapshot(sql, { bytes, at, address: source.url && shownAddress(source.url) })
    const parsed = readable(() => parser.parse(bytes, at))
    if (!parsed) tally(result.quarantined, 'unreadable')
    served = parsed && { file, at, bytes, parsed, snapshotHash }
    if (!served) continue
    history.add(served.parsed, at)
    result.lines += served.parsed.observations.length
    const report = await ingest(served, at)
    if (!report.quarantined) hasBaseline = true
    isQuarantined = report.quarantined?.reason === 'served_again'
  }
  if (served) await refetch(served, plus(served.at, AFTERWARDS_MS))
  const { score, misses } = await readScore(sql, source.source, history)
  if (options.onMiss) for (const miss of misses) options.onMiss(miss)
  return { ...result, ...score, seconds: Math.round(performance.now() - started) / 1000 }

  async function ingest(
    { file, parsed, snapshotHash }: ServedSnapshot,
    at: Instant,
    isRefetch = false,
  ): Promise<IngestReport> {
    const { parserVersion } = parser
    const report = await ingestPrices(sql, { source, snapshotHash, parserVersion, parsed, at, quiet: !hasBaseline })
    options.onReport?.({ file, at, report, refetch: isRefetch })
    countReport(result, report, isRefetch)
    return report
  }

  /** Fetches a snapshot again until `end`. It is compared again when that may change something. */
  async function refetch(snapshot: ServedSnapshot, end: Instant): Promise<void> {
    const intervalMs = source.intervalSeconds * SECOND
    let { parsed } = snapshot
    // A quarantined list is fetched again and again until it is believed.
    for (let n = 1; isQuarantined; n++) {
      const at = plus(snapshot.at, n * Math.max(intervalMs, QUARANTINE_RETRY_MS))
      if (at >= end) return
      last = at
      isQuarantined = (await ingest(snapshot, at, true)).quarantined !== undefined
    }
    for (let at: Instant | undefined = last!; ; ) {
      const begins: Instant | undefined = parsed.nextChangeAt
      const announced: Instant | undefined = begins && begins > at && begins < end ? begins : undefined
      const due: Instant | undefined = await confirmUntilDue(sql, source.source, {
        last: at,
        end: announced ?? end,
        intervalMs,
      })
      at = due ?? announced
      if (!at) return
      if (at === announced) {
        parsed = readable(() => parser.parse(snapshot.bytes, at!)) ?? parsed
        history.add(parsed, at)
      }
      result.refetches++
      last = at
      await ingest({ ...snapshot, parsed }, at, true)
    }
  }
}

type ServedSnapshot = {
  file: string
  at: Instant
  bytes: Uint8Array
  parsed: ReturnType<PriceParser['parse']>
  snapshotHash: string
}

type Result = Omit<PriceReplay, keyof Score | 'stillHeld'>

const startResult = (): Result => ({
  snapshots: 0, refetches: 0, lines: 0, events: {}, held: {}, quarantined: {}, suppressed: {}, questions: {}, seconds: 0,
}) // biome-ignore format: counters

function countReport(result: Result, report: IngestReport, isRefetch: boolean): void {
  if (report.quarantined && !isRefetch) tally(result.quarantined, report.quarantined.reason)
  for (const counts of ['events', 'held', 'suppressed'] as const) {
    // What an unchanged snapshot leaves out was counted when it came.
    if (counts === 'suppressed' && isRefetch && report.at === undefined) continue
    for (const [reason, count] of Object.entries(report[counts])) tally(result[counts], reason, count)
  }
  result.questions = report.quarantined ? result.questions : report.questions
}

function readable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
