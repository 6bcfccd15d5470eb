import { databaseNow, publishing } from '../../catalog/clock/clock-store.ts'
import type { SourceDeclaration } from '../../catalog/schema.ts'
import { type Instant, plus } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { isSameAddress } from '../normalize/shown-address-rules.ts'
import { extractorOf } from '../read/extractor-rules.ts'
import type { DocumentInput } from '../read/read-document.task.ts'
import { type DocumentTools, readDocument } from '../read/read-document.ts'
import type { DocumentReading, Problem, StoredText } from '../read/reading.ts'
import {
  ANOTHER_PAGE,
  type DocumentOptions,
  type DocumentReport,
  type DocumentState,
  documentOptions,
  type ExtractedText,
} from '../schema.ts'
import { beginningsOfSite, documentState, type Version, versionById } from '../store/document-store.ts'
import { endQuarantine, isShownBySibling, isShownElsewhere } from '../store/quarantine-store.ts'
import { applyDecision, unchanged } from './apply-decision.ts'
import { compareWithEarlier } from './compare-with-earlier.ts'
import { type ConfirmedText, confirmPart, confirmText, type PendingWrite } from './confirm-text.ts'
import { type ConfirmationDelays, cameWith, confirmationDelays, type Decision, decide } from './decision-rules.ts'
import { isKnownToSubscribers } from './earlier-texts-rules.ts'
import { introduceDocument, updateDeclaration } from './introduce-document.ts'
import { quarantineText } from './quarantine-text.ts'
import { rederiveVersions } from './rederive-versions.ts'

/** One fetched document. `at` is only for the replay of history. */
export type FetchedDocument = {
  source: SourceDeclaration
  snapshotHash: string
  bytes: Uint8Array
  contentType?: string
  at?: Instant
  /** What was read of its bytes before, in a replay. */
  extracted?: Pick<ExtractedText, 'markdown' | 'signals' | 'notFound' | 'canonical'>
  /** Where the pages of this installation are, for the links in events; absent where no one may read them. */
  pagesUrl?: string
}

/** A decision is taken again when another fetch of the same document was recorded in between. */
const ATTEMPTS = 3

/**
 * Takes a fetched document through the pipeline: read it, decide about it, and write what follows as one publication.
 * A text that says nothing new writes nothing.
 */
export async function ingestDocument(tools: DocumentTools, fetched: FetchedDocument): Promise<DocumentReport> {
  const { source, bytes, contentType } = fetched
  const options = documentOptions.parse(source.options)
  const content = fetched.extracted ?? { bytes, contentType, url: source.url, selectors: options }
  let lasted: DocumentReport | undefined
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const before = await stateBefore(tools.sql, source.source)
    const now = fetched.at ?? (await databaseNow(tools.sql))
    const reading = await read(tools, fetched, options, content, before)
    if ('problem' in reading) return lasted ?? { outcome: 'quarantined', reason: reading.problem }
    if (attempt === 1) await updateDeclaration(tools.sql, source, options)
    const recorded = lasted && fetched.at ? { ...fetched, at: plus(fetched.at, 1) } : fetched
    const report = await decideAndWrite(tools, recorded, options, reading, now)
    if (report && !report.isPart)
      return lasted ? { ...lasted, recheckAt: report.recheckAt, waits: report.versionId } : report
    // A part of the change is in force; what else this text says is decided about next.
    lasted = report ?? lasted
  }
  if (lasted) return lasted
  throw new Error(`the document of ${source.source} changed during ${ATTEMPTS} decisions in a row`)
}

type Before = { state: DocumentState; current?: Version; pending?: Version; site: string[] }
type Reading = Before & { reading: DocumentReading }

async function stateBefore(sql: Sql, source: string): Promise<Before> {
  const state = await documentState(sql, source)
  const [current, pending] = await Promise.all(
    [state.current, cameWith(state)].map((version) => version && versionById(sql, version.versionId)),
  )
  return { state, current, pending, site: await beginningsOfSite(sql, source) }
}

