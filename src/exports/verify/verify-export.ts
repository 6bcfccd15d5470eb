import { TILE_WIDTH } from '../../proof/tree/tile-rules.ts'
import { isConsistent } from '../../proof/tree/tree-rules.ts'
import { GrowingTree, TileComparison } from '../growing-tree.ts'
import type { ExportedRow, ExportProof } from '../schema.ts'
import { type Difference, editedFacts, leafOf, misplaced, removed } from './verify-rules.ts'

/** What a file was found to be. Without a difference and with all providers, it is what the log holds, line by line. */
export type VerificationResult = { rows: number; isWhole: boolean; difference?: Difference }

/** The root of the signed checkpoint that a proof holds. */
type SignedCheckpoint = { size: number; root: Uint8Array }

/**
 * Verifies the lines of a file: every one has the facts that its contentHash is of, and in a file of all providers every
 * leaf of the log is there, once and in its place, up to the root that was signed. Names the first line that is not.
 */
export async function verifyExport(
  lines: AsyncIterable<ExportedRow[]>,
  proof: ExportProof,
  signed: SignedCheckpoint,
): Promise<VerificationResult> {
  const isWhole = proof.providers === undefined
  const others = new Map(proof.otherLeaves)
  const tree = new GrowingTree()
  const tiles = new TileComparison(proof.tiles)
  let [rows, next] = [0, 0]
  const append = (leaf: string) => {
    tree.append(leaf)
    tiles.append(leaf)
    next++
  }
  /** Appends the leaves that are not about rows, as far as they come next. */
  const appendOthers = () => {
    for (let other = others.get(next); other !== undefined; other = others.get(next)) append(other)
  }
  for await (const part of lines) {
    for (const row of part) {
      if (isWhole) appendOthers()
      const difference = misplaced(row, next, isWhole) ?? editedFacts(row)
      if (difference) return { rows, isWhole, difference }
      rows++
      if (isWhole) append(leafOf(row))
      else next = row.leafIndex + 1
    }
  }
  if (!isWhole) return { rows, isWhole }
  appendOthers()
  if (tree.size !== proof.size) return { rows, isWhole, difference: removed(next, 'at the end of the file') }
  if (leadsTo(signed, proof, tree.root())) return { rows, isWhole }
  return { rows, isWhole, difference: changedPart(signed, proof, tiles) }
}

const leadsTo = (signed: SignedCheckpoint, { size, consistency }: ExportProof, root: Buffer): boolean =>
  isConsistent(
    { size, root },
    { size: signed.size, root: Buffer.from(signed.root) },
    consistency.map((hash) => Buffer.from(hash, 'base64')),
  )

/** Every line fits its own hash, and together they are not what was signed: the hashes over each tile say where. */
function changedPart(signed: SignedCheckpoint, proof: ExportProof, tiles: TileComparison): Difference {
  const stated = tiles.statedRoot()
  if (tiles.different === undefined || !stated || !leadsTo(signed, proof, stated)) {
    const from = proof.tiles.length * TILE_WIDTH
    const message =
      tiles.different === undefined
        ? `Lines of the leaves from ${from} on, or the proof, are not what was signed.`
        : 'The lines are not what was signed, and neither are the hashes of the proof, which would say where.'
    return { fault: 'edited', message, leafIndex: tiles.different === undefined ? from : 0 }
  }
  const first = tiles.different * TILE_WIDTH
  const message = `Lines of the leaves ${first} to ${first + TILE_WIDTH - 1} were edited together with their hashes.`
  return { fault: 'edited', message, leafIndex: first }
}
