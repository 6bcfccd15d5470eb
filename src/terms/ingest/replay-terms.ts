import { performance } from 'node:perf_hooks'
import { storeSnapshot } from '../../catalog/snapshot-store.ts'
import { declareSources } from '../../catalog/source-store.ts'
import { DAY, type Instant, latest, plus } from '../../lib/instant.ts'
import type { DocumentTools } from '../read/read-document.ts'
import { type DocumentReport, MAX_RETURN_DELAY_MS, REVIEW_EXPIRES_MS } from '../schema.ts'
import { ingestDocument } from './ingest-document.ts'
import { type RecordedText, readRecording, readRecordings } from './recorded-documents.ts'

/** What `npm run replay -- FOLDER --format terms --json` prints. Reasons and counts; `lines` are lines of text read. */
export type TermsReplay = {
  snapshots: number
  documents: number
  lines: number
  events: Record<string, number>
  classifications: Record<string, number>
  held: Record<string, number>
  quarantined: Record<string, number>
  suppressed: Record<string, number>
  seconds: number
}

export type ReplayOptions = {
  /** Sees every report, simulated fetches included. */
  onReport?: (entry: { file: string; at: Instant; report: DocumentReport; refetch: boolean }) => void
}

type Fetch = RecordedText & { refetch: boolean }

/**
 * Runs a folder of recorded legal documents (`manifest.json`, files gzip or not) through the pipeline, each at its own
 * instant, in a scratch database. A recorded text is taken to stay until the next one of its document: when the pipeline
 * wants to see it again before that, it is fetched again at that instant. The last text of a document stays.
 */
export async function replayTerms(
  tools: DocumentTools,
  folder: string,
  options: ReplayOptions = {},
): Promise<TermsReplay> {
  const { sql } = tools
  const started = performance.now()
  const snapshots = await readRecordings(folder)
  const sources = new Map(snapshots.map((snapshot) => [snapshot.source.source, snapshot.source]))
  await declareSources(
    sql,
    [...sources.values()].map((source) => ({ ...source, kind: 'terms' as const })),
  )
  const newest = new Map<string, number>()
  const end = plus(snapshots.at(-1)!.at, REVIEW_EXPIRES_MS + MAX_RETURN_DELAY_MS + DAY)
  const queue: Fetch[] = snapshots.map((snapshot) => ({ ...snapshot, refetch: false }))
  const result: TermsReplay = {
    snapshots: snapshots.length, documents: sources.size, lines: 0,
    events: {}, classifications: {}, held: {}, quarantined: {}, suppressed: {}, seconds: 0,
  } // biome-ignore format: counters
  let last = '' as Instant
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { source } = next
    if (next.refetch && newest.get(source.source) !== next.seq) continue
    newest.set(source.source, next.seq)
    const { bytes, contentType } = await readRecording(folder, next.file)
    const at = last === '' ? next.at : latest(next.at, plus(last, 1))
    const snapshotHash = await storeSnapshot(sql, { bytes, at, contentType })
    const report = await ingestDocument(tools, { source, snapshotHash, bytes, contentType, at })
    options.onReport?.({ file: next.file, at, report, refetch: next.refetch })
    last = at
    if (!next.refetch) result.lines += bytes.reduce((sum, byte) => sum + (byte === 10 ? 1 : 0), 0)
    tally(result, report, next.refetch)
    const again = report.recheckAt ?? (report.outcome === 'held' ? plus(at, REVIEW_EXPIRES_MS) : undefined)
    if (again && again <= end) enqueue(queue, { ...next, at: again, refetch: true })
  }
  result.seconds = Math.round(performance.now() - started) / 1000
  return result
}

function enqueue(queue: Fetch[], fetch: Fetch): void {
  const later = queue.findIndex((queued) => queued.at > fetch.at)
  queue.splice(later < 0 ? queue.length : later, 0, fetch)
}

function tally(result: TermsReplay, report: DocumentReport, refetch: boolean): void {
  const count = (record: Record<string, number>, key: string) => {
    record[key] = (record[key] ?? 0) + 1
  }
  if (report.gone?.status === 'candidate') count(result.suppressed, 'gone or replaced before it was confirmed')
  if (report.outcome === 'published') {
    count(result.events, 'tos.changed')
    count(result.classifications, report.classification ?? '')
  }
  if (report.outcome === 'cosmetic') count(result.suppressed, report.reason ?? 'cosmetic')
  if (report.outcome === 'held' && report.reason !== 'waits for review') count(result.held, report.reason ?? '')
  if (refetch) return
  if (report.outcome === 'unchanged') count(result.suppressed, report.reason ?? 'unchanged')
  if (report.outcome === 'first') count(result.suppressed, 'first text')
  if (report.outcome === 'quarantined') count(result.quarantined, report.reason ?? '')
}
