import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { z } from 'zod'
import { type SourceDeclaration, sourceDeclaration } from '../../catalog/schema.ts'
import { storeSnapshot } from '../../catalog/snapshot-store.ts'
import { declareSources } from '../../catalog/source-store.ts'
import { OperatorError } from '../../lib/errors.ts'
import { DAY, type Instant, latest, parseInstant, plus } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { DOCUMENT_FORMAT, DOCUMENT_INTERVAL_MS, DOUBT_ENDS_MS, RETURN_STANDS_MAX_MS } from '../schema.ts'
import { type DocumentReport, ingestDocument } from './ingest-document.ts'

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

const entry = z.object({
  document: z.string().optional(),
  file: z.string(),
  recordedAt: z.string().optional(),
  committedAt: z.string().optional(),
})

type Snapshot = { source: SourceDeclaration; file: string; at: Instant; seq: number }
type Fetch = Snapshot & { refetch: boolean }

const CONTENT_TYPES: Record<string, string> = {
  md: 'text/markdown',
  html: 'text/html',
  htm: 'text/html',
  txt: 'text/plain',
  pdf: 'application/pdf',
}

/**
 * Runs a folder of recorded legal documents (`manifest.json`, files gzip or not) through the pipeline, each at its own
 * instant, in a scratch database. A recorded text stands until the next one of its document, so whenever the pipeline
 * asks to see it again before that, it is fetched again then; the last text of a document stands.
 */
export async function replayTerms(sql: Sql, folder: string, options: ReplayOptions = {}): Promise<TermsReplay> {
  const started = performance.now()
  const snapshots = await readManifest(folder)
  const sources = new Map(snapshots.map((snapshot) => [snapshot.source.source, snapshot.source]))
  await declareSources(
    sql,
    [...sources.values()].map((source) => ({ ...source, kind: 'terms' as const })),
  )
  const newest = new Map<string, number>()
  const end = plus(snapshots.at(-1)!.at, DOUBT_ENDS_MS + RETURN_STANDS_MAX_MS + DAY)
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
    const bytes = await readSnapshotFile(folder, next.file)
    const at = last === '' ? next.at : latest(next.at, plus(last, 1))
    const contentType = CONTENT_TYPES[next.file.replace(/\.gz$/, '').split('.').at(-1) ?? '']
    const snapshotHash = await storeSnapshot(sql, { bytes, at, contentType })
    const report = await ingestDocument(sql, { source, snapshotHash, bytes, contentType, at })
    options.onReport?.({ file: next.file, at, report, refetch: next.refetch })
    last = at
    if (!next.refetch) result.lines += bytes.reduce((sum, byte) => sum + (byte === 10 ? 1 : 0), 0)
    tally(result, report, next.refetch)
    const again = report.recheckAt ?? (report.outcome === 'held' ? plus(at, DOUBT_ENDS_MS) : undefined)
    if (again && again <= end) enqueue(queue, { ...next, at: again, refetch: true })
  }
  result.seconds = Math.round(performance.now() - started) / 1000
  return result
}

function enqueue(queue: Fetch[], fetch: Fetch): void {
  const later = queue.findIndex((one) => one.at > fetch.at)
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

async function readManifest(folder: string): Promise<Snapshot[]> {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => {
    throw new OperatorError(`There is no manifest.json in ${folder}.`)
  })
  const entries = z.array(entry).min(1).safeParse(JSON.parse(text))
  if (!entries.success) throw new OperatorError(`${folder}/manifest.json is not a list of snapshots.`)
  const snapshots = entries.data.map((one, seq) => {
    const at = parseInstant(one.recordedAt ?? one.committedAt ?? '')
    if (!at) throw new OperatorError(`${one.file} in ${folder}/manifest.json has no recordedAt or committedAt.`)
    return { source: sourceOf(one.document ?? one.file.split('/')[0]!), file: one.file, at, seq }
  })
  return snapshots.sort((a, b) => (a.at === b.at ? a.seq - b.seq : a.at < b.at ? -1 : 1))
}

const slugOf = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)

/** `Service/Document`, as the histories name them. */
function sourceOf(name: string): SourceDeclaration {
  const [service, document] = name.includes('/') ? name.split('/', 2) : ['replay', name]
  const options = { provider: slugOf(service!), providerName: service, document: slugOf(document!), title: document }
  return sourceDeclaration.parse({
    source: slugOf(name),
    format: DOCUMENT_FORMAT,
    url: `https://example.com/${slugOf(name)}.md`,
    intervalSeconds: DOCUMENT_INTERVAL_MS / 1000,
    options,
  })
}

async function readSnapshotFile(folder: string, file: string): Promise<Uint8Array> {
  const bytes = await readFile(join(folder, file))
  return file.endsWith('.gz') ? promisify(gunzip)(bytes) : bytes
}
