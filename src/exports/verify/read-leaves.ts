import type { Instant } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { readLeaf, unbundle } from '../../proof/tree/leaf-rules.ts'
import { TILE_WIDTH } from '../../proof/tree/tile-rules.ts'
import { entriesBetween, readEntries } from '../../proof/tree/tile-store.ts'

/** Tiles whose leaves are in memory at once: some 5,000 leaves. */
const TILES_AT_ONCE = 20

export type StoredLeaf = { index: number; text: string }

/** Reads leaves in their order, from one up to another, in parts. */
export async function* readLeaves(sql: Sql, from: number, to: number): AsyncGenerator<StoredLeaf[]> {
  for (let first = tileOf(from); first * TILE_WIDTH < to; first += TILES_AT_ONCE) {
    const last = Math.min(first + TILES_AT_ONCE, tileOf(to - 1) + 1) - 1
    const tiles = await entriesBetween(sql, first, last)
    yield tiles.flatMap(({ tile, entries }) =>
      unbundle(entries)
        .map((bytes, n) => ({ index: tile * TILE_WIDTH + n, text: bytes.toString() }))
        .filter(({ index }) => index >= from && index < to),
    )
  }
}

/**
 * Returns how many of the first leaves are of an instant or before it, and the instant of the last of them; undefined where
 * none is. Leaves are in the order of publications; those that begin an origin have instants of their own.
 */
export async function leavesUntil(
  sql: Sql,
  until: Instant,
  size: number,
): Promise<{ size: number; at: Instant } | undefined> {
  let [from, to] = [0, tileOf(size - 1)]
  // The last tile that begins at that instant or before it. The newest may have nothing but the beginning of an origin.
  while (from < to) {
    const middle = Math.ceil((from + to) / 2)
    const first = (await instantsOf(sql, middle, size)).find((at) => at !== undefined)
    if (first !== undefined && first <= until) from = middle
    else to = middle - 1
  }
  const instants = await instantsOf(sql, from, size)
  const later = instants.findIndex((at) => at !== undefined && at > until)
  const counted = later === -1 ? instants : instants.slice(0, later)
  const at = counted.findLast((one) => one !== undefined)
  return at && { size: from * TILE_WIDTH + counted.length, at }
}

/** Returns the instants of the publications of a tile's leaves. */
async function instantsOf(sql: Sql, tile: number, size: number): Promise<(Instant | undefined)[]> {
  const found = await readEntries(sql, tile)
  const leaves = unbundle(found?.entries ?? Buffer.alloc(0), size - tile * TILE_WIDTH)
  return leaves.map((bytes) => {
    const leaf = readLeaf(bytes.toString())
    return leaf?.kind === 'origin' ? undefined : leaf?.at
  })
}

const tileOf = (index: number): number => Math.floor(index / TILE_WIDTH)
