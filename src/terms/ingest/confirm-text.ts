import type { Stamp } from '../../catalog/clock-store.ts'
import type { SourceDeclaration } from '../../catalog/schema.ts'
import { tosChangedEvent } from '../../events/payloads/tos-changed.ts'
import type { EventDraft } from '../../events/schema.ts'
import { recordEvents } from '../../events/store.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Tx } from '../../lib/sql.ts'
import { classify } from '../compare/classify-rules.ts'
import { differenceOf } from '../compare/difference-rules.ts'
import { doubts } from '../compare/quality-rules.ts'
import type { Classification, DocumentOptions } from '../schema.ts'
import type { Version } from '../store/document-store.ts'
import type { DerivedText } from '../store/version-store.ts'
import { hold, putInForce } from '../store/version-store.ts'
import type { Decision, DocumentState } from './decide-rules.ts'
import type { DocumentReport } from './ingest-document.ts'

/** A confirmed text, compared with the one in force; `settle` writes what follows from it. */
export type Settled = { settle: (tx: Tx, stamp: Stamp) => Promise<DocumentReport> }

type Compared = {
  state: DocumentState
  current?: Version
  read: DerivedText
  source: SourceDeclaration
  options: DocumentOptions
  publicUrl?: string
}

/** Compares before the publication begins; undefined where there is nothing to confirm. */
export function confirmText(decision: Decision, compared: Compared): Settled | undefined {
  if (decision.do !== 'confirm' && decision.do !== 'end doubt') return undefined
  const { state, current, read } = compared
  const [versionId, previous] = [state.open!.versionId, current!]
  // A text that was in force before is no doubtful one, however much it differs.
  const reasons = decision.do === 'end doubt' || decision.returnsTo ? [] : doubts(previous.markdown, read.markdown)
  if (reasons.length > 0) {
    return {
      settle: async (tx, stamp) => {
        await hold(tx, versionId, reasons, previous.versionId, stamp.at)
        return { outcome: 'held', versionId, reason: reasons.join(', ') }
      },
    }
  }
  const change = prepareChange(
    previous,
    { ...read, versionId },
    {
      ...compared,
      url: compared.source.url ?? '',
      returnsTo: decision.returnsTo?.versionId,
    },
  )
  const because = decision.do === 'end doubt' ? ['stood unreviewed'] : []
  return { settle: (tx, stamp) => recordChange(tx, stamp, change, because) }
}

/** A change ready to be recorded: everything of its event but the instant. */
export type PreparedChange = {
  versionId: string
  previous: string
  classification: Classification
  draft?: (at: Instant) => EventDraft
}

type Described = {
  options: Pick<DocumentOptions, 'provider' | 'document' | 'title'>
  url: string
  publicUrl?: string
  returnsTo?: string
}
type Text = { versionId: string; markdown: string; effectiveDate?: string; updatedDate?: string }

export function prepareChange(previous: Version, current: Text, described: Described): PreparedChange {
  const classification = classify(previous.markdown, current.markdown)
  const ids = { versionId: current.versionId, previous: previous.versionId, classification }
  if (classification === 'cosmetic') return ids
  const { options, url, publicUrl, returnsTo } = described
  const { diff, ...summary } = differenceOf(previous.markdown, current.markdown)
  const dates = (text: Text) => ({
    versionId: text.versionId,
    effectiveDate: text.effectiveDate,
    updatedDate: text.updatedDate,
  })
  const draft = (at: Instant) =>
    tosChangedEvent(options.provider, {
      document: options.document,
      title: options.title,
      url,
      classification,
      effectiveDate: current.effectiveDate,
      previous: { ...dates(previous), recordedAt: previous.recordedAt! },
      current: { ...dates(current), recordedAt: at },
      returnsTo,
      summary,
      diff,
      differenceUrl: `${publicUrl ?? ''}/documents/${options.provider}/${options.document}/${current.versionId}`,
    })
  return { ...ids, draft }
}

/** Puts a prepared change in force and records its event, if it says anything. */
export async function recordChange(
  tx: Tx,
  stamp: Stamp,
  change: PreparedChange,
  reasons: string[] = [],
): Promise<DocumentReport> {
  const { versionId, previous, classification } = change
  const [eventId] = change.draft ? await recordEvents(tx, stamp, [change.draft(stamp.at)]) : []
  const done = await putInForce(tx, versionId, stamp.at, { classification, previous, eventId, reasons })
  if (!done) throw new Error(`version ${versionId} was decided by somebody else`)
  if (classification === 'cosmetic') return { outcome: 'cosmetic', versionId, reason: 'moved', classification }
  return { outcome: 'published', versionId, classification, eventId }
}
