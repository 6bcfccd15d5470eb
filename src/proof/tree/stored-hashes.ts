import type { Db } from '../../lib/sql.ts'
import { hashesOf, tilesOf } from './tile-rules.ts'
import { readTiles } from './tile-store.ts'
import { completeSubtrees, type Range, rangeHash, rootHash } from './tree-rules.ts'

/** Computes the hashes of subtrees from the tiles. @throws MissingHash where the tiles do not have them */
async function rangeHashes(db: Db, ranges: Range[]): Promise<Buffer[]> {
  const hashAt = hashesOf(await readTiles(db, tilesOf(ranges.flatMap(completeSubtrees))))
  return ranges.map((range) => rangeHash(range, hashAt))
}

/** Returns the hashes of subtrees as proofs have them, in base64. @throws MissingHash */
export async function proofHashes(db: Db, ranges: Range[]): Promise<string[]> {
  return (await rangeHashes(db, ranges)).map((hash) => hash.toString('base64'))
}

/** Returns the root of the first `size` leaves. @throws MissingHash */
export async function storedRoot(db: Db, size: number): Promise<Buffer> {
  if (size === 0) return rootHash(0, hashesOf([]))
  return (await rangeHashes(db, [{ start: 0, end: size }]))[0]!
}