/** Reads a text beside the one in force; where another extractor read that one, it is first read again. */
async function read(
  tools: DocumentTools,
  { source }: FetchedDocument,
  options: DocumentOptions,
  content: DocumentInput['content'],
  before: Before,
): Promise<Reading | Problem> {
  const isComparable = !before.current || before.current.extractor === extractorOf(options)
  const reading = await readDocument(tools.isolation, { content, ...(isComparable && textsOf(before)) })
  if ('problem' in reading) return reading
  if (isComparable) return { ...before, reading }
  await rederiveVersions(tools, source, options)
  const rederived = await stateBefore(tools.sql, source.source)
  // What the page's markup says of it counts once more, so it is read from its bytes again.
  const again = await readDocument(tools.isolation, { content, ...textsOf(rederived) })
  return 'problem' in again ? again : { ...rederived, reading: again }
}

const delaysOf = ({ intervalSeconds }: SourceDeclaration, { confirmSeconds }: DocumentOptions): ConfirmationDelays =>
  confirmationDelays(intervalSeconds * 1000, confirmSeconds)

const textOf = (version: Version | undefined): StoredText | undefined => version && { markdown: version.markdown }
const textsOf = ({ current, pending, site }: Before) => ({ current: textOf(current), pending: textOf(pending), site })

/** Decides about a text and writes it. Returns undefined when what it was compared with is no longer in force. */
async function decideAndWrite(
  tools: DocumentTools,
  { source, snapshotHash, at, pagesUrl }: FetchedDocument,
  options: DocumentOptions,
  { state, current, site, reading }: Reading,
  now: Instant,
): Promise<DocumentReport | undefined> {
  const { sql } = tools
  const { rejection: looksLike, canonical, comparison: _, lasting, isFallback: __, ...derived } = reading
  const wasInForce = state.known.some(
    (version) => version.recordedAt !== undefined && version.normalHash === reading.normalHash,
  )
  const rejection = looksLike ?? (await anotherPage(sql, source, canonical, reading.normalHash))
  const text = { ...derived, source: source.source, snapshotHash, extractor: extractorOf(options) }
  if (rejection && !wasInForce) return quarantineText(sql, { source, options, state, text, rejection }, now, at)
  await endQuarantine(sql, source.source)
  const delays = delaysOf(source, options)
  const { normalHash } = reading
  const nearest = await compareWithEarlier(tools, { state, current, site }, reading)
  const near = nearest && !isKnownToSubscribers(nearest.known, state) ? nearest.known : undefined
  const decision = decide(
    state,
    {
      normalHash,
      doubts: reading.comparison?.doubts ?? [],
      near,
      lasting: lasting?.doubts,
    },
    now,
    delays,
  )
  if (decision.action === 'ignore' && !decision.expired) return unchanged(decision.because, text, current)
  const description = { options, url: source.url ?? '', pagesUrl }
  const pending = pendingWrite(decision, {
    state,
    previous: current!,
    reading,
    near: nearest,
    reviewMs: delays.reviewMs,
    description,
  })
  return publishing(
    sql,
    async (tx, stamp) => {
      if (!state.current) await introduceDocument(tx, stamp, source, options)
      if (!isSameState(state, await documentState(tx, source.source))) return undefined
      return applyDecision(tx, stamp, { decision, provider: options.provider, text, state, current, pending })
    },
    at,
  )
}

/** A site may show an index in place of its documents: others show it too, which had texts of their own or other addresses. */
async function anotherPage(
  sql: Sql,
  { source, url = '' }: SourceDeclaration,
  canonical: string | undefined,
  normalHash: string,
) {
  if (canonical !== undefined && isSameAddress(canonical, url)) return undefined
  const isElsewhere =
    (await isShownBySibling(sql, source, normalHash)) ||
    (canonical !== undefined && (await isShownElsewhere(sql, { source, url, normalHash })))
  return isElsewhere ? ANOTHER_PAGE : undefined
}

/** What follows from a text, or a part of it, that is confirmed. */
function pendingWrite(decision: Decision, text: Omit<ConfirmedText, 'decision'>): PendingWrite | undefined {
  if (decision.action === 'confirm part') return confirmPart(decision.version, text)
  return decision.action === 'confirm' || decision.action === 'release' ? confirmText({ ...text, decision }) : undefined
}

const isSameState = (a: DocumentState, b: DocumentState): boolean =>
  a.current?.versionId === b.current?.versionId &&
  a.open?.versionId === b.open?.versionId &&
  a.open?.status === b.open?.status
