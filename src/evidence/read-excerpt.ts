import { snapshotFacts } from '../catalog/snapshots/snapshot-store.ts'
import { sourceFacts } from '../catalog/sources/source-facts-store.ts'
import { findPlace, type Tools } from './find-place.ts'

type ExcerptRequest = { source: string; price: string; snapshotHash?: string; locator?: string }

/** Returns what a snapshot says around a price as text; undefined where it cannot be shown. */
export async function readExcerpt(tools: Tools, { source, ...read }: ExcerptRequest): Promise<string | undefined> {
  const { snapshotHash } = read
  if (snapshotHash === undefined) return undefined
  const format = (await sourceFacts(tools.sql, [source])).get(source)!.format
  const facts = await snapshotFacts(tools.sql, [snapshotHash])
  const found = await findPlace(tools, { ...read, format }, facts.get(snapshotHash))
  return 'place' in found ? found.place.text : undefined
}
