import { AppError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { logOrigins, logState } from '../log-store.ts'
import { HASH_BYTES } from './hash-rules.ts'
import { bundle, unbundle } from './leaf-rules.ts'
import { readTilePath, TILE_WIDTH } from './tile-rules.ts'
import { readEntries, readTiles } from './tile-store.ts'

type TileRequest = {
  /** The part of the path that a restored log has: empty, or `/` and eight digits. */
  path: string
  level: number | 'entries'
  /** The rest of the path: number and width. */
  name: string
}

/**
 * Returns a tile of hashes, or the leaves of one, as the log with this path has it. A log that ended in a restore has no
 * more than it had then.
 * @throws AppError not_found
 */
export async function readTile(sql: Sql, { path, level, name }: TileRequest): Promise<Buffer> {
  const asked = readTilePath(name)
  const size = asked && (await sizeOf(sql, path))
  if (!asked || size === undefined) throw noTile()
  const ofLeaves = level === 'entries' ? 0 : level
  const hashes = Math.floor(size / TILE_WIDTH ** ofLeaves) - asked.tile * TILE_WIDTH
  if (hashes < asked.width) throw noTile()
  if (level === 'entries') {
    const found = await readEntries(sql, asked.tile)
    if (!found) throw noTile()
    return asked.width === TILE_WIDTH ? found.entries : bundle(unbundle(found.entries, asked.width))
  }
  const [found] = await readTiles(sql, [{ level, tile: asked.tile }])
  if (!found) throw noTile()
  return found.hashes.subarray(0, asked.width * HASH_BYTES)
}

/** Returns the leaves of the log with a path; undefined where there is none. */
async function sizeOf(sql: Sql, path: string): Promise<number | undefined> {
  const last = (await logOrigins(sql)).findLast((origin) => origin.path === path)
  return last && (last.lastSize ?? (await logState(sql)).size)
}

const noTile = () =>
  new AppError(
    'not_found',
    'There is no such tile in this log. GET /v1/log/checkpoint says how many leaves it has, and /v1/log/keys under which path.',
  )
