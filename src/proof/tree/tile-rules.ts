import { HASH_BYTES, joinHashes } from './hash-rules.ts'
import type { HashAt, Subtree } from './tree-rules.ts'

/** Levels of the tree that one tile stands for, and the hashes of its lowest level (C2SP tlog-tiles). */
const TILE_HEIGHT = 8
export const TILE_WIDTH = 2 ** TILE_HEIGHT

/** A tile: the `tile`-th of its level, with the hashes there are so far side by side. */
export type TileName = { level: number; tile: number }
export type Tile = TileName & { hashes: Buffer }

export const tileKey = ({ level, tile }: TileName): string => `${level}/${tile}`
export const widthOf = ({ hashes }: Pick<Tile, 'hashes'>): number => hashes.length / HASH_BYTES

/** Returns which tile a complete subtree is computed from, and which of its hashes. */
function placeOf({ level, index }: Subtree): TileName & { first: number; count: number } {
  const count = 2 ** (level % TILE_HEIGHT)
  const first = index * count
  return {
    level: Math.floor(level / TILE_HEIGHT),
    tile: Math.floor(first / TILE_WIDTH),
    first: first % TILE_WIDTH,
    count,
  }
}

/** Returns the tiles that these subtrees are computed from, each once. */
export function tilesOf(subtrees: Subtree[]): TileName[] {
  const names = subtrees
    .map(placeOf)
    .map(({ level, tile }): [string, TileName] => [tileKey({ level, tile }), { level, tile }])
  return [...new Map(names).values()]
}

/** A tile is not there, or does not have a hash that it should. */
export class MissingHash extends Error {
  override readonly name = 'MissingHash'
}

/** Returns a function that computes the hash of a subtree from tiles. @throws MissingHash */
export function hashesOf(tiles: Tile[]): HashAt {
  const known = new Map(tiles.map((tile) => [tileKey(tile), tile.hashes]))
  return (subtree) => {
    const place = placeOf(subtree)
    const hashes = known.get(tileKey(place))
    if (!hashes || (place.first + place.count) * HASH_BYTES > hashes.length)
      throw new MissingHash(
        `tile ${tileKey(place)} of the publication log has no hash ${place.first + place.count - 1}`,
      )
    return joinHashes(hashes.subarray(place.first * HASH_BYTES, (place.first + place.count) * HASH_BYTES))
  }
}

/** Returns the tiles at the right edge of a tree: those that new leaves go on with, one a level. */
export function edgeOf(size: number): TileName[] {
  const names: TileName[] = []
  for (let [level, count] = [0, size]; count > 0; level++, count = Math.floor(count / TILE_WIDTH))
    if (count % TILE_WIDTH > 0) names.push({ level, tile: Math.floor(count / TILE_WIDTH) })
  return names
}

/**
 * Returns the tiles that differ after leaves are added to a tree of `size`, as they are then.
 * @param edge the tiles of {@link edgeOf}
 */
export function grow(size: number, edge: Tile[], leaves: Buffer): Tile[] {
  const known = new Map(edge.map((tile) => [tile.level, tile.hashes]))
  const changed: Tile[] = []
  let [added, count] = [leaves, size]
  for (let level = 0; added.length > 0; level++, count = Math.floor(count / TILE_WIDTH)) {
    const before = count % TILE_WIDTH === 0 ? Buffer.alloc(0) : known.get(level)
    if (before?.length !== (count % TILE_WIDTH) * HASH_BYTES)
      throw new Error(`tile ${level}/${Math.floor(count / TILE_WIDTH)} of the publication log is not of its size`)
    const row = Buffer.concat([before, added])
    const completed: Buffer[] = []
    for (let from = 0; from < row.length; from += TILE_WIDTH * HASH_BYTES) {
      const hashes = row.subarray(from, from + TILE_WIDTH * HASH_BYTES)
      const tile = Math.floor(count / TILE_WIDTH) + from / (TILE_WIDTH * HASH_BYTES)
      changed.push({ level, tile, hashes })
      if (widthOf({ hashes }) === TILE_WIDTH) completed.push(joinHashes(hashes))
    }
    added = Buffer.concat(completed)
  }
  return changed
}

const NUMBER = /^(?:x\d{3}\/)*\d{3}(?:\.p\/(\d{1,3}))?$/

/**
 * Returns the number of a tile and the width that is asked for, of a path such as `x001/x234/067.p/8`; undefined for any
 * other text.
 */
export function readTilePath(path: string): { tile: number; width: number } | undefined {
  const found = NUMBER.exec(path)
  if (!found) return undefined
  const digits = path.replace(/\.p\/.*$/, '').replace(/[x/]/g, '')
  const tile = Number(digits)
  const width = found[1] === undefined ? TILE_WIDTH : Number(found[1])
  const isPartial = found[1] !== undefined && width >= 1 && width < TILE_WIDTH && String(width) === found[1]
  if (!Number.isSafeInteger(tile) || (found[1] !== undefined && !isPartial)) return undefined
  return tilePath(tile) === path.replace(/\.p\/.*$/, '') ? { tile, width } : undefined
}

/** Returns how the number of a tile is written in paths. */
export function tilePath(tile: number): string {
  const digits = String(tile)
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g)!
  return groups.map((group, n) => (n < groups.length - 1 ? `x${group}` : group)).join('/')
}
