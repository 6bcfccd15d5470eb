import { AppError } from '../../lib/errors.ts'
import { requireShown } from '../../lib/revision.ts'
import type { Db } from '../../lib/sql.ts'
import { heldVersions, type Version, versionById } from '../store/document-store.ts'
import { heldRevision } from './revision-rules.ts'

/** Who decided about a held version, why, and which revision of it was shown to them. */
export type VersionReview = { versionId: string; by: string; note: string; revision?: string }

export async function versionToReview(db: Db, versionId: string): Promise<Version> {
  const version = await versionById(db, versionId)
  if (version) return version
  throw new AppError('not_found', 'There is no such version of a document.')
}

export const notHeld = () =>
  new AppError('invalid_body', 'This version does not wait for a review any more.', { field: 'versionId' })

/** @throws AppError review_changed when the text is not the one that was shown */
export async function requireSeen(db: Db, { versionId, revision }: VersionReview): Promise<void> {
  const [held] = await heldVersions(db, 1, { id: versionId })
  if (held) requireShown(revision, heldRevision(held))
}
