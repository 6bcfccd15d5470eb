import type { Sql } from '../../lib/sql.ts'
import { HASH_BYTES } from '../../proof/tree/hash-rules.ts'
import { TILE_WIDTH } from '../../proof/tree/tile-rules.ts'
import { readTiles } from '../../proof/tree/tile-store.ts'

/** Reads the hashes over each complete tile of leaves: the tiles of the next level hold them side by side. */
export async function readTileHashes(sql: Sql, size: number): Promise<string[]> {
  const complete = Math.floor(size / TILE_WIDTH)
  const names = Array.from({ length: Math.ceil(complete / TILE_WIDTH) }, (_, tile) => ({ level: 1, tile }))
  const tiles = await readTiles(sql, names)
  tiles.sort((a, b) => a.tile - b.tile)
  const hashes = Buffer.concat(tiles.map((tile) => tile.hashes))
  return Array.from({ length: complete }, (_, n) =>
    hashes.subarray(n * HASH_BYTES, (n + 1) * HASH_BYTES).toString('base64'),
  )
}
