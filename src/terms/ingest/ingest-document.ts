import { gunzipSync } from 'node:zlib'
import { databaseNow, publishing, type Stamp } from '../../catalog/clock-store.ts'
import { seeProviders } from '../../catalog/provider-store.ts'
import type { SourceDeclaration } from '../../catalog/schema.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { sha256 } from '../../lib/hash.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Sql, Tx } from '../../lib/sql.ts'
import { notADocument } from '../compare/quality-rules.ts'
import { UnreadableDocument } from '../extract/errors.ts'
import { deriveDocument, extractorOf } from '../extract/extract-document.ts'
import { statedDates } from '../normalize/dates-rules.ts'
import { normalForm } from '../normalize/normal-form-rules.ts'
import { type Classification, type DocumentOptions, documentOptions } from '../schema.ts'
import { documentOf, documentState, type Version, versionById } from '../store/document-store.ts'
import {
  type DerivedText,
  insertVersion,
  lapse,
  lockDocument,
  saveDocument,
  seeAgain,
  storedSnapshot,
  versionOfSnapshot,
} from '../store/version-store.ts'
import { confirmText, type Settled } from './confirm-text.ts'
import { type Decision, type DocumentState, decide, patienceOf } from './decide-rules.ts'
import { rederiveVersions } from './rederive-versions.ts'

/** One fetched document, about to be judged. `at` only for the replay of history. */
export type FetchedDocument = {
  source: SourceDeclaration
  snapshotHash: string
  bytes: Uint8Array
  contentType?: string
  at?: Instant
  /** Where the installation is reached, for the links in events. */
  publicUrl?: string
}

/**
 * What came of it. `quarantined` is no document (the reason belongs in the source's status); `waiting` asks to be
 * fetched again at `recheckAt` if that is sooner than the interval; `gone` names a text that was not confirmed in time.
 */
export type DocumentReport = {
  outcome: 'first' | 'unchanged' | 'waiting' | 'published' | 'cosmetic' | 'held' | 'quarantined'
  reason?: string
  classification?: Classification
  versionId?: string
  eventId?: string
  recheckAt?: Instant
  gone?: { versionId: string; status: 'candidate' | 'held' }
}

/** A judgement is taken again when another fetch of the same document was recorded in between. */
const ATTEMPTS = 3

/**
 * Takes a fetched document through the pipeline: read, judge, wait for confirmation, hold or record, tell. What it
 * writes is one publication; a text that says nothing new writes nothing.
 */
export async function ingestDocument(sql: Sql, fetched: FetchedDocument): Promise<DocumentReport> {
  const options = documentOptions.parse(fetched.source.options)
  const known = await versionOfSnapshot(sql, fetched.source.source, fetched.snapshotHash, extractorOf(options))
  const read = known ? { ...known, signals: [] } : await readDocument(fetched, options)
  if ('outcome' in read) return read
  await redeclare(sql, fetched.source, options)
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const report = await judge(sql, fetched, options, read)
    if (report) return report
  }
  throw new Error(`the document of ${fetched.source.source} changed under ${ATTEMPTS} judgements in a row`)
}

/** A document that is declared under another title, address or slug is listed so from now on. */
async function redeclare(sql: Sql, source: SourceDeclaration, options: DocumentOptions): Promise<void> {
  const declared = {
    provider: options.provider,
    document: options.document,
    title: options.title,
    url: source.url ?? '',
  }
  const known = await documentOf(sql, source.source)
  if (!known || canonicalJson(known) === canonicalJson(declared)) return
  const now = await databaseNow(sql)
  await sql.begin(async (tx) => introduce(tx, source, options, now))
}

/** The server says nothing changed since a snapshot: that counts as another fetch of it. */
export async function documentUnchanged(
  sql: Sql,
  fetch: Pick<FetchedDocument, 'source' | 'snapshotHash' | 'at' | 'publicUrl'>,
): Promise<DocumentReport> {
  const snapshot = await storedSnapshot(sql, fetch.snapshotHash)
  if (!snapshot) return { outcome: 'unchanged' }
  return ingestDocument(sql, { ...fetch, bytes: gunzipSync(snapshot.bytes), contentType: snapshot.contentType })
}

type Read = DerivedText & { signals: string[] }

async function readDocument(fetched: FetchedDocument, options: DocumentOptions): Promise<Read | DocumentReport> {
  const { source, snapshotHash, contentType } = fetched
  try {
    const { markdown, signals } = await deriveDocument(fetched.bytes, { contentType, url: source.url, options })
    const dates = statedDates(markdown)
    return {
      source: source.source,
      snapshotHash,
      extractor: extractorOf(options),
      markdown,
      textHash: sha256(markdown),
      normalHash: sha256(normalForm(markdown)),
      effectiveDate: dates.effective,
      updatedDate: dates.updated,
      signals,
    }
  } catch (error) {
    if (error instanceof UnreadableDocument) return { outcome: 'quarantined', reason: error.message }
    throw error
  }
}

