import { performance } from 'node:perf_hooks'
import type { SourceDeclaration } from '../../catalog/schema.ts'
import { storeSnapshot } from '../../catalog/snapshots/snapshot-store.ts'
import { declareSources } from '../../catalog/sources/source-store.ts'
import { tally } from '../../lib/collections.ts'
import { DAY, type Instant, latest, plus } from '../../lib/instant.ts'
import { ingestDocument } from '../ingest/ingest-document.ts'
import type { DocumentTools } from '../read/read-document.ts'
import type { Problem } from '../read/reading.ts'
import { type DocumentReport, type ExtractedText, MAX_RETURN_DELAY_MS, REVIEW_EXPIRES_MS } from '../schema.ts'

/** What a replay prints. Reasons and counts; `lines` are lines of text read. */
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

/** One text of a recorded history; `seq` is its position in it. `load` returns its bytes, and what was read of them before. */
export type TimedText = {
  source: SourceDeclaration
  file: string
  at: Instant
  seq: number
  load: () => Promise<{ bytes: Uint8Array; contentType?: string; extracted?: ExtractedText | Problem }>
}

type ReplayEntry = {
  file: string
  source: string
  seq: number
  at: Instant
  report: DocumentReport
  refetch: boolean
}
export type ReplayOptions = {
  /** Sees every report, simulated fetches included. */
  onReport?: (entry: ReplayEntry) => void
}

/** What lasts of a change, and what else a text says, are recorded one after the other. */
const INSTANTS_OF_A_TEXT = 2

type Fetch = TimedText & { refetch: boolean }

/**
 * Runs recorded texts through the pipeline in order, each at its own instant, in a scratch database. A text is taken to
 * stay until the next one of its document: when the pipeline wants to see it again before that, it is fetched again at
 * that instant. The last text of a document stays.
 */
export async function replayTexts(
  tools: DocumentTools,
  texts: TimedText[],
  options: ReplayOptions = {},
): Promise<TermsReplay> {
  const started = performance.now()
  const sources = new Map(texts.map((text) => [text.source.source, text.source]))
  await declareSources(
    tools.sql,
    [...sources.values()].map((source) => ({ ...source, kind: 'terms' as const })),
  )
  const newest = new Map<string, number>()
  const end = plus(texts.at(-1)!.at, REVIEW_EXPIRES_MS + MAX_RETURN_DELAY_MS + DAY)
  const queue: Fetch[] = texts.map((text) => ({ ...text, refetch: false }))
  const result: TermsReplay = {
    snapshots: texts.length, documents: sources.size, lines: 0,
    events: {}, classifications: {}, held: {}, quarantined: {}, suppressed: {}, seconds: 0,
  } // biome-ignore format: counters
  let last = '' as Instant
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { source } = next
    if (next.refetch && newest.get(source.source) !== next.seq) continue
    newest.set(source.source, next.seq)
    const { bytes, contentType, extracted } = await next.load()
    const at = last === '' ? next.at : latest(next.at, plus(last, INSTANTS_OF_A_TEXT))
    const report =
      extracted && 'problem' in extracted
        ? ({ outcome: 'quarantined', reason: extracted.problem } as const)
        : await ingest(tools, next.source, { bytes, contentType, extracted, at })
    options.onReport?.({ file: next.file, source: source.source, seq: next.seq, at, report, refetch: next.refetch })
    last = at
    if (!next.refetch) result.lines += bytes.reduce((sum, byte) => sum + (byte === 10 ? 1 : 0), 0)
    countReport(result, report, next.refetch)
    const again = againAt(report, at)
    if (again && again <= end) enqueue(queue, { ...next, at: again, refetch: true })
  }
  result.seconds = Math.round(performance.now() - started) / 1000
  return result
}

const againAt = (report: DocumentReport, at: Instant): Instant | undefined =>
  report.recheckAt ?? (report.outcome === 'held' ? plus(at, REVIEW_EXPIRES_MS) : undefined)

async function ingest(
  tools: DocumentTools,
  source: SourceDeclaration,
  fetched: { bytes: Uint8Array; contentType?: string; extracted?: ExtractedText; at: Instant },
): Promise<DocumentReport> {
  const snapshotHash = await storeSnapshot(tools.sql, fetched)
  return ingestDocument(tools, { source, snapshotHash, ...fetched })
}

function enqueue(queue: Fetch[], fetch: Fetch): void {
  const later = queue.findIndex((queued) => queued.at > fetch.at)
  queue.splice(later < 0 ? queue.length : later, 0, fetch)
}

function countReport(result: TermsReplay, report: DocumentReport, refetch: boolean): void {
  if (report.gone?.status === 'candidate') tally(result.suppressed, 'gone or replaced before it was confirmed')
  if (report.outcome === 'published') {
    tally(result.events, 'tos.changed')
    tally(result.classifications, report.classification ?? '')
  }
  if (report.outcome === 'cosmetic') tally(result.suppressed, report.reason ?? 'cosmetic')
  if (report.outcome === 'held' && report.reason !== 'waits for review') tally(result.held, report.reason ?? '')
  if (refetch) return
  if (report.outcome === 'unchanged') tally(result.suppressed, report.reason ?? 'unchanged')
  if (report.outcome === 'first') tally(result.suppressed, 'first text')
  if (report.outcome === 'quarantined') tally(result.quarantined, report.reason ?? '')
}
