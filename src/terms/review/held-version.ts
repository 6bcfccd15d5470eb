import { AppError } from '../../lib/errors.ts'
import type { Db } from '../../lib/sql.ts'
import { type Version, versionById } from '../store/document-store.ts'

/** Who decided about a held version, and why. */
export type VersionReview = { versionId: string; by: string; note: string }

export async function versionToReview(db: Db, versionId: string): Promise<Version> {
  const version = await versionById(db, versionId)
  if (version) return version
  throw new AppError('not_found', 'There is no such version of a document.')
}

export const notHeld = () =>
  new AppError('invalid_body', 'This version does not wait for a review any more.', { field: 'versionId' })
