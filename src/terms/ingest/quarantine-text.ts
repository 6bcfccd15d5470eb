import { publishing } from '../../catalog/clock/clock-store.ts'
import type { SourceDeclaration } from '../../catalog/schema.ts'
import { type Instant, plus } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import {
  CONFIRMATION_MS,
  DOCUMENT_INTERVAL_MS,
  type DocumentOptions,
  type DocumentReport,
  type DocumentState,
  LOOKS_LIKE,
  QUARANTINE_REVIEW_MS,
  REPLACED,
  SELECTORS_FAIL,
} from '../schema.ts'
import { documentState } from '../store/document-store.ts'
import { beginQuarantine, quarantineOf } from '../store/quarantine-store.ts'
import { type DerivedText, expire, insertVersion } from '../store/version-store.ts'
import { introduceDocument } from './introduce-document.ts'

type RejectedText = {
  source: SourceDeclaration
  options: DocumentOptions
  state: DocumentState
  text: DerivedText
  /** What it looks like. */
  rejection: string
}

/**
 * Quarantines a text that does not look like the document. The versions stay as they are. A text that stays for days is
 * held: it may be the document after all, and a person decides. Where the selectors find nothing, it is held at once, unless a
 * change is about to be confirmed. It is never published by time.
 */
export async function quarantineText(
  sql: Sql,
  rejected: RejectedText,
  now: Instant,
  at?: Instant,
): Promise<DocumentReport> {
  const { source, state, text, rejection } = rejected
  const { open } = state
  if (open?.status === 'held' && open.normalHash === text.normalHash) return waiting(rejection, open.versionId)
  // What it looks like may only be known when another document shows it too: then it waits no longer.
  if (open?.status === 'candidate' && open.normalHash === text.normalHash)
    await sql.begin((tx) => expire(tx, open.versionId, rejection))
  const known = await quarantineOf(sql, source.source)
  if (known?.normalHash !== text.normalHash)
    await beginQuarantine(sql, source.source, { normalHash: text.normalHash, reason: rejection, since: now })
  const stayed =
    (rejection.startsWith(SELECTORS_FAIL) && !isSoonConfirmed(state, now)) ||
    (known?.normalHash === text.normalHash && now >= plus(known.since, QUARANTINE_REVIEW_MS))
  const isRejected = state.known.some(
    ({ normalHash, status }) => normalHash === text.normalHash && status === 'rejected',
  )
  if (!stayed || isRejected || text.markdown === '') return { outcome: 'quarantined', reason: rejection }
  const versionId = await holdForReview(sql, rejected, at)
  return versionId ? waiting(rejection, versionId) : { outcome: 'quarantined', reason: rejection }
}

/** A change that waits for its day is not lost to one fetch of another layout. */
const isSoonConfirmed = ({ open }: DocumentState, now: Instant): boolean =>
  open?.status === 'candidate' && now < plus(open.firstSeenAt, CONFIRMATION_MS + DOCUMENT_INTERVAL_MS)

const waiting = (rejection: string, versionId: string): DocumentReport => ({
  outcome: 'quarantined',
  reason: `${rejection}; it stays, so it waits for review`,
  versionId,
})

/** Holds the text in place of an open version. Returns undefined when another process was faster. */
function holdForReview(
  sql: Sql,
  { source, options, state, text, rejection }: RejectedText,
  at?: Instant,
): Promise<string | undefined> {
  return publishing(
    sql,
    async (tx, stamp) => {
      await introduceDocument(tx, stamp, source, options)
      const { current, open } = await documentState(tx, source.source)
      if (open?.versionId !== state.open?.versionId || current?.versionId !== state.current?.versionId) return undefined
      if (open) await expire(tx, open.versionId, REPLACED)
      const reasons = [`${LOOKS_LIKE}${rejection}`]
      return insertVersion(tx, { ...text, status: 'held', reasons, previousVersion: current?.versionId }, stamp.at)
    },
    at,
  )
}
