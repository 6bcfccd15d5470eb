import { revisionOf } from '../../lib/revision.ts'
import type { HeldVersion } from '../store/document-store.ts'

/** Returns the revision of a held text: another one where the text is, or the one in force that it would replace. */
export const heldRevision = ({ versionId, textHash, currentVersion, currentHash }: HeldVersion): string =>
  revisionOf([versionId, textHash, currentVersion, currentHash])
