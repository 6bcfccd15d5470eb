import { setImmediate } from 'node:timers/promises'
import type { Sql } from '../../lib/sql.ts'
import { publishedRows } from '../published-store.ts'
import { HASH_BYTES, leafHash } from './hash-rules.ts'
import { leafText } from './leaf-rules.ts'
import { TILE_WIDTH } from './tile-rules.ts'
import { readTiles } from './tile-store.ts'

/** Tiles that are looked through between two turns of other requests: a few milliseconds. */
const TILES_AT_ONCE = 250

/** The newest leaf that says that a row was published, the number of its status, and where it is, if the log has it. */
export type PlacedRow = { seq: number; leaf: string; index?: number }

/** Returns it for each of these rows that was ever published: the tile of its status holds the hash of its leaf. */
export async function placeRows(sql: Sql, contentHashes: string[]): Promise<Map<string, PlacedRow>> {
  const published = await publishedRows(sql, contentHashes)
  const tiles = [...new Set(published.flatMap(({ tile }) => tile ?? []))]
  const hashesOf = new Map<number, Buffer>()
  for (let from = 0; from < tiles.length; from += TILES_AT_ONCE) {
    const names = tiles.slice(from, from + TILES_AT_ONCE).map((tile) => ({ level: 0, tile }))
    for (const { tile, hashes } of await readTiles(sql, names)) hashesOf.set(tile, hashes)
    await setImmediate()
  }
  return new Map(
    published.map(({ contentHash, seq, at, status, tile }) => {
      const leaf = leafText({ kind: 'row', at, contentHash, status })
      const hashes = tile === undefined ? undefined : hashesOf.get(tile)
      const place = hashes && placeOf(hashes, leafHash(Buffer.from(leaf)))
      return [contentHash, { seq, leaf, index: place === undefined ? undefined : tile! * TILE_WIDTH + place }]
    }),
  )
}

function placeOf(hashes: Buffer, hash: Buffer): number | undefined {
  for (let at = hashes.indexOf(hash); at !== -1; at = hashes.indexOf(hash, at + 1))
    if (at % HASH_BYTES === 0) return at / HASH_BYTES
  return undefined
}
