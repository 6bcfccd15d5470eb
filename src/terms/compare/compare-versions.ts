import { AppError } from '../../lib/errors.ts'
import type { Db } from '../../lib/sql.ts'
import type { Classification } from '../schema.ts'
import { type DocumentEntry, documentOf, type Version, versionById } from '../store/document-store.ts'
import { classify } from './classify-rules.ts'
import { differenceOf, type SideBySideRow, sideBySide } from './difference-rules.ts'

type Side = Omit<Version, 'markdown'>
export type VersionDifference = {
  document: Pick<DocumentEntry, 'doc' | 'title' | 'url'> & { provider: string }
  before: Side
  after: Side
  classification: Classification
  wordsRemoved: number
  wordsAdded: number
  rows: SideBySideRow[]
  truncated: boolean
}

/**
 * Two versions of one document side by side.
 * @throws AppError `not_found` when there is no such version or they are of two documents.
 */
export async function versionDifference(sql: Db, beforeId: string, afterId: string): Promise<VersionDifference> {
  const before = await versionById(sql, beforeId)
  const after = await versionById(sql, afterId)
  if (!before || !after || before.source !== after.source) {
    throw new AppError('not_found', 'There are no two such versions of one document.')
  }
  const document = (await documentOf(sql, after.source))!
  const { wordsRemoved, wordsAdded } = differenceOf(before.markdown, after.markdown)
  const side = ({ markdown: _, ...rest }: Version): Side => rest
  return {
    document: { doc: document.document, title: document.title, url: document.url, provider: document.provider },
    before: side(before),
    after: side(after),
    classification: classify(before.markdown, after.markdown),
    wordsRemoved,
    wordsAdded,
    ...sideBySide(before.markdown, after.markdown),
  }
}
