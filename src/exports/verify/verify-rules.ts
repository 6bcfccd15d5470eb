import { contentHash } from '../../prices/row-rules.ts'
import { leafText } from '../../proof/tree/leaf-rules.ts'
import type { ExportedRow } from '../schema.ts'

/** Why a file is not what the log holds. */
export type Difference = {
  fault: 'edited' | 'removed' | 'added'
  message: string
  leafIndex: number
  contentHash?: string
}

/** Returns the text of the leaf that a line is of. */
export const leafOf = ({ statusAt, contentHash, approvalStatus }: ExportedRow): string =>
  leafText({ kind: 'row', at: statusAt, contentHash, status: approvalStatus })

/** Returns whether a line still has the facts that its contentHash is of. */
export function editedFacts(row: ExportedRow): Difference | undefined {
  const computed = contentHash(row.source, row, row, row.recordedAt)
  if (computed === row.contentHash) return undefined
  return {
    fault: 'edited',
    message: `Row ${row.contentHash} (${nameOf(row)}, leaf ${row.leafIndex}) was edited: its fields have the hash ${computed}.`,
    leafIndex: row.leafIndex,
    contentHash: row.contentHash,
  }
}

const nameOf = ({ provider, resource, dimension, price }: ExportedRow): string =>
  `${provider} ${resource} ${dimension} ${price}`

/** Judges the place of a line: `expected` is the leaf that comes next. A part of the history may leave out leaves. */
export function misplaced(row: ExportedRow, expected: number, isWhole: boolean): Difference | undefined {
  const { leafIndex, contentHash } = row
  if (leafIndex < expected) {
    const message = `Row ${contentHash} (${nameOf(row)}) was added: its leaf ${leafIndex} comes before leaf ${expected}.`
    return { fault: 'added', message, leafIndex, contentHash }
  }
  return isWhole && leafIndex > expected ? removed(expected, `before row ${contentHash} (${nameOf(row)})`) : undefined
}

/** Says that the line of a leaf is not there. */
export const removed = (leafIndex: number, where: string): Difference => ({
  fault: 'removed',
  message: `The row of leaf ${leafIndex} was removed: it is missing ${where}.`,
  leafIndex,
})
