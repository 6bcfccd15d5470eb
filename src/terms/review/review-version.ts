import { publishing } from '../../catalog/clock-store.ts'
import { AppError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { prepareChange, recordChange } from '../ingest/confirm-text.ts'
import type { DocumentReport } from '../ingest/ingest-document.ts'
import { documentOf, documentState, versionById } from '../store/document-store.ts'
import { lockDocument, recordReview } from '../store/version-store.ts'

/** Who decided about a held version, and why. */
export type Review = { versionId: string; by: string; note: string; publicUrl?: string }

/**
 * A person finds a held text to be the provider's: it is recorded and told, as of now.
 * @throws AppError `not_found`, or `invalid_body` when the version waits for nobody.
 */
export async function approveVersion(sql: Sql, review: Review): Promise<DocumentReport> {
  const version = await versionById(sql, review.versionId)
  if (!version) throw new AppError('not_found', 'There is no such version of a document.')
  const document = (await documentOf(sql, version.source))!
  const state = await documentState(sql, version.source)
  if (state.open?.versionId !== version.versionId || state.open.status !== 'held') throw notHeld()
  const current = (await versionById(sql, state.current!.versionId))!
  const { url } = document
  const change = prepareChange(current, version, { options: document, url, publicUrl: review.publicUrl })
  return publishing(sql, async (tx, stamp) => {
    await lockDocument(tx, version.source)
    const now = await documentState(tx, version.source)
    if (now.open?.versionId !== version.versionId || now.current?.versionId !== current.versionId) throw notHeld()
    const report = await recordChange(tx, stamp, change)
    await recordReview(tx, version.versionId, { by: review.by, note: review.note }, stamp.at)
    return report
  })
}

/** A person finds a held text not to be the provider's: it is never told, and the same text is not held again. */
export async function rejectVersion(sql: Sql, review: Review): Promise<void> {
  const version = await versionById(sql, review.versionId)
  if (!version) throw new AppError('not_found', 'There is no such version of a document.')
  await publishing(sql, async (tx, stamp) => {
    await lockDocument(tx, version.source)
    const state = await documentState(tx, version.source)
    if (state.open?.versionId !== version.versionId || state.open.status !== 'held') throw notHeld()
    await recordReview(tx, version.versionId, { status: 'rejected', by: review.by, note: review.note }, stamp.at)
  })
}

const notHeld = () =>
  new AppError('invalid_body', 'This version does not wait for a review any more.', { field: 'versionId' })
