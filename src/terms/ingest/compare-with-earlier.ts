import { isOtherEdition, OTHER_SPELLING } from '../compare/review-reasons-rules.ts'
import { compareWithFormer, type DocumentTools } from '../read/read-document.ts'
import type { Comparison, DocumentReading } from '../read/reading.ts'
import type { DocumentState, KnownVersion } from '../schema.ts'
import { type Version, versionById } from '../store/document-store.ts'
import { formerVersions } from './earlier-texts-rules.ts'

/** An earlier text that a new one nearly is, and what it says otherwise. */
export type NearVersion = { known: KnownVersion; version: Version; comparison: Comparison }
type WithEarlier = { reading: DocumentReading; near?: NearVersion }

/**
 * Compares a text that differs from the one in force with those that were in force before. Where that fails, the text in
 * force decides alone.
 */
export async function compareWithEarlier(
  { sql, isolation }: DocumentTools,
  state: DocumentState,
  current: Version | undefined,
  reading: DocumentReading,
): Promise<WithEarlier> {
  const { comparison, learned, normalHash, markdown, leftOut } = reading
  if (!current || !comparison || comparison.classification === 'cosmetic') return { reading }
  if (isOtherEdition(comparison.reviewReasons)) return { reading }
  const all = formerVersions(state)
  const repeated = all.filter((version) => version.normalHash === normalHash)
  const earlier = repeated.length > 0 ? repeated : all
  if (earlier.length === 0) return { reading }
  const former = (await Promise.all(earlier.map(({ versionId }) => versionById(sql, versionId)))) as Version[]
  const before = { markdown: current.markdown, leftOut: learned?.currentLeftOut ?? current.leftOut }
  const found = await compareWithFormer(isolation, { before, after: { markdown, leftOut }, former: former.map(textOf) })
  if ('problem' in found) return { reading }
  if (found.inOtherSpelling) {
    const reviewReasons = [...comparison.reviewReasons, OTHER_SPELLING]
    return { reading: { ...reading, comparison: { ...comparison, reviewReasons } } }
  }
  if (found.superseded) {
    const silent: Comparison = { ...comparison, classification: 'cosmetic', reviewReasons: [] }
    return { reading: { ...reading, comparison: silent } }
  }
  if (!found.near || repeated.length > 0) return { reading }
  const { index, comparison: since } = found.near
  return { reading, near: { known: earlier[index]!, version: former[index]!, comparison: since } }
}

const textOf = ({ markdown, leftOut }: Version) => ({ markdown, leftOut })
