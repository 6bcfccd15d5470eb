import { groupBy } from '../../lib/collections.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { readLeaf } from '../../proof/tree/leaf-rules.ts'
import { listedNamesAt, periodsOf } from '../export-store.ts'
import { exportedRow, type PlacedLeaf } from '../line-rules.ts'
import type { ExportedRow } from '../schema.ts'
import { readLeaves, type StoredLeaf } from './read-leaves.ts'

/** Lines that are in memory at once, and in a row group of Parquet, are this many or a quarter more. */
const PART_ROWS = 20_000

type ReadLinesOptions = {
  asOf: Instant
  providers?: string[]
  size: number
}

/** A leaf that is not about a row: its index and text. */
type OtherLeaf = [number, string]

/** Reads the line of each of the first leaves about a row, in their order. */
export async function* readLines(sql: Sql, { asOf, providers, size }: ReadLinesOptions): AsyncGenerator<ExportedRow[]> {
  const names = { asOf, listedNames: await listedNamesAt(sql, asOf) }
  let part: ExportedRow[] = []
  for await (const stored of readLeaves(sql, 0, size)) {
    const leaves = stored.flatMap(rowLeaf)
    const hashes = [...new Set(leaves.map(({ contentHash }) => contentHash))]
    const periods = groupBy(await periodsOf(sql, hashes, providers), ({ contentHash }) => contentHash)
    for (const leaf of leaves) {
      const found = periods.get(leaf.contentHash)
      if (found) part.push(exportedRow(leaf, found, names))
      else if (!providers) throw new Error(`the publication log names a row that is not there: ${leaf.contentHash}`)
    }
    if (part.length < PART_ROWS) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}

function rowLeaf({ index, text }: StoredLeaf): PlacedLeaf[] {
  const leaf = readLeaf(text)
  return leaf?.kind === 'row' ? [{ ...leaf, leafIndex: index }] : []
}

/** Reads those of the first leaves that are not about a row. */
export async function readOtherLeaves(sql: Sql, size: number): Promise<OtherLeaf[]> {
  const found: OtherLeaf[] = []
  for await (const stored of readLeaves(sql, 0, size))
    for (const { index, text } of stored) if (readLeaf(text)?.kind !== 'row') found.push([index, text])
  return found
}
