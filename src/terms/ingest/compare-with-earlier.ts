import { compareWithFormer, type DocumentTools } from '../read/read-document.ts'
import type { Comparison, DocumentReading } from '../read/reading.ts'
import type { DocumentState, KnownVersion } from '../schema.ts'
import { type Version, versionById } from '../store/document-store.ts'
import { formerVersions } from './earlier-texts-rules.ts'

/** An earlier text that a new one nearly is, and what it says otherwise. */
export type NearVersion = { known: KnownVersion; version: Version; comparison: Comparison }

/**
 * Compares a text that differs from the one in force with those that were in force before, and returns the one that it
 * nearly is. Where that fails, or it is one of them, the text in force decides alone.
 */
export async function compareWithEarlier(
  { sql, isolation }: DocumentTools,
  { state, current, site }: { state: DocumentState; current?: Version; site: string[] },
  { comparison, normalHash, markdown }: DocumentReading,
): Promise<NearVersion | undefined> {
  if (!current || !comparison || comparison.classification === 'cosmetic') return undefined
  const earlier = formerVersions(state)
  if (earlier.length === 0 || earlier.some((version) => version.normalHash === normalHash)) return undefined
  const former = (await Promise.all(earlier.map(({ versionId }) => versionById(sql, versionId)))) as Version[]
  const found = await compareWithFormer(isolation, { before: current, after: { markdown }, former, site })
  if ('problem' in found || !found.near) return undefined
  const { index, comparison: since } = found.near
  return { known: earlier[index]!, version: former[index]!, comparison: since }
}
