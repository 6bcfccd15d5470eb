import { publishing } from '../../catalog/clock/clock-store.ts'
import { AppError } from '../../lib/errors.ts'
import { activateProvider } from '../ingest/activate-provider.ts'
import { type PendingChange, prepareChange, recordChange } from '../ingest/record-change.ts'
import { compareTexts, type DocumentTools } from '../read/read-document.ts'
import type { Comparison } from '../read/reading.ts'
import type { DocumentReport } from '../schema.ts'
import { documentOf, documentState, type Version, versionById } from '../store/document-store.ts'
import { putInForce, recordReview } from '../store/version-store.ts'
import { notHeld, requireSeen, type VersionReview, versionToReview } from './held-version.ts'

type Approval = VersionReview & { pagesUrl?: string }

/**
 * Records a held text as the provider's, as of now, and makes its event.
 * @throws AppError `not_found`, `review_changed`, or `invalid_body` when the version does not wait for a review
 */
export async function approveVersion({ sql, isolation }: DocumentTools, review: Approval): Promise<DocumentReport> {
  const { version, change } = await prepareApproval({ sql, isolation }, review)
  if (!change) return introduceVersion(sql, version, review)
  return publishing(sql, async (tx, stamp) => {
    await requireSeen(tx, review)
    const now = await documentState(tx, version.source)
    if (now.open?.versionId !== version.versionId || now.current?.versionId !== change.previous) throw notHeld()
    const report = await recordChange(tx, stamp, change)
    await recordReview(tx, version.versionId, { by: review.by, note: review.note }, stamp.at)
    return report
  })
}

/**
 * Returns whether the approval of a held text would make an event. Nothing is recorded.
 * @throws AppError as the approval does
 */
export async function wouldMakeEvent(tools: DocumentTools, review: Approval): Promise<boolean> {
  const { change } = await prepareApproval(tools, review)
  return change?.draft !== undefined
}

/** Returns a held text with the change that its approval records; a first text changes nothing. */
async function prepareApproval(
  { sql, isolation }: DocumentTools,
  review: Approval,
): Promise<{ version: Version; change?: PendingChange }> {
  const version = await versionToReview(sql, review.versionId)
  const document = (await documentOf(sql, version.source))!
  const state = await documentState(sql, version.source)
  if (state.open?.versionId !== version.versionId || state.open.status !== 'held') throw notHeld()
  const current = state.current && (await versionById(sql, state.current.versionId))
  if (!current) return { version }
  const comparison = await compareTexts(isolation, { before: current, after: version })
  if ('problem' in comparison)
    throw new AppError(
      'invalid_body',
      `The version cannot be compared with the text in force: ${comparison.problem}.`,
      {
        field: 'versionId',
      },
    )
  const description = { options: document, url: document.url, pagesUrl: review.pagesUrl }
  return { version, change: prepareChange(current, version, approved(comparison), description) }
}

/** What a person approves is published, also where rules alone would call the same difference cosmetic: a translation. */
function approved(comparison: Comparison): Comparison {
  const { wordsAdded, wordsRemoved } = comparison.difference
  const isCosmetic = comparison.classification === 'cosmetic' && wordsAdded + wordsRemoved > 0
  return isCosmetic ? { ...comparison, classification: 'substantive' } : comparison
}

/** Records the first text of a document: there is nothing it changed, so there is no `tos.changed`. */
function introduceVersion(sql: DocumentTools['sql'], version: Version, review: VersionReview): Promise<DocumentReport> {
  return publishing(sql, async (tx, stamp) => {
    await requireSeen(tx, review)
    const now = await documentState(tx, version.source)
    if (now.open?.versionId !== version.versionId || now.current) throw notHeld()
    await putInForce(tx, version.versionId, stamp.at, {})
    await activateProvider(tx, stamp, (await documentOf(tx, version.source))!.provider)
    await recordReview(tx, version.versionId, { by: review.by, note: review.note }, stamp.at)
    return { outcome: 'first', versionId: version.versionId }
  })
}