/** One judgement; undefined when what it was based on is no longer so. */
async function judge(
  sql: Sql,
  fetched: FetchedDocument,
  options: DocumentOptions,
  read: Read,
): Promise<DocumentReport | undefined> {
  const { source, at, publicUrl } = fetched
  let state = await documentState(sql, source.source)
  let current = state.current && (await versionById(sql, state.current.versionId))
  if (current && current.extractor !== read.extractor) {
    await rederiveVersions(sql, source, options, read)
    state = await documentState(sql, source.source)
    current = await versionById(sql, current.versionId)
  }
  const accepted = state.known.some((one) => one.recordedAt !== undefined && one.normalHash === read.normalHash)
  const reason = accepted ? undefined : notADocument(read.markdown, read.signals, current?.markdown)
  if (reason) return { outcome: 'quarantined', reason }
  const now = at ?? (await databaseNow(sql))
  const patience = patienceOf(source.intervalSeconds * 1000, options.confirmSeconds)
  const decision = decide(state, read.normalHash, now, patience)
  if (decision.do === 'nothing' && !decision.lapses) return unchanged(decision, read, current)
  // Comparing two texts takes time, so it is done before the clock is taken.
  const settled = confirmText(decision, { state, current, read, source, options, publicUrl })
  return publishing(
    sql,
    async (tx, stamp) => {
      if (!state.current) await introduce(tx, source, options, stamp.at)
      await lockDocument(tx, source.source)
      if (!sameState(state, await documentState(tx, source.source))) return undefined
      return apply(tx, stamp, { decision, settled, read, current, state })
    },
    at,
  )
}

function unchanged(decision: Decision & { do: 'nothing' }, read: Read, current: Version | undefined): DocumentReport {
  if (decision.because === 'rejected before') return { outcome: 'unchanged', reason: decision.because }
  return read.textHash === current?.textHash
    ? { outcome: 'unchanged' }
    : { outcome: 'cosmetic', reason: 'formatting or links' }
}

const sameState = (a: DocumentState, b: DocumentState): boolean =>
  a.current?.versionId === b.current?.versionId &&
  a.open?.versionId === b.open?.versionId &&
  a.open?.status === b.open?.status

async function introduce(tx: Tx, source: SourceDeclaration, options: DocumentOptions, at: Instant): Promise<void> {
  const provider = { provider: options.provider, name: options.providerName ?? options.provider }
  await seeProviders(tx, source.source, [provider], at)
  await saveDocument(tx, source.source, options, source.url ?? '', at)
}

type Judged = { decision: Decision; settled?: Settled; read: Read; current?: Version; state: DocumentState }

async function apply(tx: Tx, stamp: Stamp, judged: Judged): Promise<DocumentReport> {
  const { decision, settled, read, current, state } = judged
  const { signals: _, ...text } = read
  const lapses = 'lapses' in decision ? decision.lapses : undefined
  if (lapses)
    await lapse(tx, lapses.versionId, decision.do === 'nothing' ? 'gone again' : 'replaced before it was confirmed')
  const gone = lapses && { versionId: lapses.versionId, status: lapses.status }
  switch (decision.do) {
    case 'record first': {
      const versionId = await insertVersion(tx, { ...text, status: 'published' }, stamp.at)
      return { outcome: 'first', versionId }
    }
    case 'nothing':
      return { ...unchanged(decision, read, current), gone }
    case 'open': {
      const returnsTo = decision.returnsTo?.versionId
      const versionId = await insertVersion(tx, { ...text, status: 'candidate', returnsTo }, stamp.at)
      return { outcome: 'waiting', versionId, recheckAt: decision.confirmAt, gone, reason: returnsTo && 'seen before' }
    }
    case 'wait':
      await seeAgain(tx, state.open!.versionId, stamp.at)
      return { outcome: 'waiting', versionId: state.open!.versionId, recheckAt: decision.confirmAt }
    case 'keep holding':
      await seeAgain(tx, state.open!.versionId, stamp.at)
      return {
        outcome: 'held',
        versionId: state.open!.versionId,
        reason: 'waits for review',
        recheckAt: decision.endsAt,
      }
    case 'confirm':
    case 'end doubt':
      await seeAgain(tx, state.open!.versionId, stamp.at)
      return settled!.settle(tx, stamp)
  }
}
