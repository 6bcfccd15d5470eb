import type { Stamp } from '../../catalog/clock/clock-store.ts'
import { tosChangedEvent } from '../../events/payloads/tos-changed.ts'
import type { EventDraft, Significance } from '../../events/schema.ts'
import { recordEvents } from '../../events/store.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Tx } from '../../lib/sql.ts'
import type { Comparison } from '../read/reading.ts'
import type { Classification, DocumentOptions, DocumentReport, ExplainedWords } from '../schema.ts'
import type { Version } from '../store/document-store.ts'
import { putInForce } from '../store/version-store.ts'

/** A change ready to be recorded: everything of its event but the instant. */
export type PendingChange = {
  versionId: string
  previous: string
  classification: Classification
  explained: ExplainedWords[]
  significance?: Significance
  draft?: (at: Instant) => EventDraft
}

export type ChangeDescription = {
  options: Pick<DocumentOptions, 'provider' | 'document' | 'title'>
  url: string
  /** Where the pages of this installation are; absent where no one may read them. */
  pagesUrl?: string
  returnsTo?: string
  /** What is unusual about the change. */
  doubt?: string[]
}
type Text = { versionId: string; effectiveDate?: string; updatedDate?: string }

/** The page that shows two versions side by side. */
const differencePath = ({ provider, document }: ChangeDescription['options'], from: string, to: string) =>
  `/documents/${provider}/${document}?from=${from}&to=${to}`

/** Prepares the change from one version to the next, as it was compared. A cosmetic change makes no event. */
export function prepareChange(
  previous: Version,
  current: Text,
  { classification, explained, significance, difference }: Comparison,
  { options, url, pagesUrl, returnsTo, doubt }: ChangeDescription,
): PendingChange {
  const ids = { versionId: current.versionId, previous: previous.versionId, classification, explained }
  if (classification === 'cosmetic') return ids
  const { diff, ...summary } = difference
  const dates = ({ versionId, effectiveDate, updatedDate }: Text) => ({ versionId, effectiveDate, updatedDate })
  const draft = (at: Instant) =>
    tosChangedEvent(options.provider, {
      document: options.document,
      title: options.title,
      url,
      classification,
      significance,
      effectiveDate: current.effectiveDate,
      previous: { ...dates(previous), recordedAt: previous.recordedAt! },
      current: { ...dates(current), recordedAt: at },
      returnsTo,
      doubt: doubt?.length ? doubt : undefined,
      summary,
      diff,
      differenceUrl: pagesUrl && pagesUrl + differencePath(options, previous.versionId, current.versionId),
    })
  return { ...ids, significance, draft }
}

/** Puts a change in force and records its event, if it has one. */
export async function recordChange(
  tx: Tx,
  stamp: Stamp,
  change: PendingChange,
  reasons: string[] = [],
): Promise<DocumentReport> {
  const { versionId, previous, classification, explained, significance } = change
  const [eventId] = change.draft ? await recordEvents(tx, stamp, [change.draft(stamp.at)]) : []
  const inForce = { classification, explained, significance, previous, eventId, reasons }
  const done = await putInForce(tx, versionId, stamp.at, inForce)
  if (!done) throw new Error(`version ${versionId} was decided by another process`)
  if (classification === 'cosmetic') return { outcome: 'cosmetic', versionId, reason: 'moved', classification }
  return { outcome: 'published', versionId, classification, significance, eventId }
}
