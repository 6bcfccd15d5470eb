import { setImmediate } from 'node:timers/promises'
import { AppError } from '../lib/errors.ts'
import type { Sql } from '../lib/sql.ts'
import { moneyOf, rowFacts } from '../prices/row-rules.ts'
import { storedRows } from '../prices/store/row-store.ts'
import { HASH_BYTES, leafHash } from './hash-rules.ts'
import { leafText } from './leaf-rules.ts'
import { signedLog } from './newest-log.ts'
import type { PageProof } from './page-proof-schema.ts'
import { publishedRows } from './page-proof-store.ts'
import { rangesBeside } from './page-ranges-rules.ts'
import { rangeHashes } from './sign-checkpoint.ts'
import { TILE_WIDTH } from './tile-rules.ts'
import { readTiles } from './tile-store.ts'

/** Tiles, and hashes computed from them, between which other requests have their turn: a few milliseconds. */
const TILES_AT_ONCE = 250
const RANGES_AT_ONCE = 500

/**
 * Returns one proof that all these rows were published, of the newest leaf that says so of each, in the tree of the newest
 * checkpoint.
 * @throws AppError row_not_logged, which names the first row that has no leaf in it
 */
export async function readPageProof(sql: Sql, contentHashes: string[]): Promise<PageProof> {
  const checkpoint = await signedLog(sql)
  const published = await placed(sql, contentHashes)
  const facts = new Map(
    (await storedRows(sql, contentHashes)).map((row) => [
      row.contentHash,
      rowFacts(row.source, row, moneyOf(row), row.recordedAt),
    ]),
  )
  const rows = contentHashes.map((contentHash) => {
    const { index, leaf } = published.get(contentHash) ?? {}
    const row = facts.get(contentHash)
    if (index === undefined || leaf === undefined || row === undefined || index >= checkpoint.size)
      throw notLogged(contentHash)
    return { leafIndex: index, leaf, row }
  })
  const indexes = rows.map(({ leafIndex }) => leafIndex).sort((a, b) => a - b)
  const ranges = rangesBeside(indexes, checkpoint.size)
  const hashes: string[] = []
  for (let from = 0; from < ranges.length; from += RANGES_AT_ONCE) {
    const part = await rangeHashes(sql, ranges.slice(from, from + RANGES_AT_ONCE))
    hashes.push(...part.map((hash) => hash.toString('base64')))
    await setImmediate()
  }
  return { rows, hashes, checkpoint: checkpoint.note }
}

/** Returns the leaf of each row, and where it is: the tile of its status holds its hash. */
async function placed(sql: Sql, contentHashes: string[]): Promise<Map<string, { index: number; leaf: string }>> {
  const published = await publishedRows(sql, contentHashes)
  const tiles = [...new Set(published.flatMap(({ tile }) => tile ?? []))]
  const found = new Map<string, { index: number; leaf: string }>()
  for (let from = 0; from < tiles.length; from += TILES_AT_ONCE) {
    const names = tiles.slice(from, from + TILES_AT_ONCE).map((tile) => ({ level: 0, tile }))
    const hashesOf = new Map((await readTiles(sql, names)).map(({ tile, hashes }) => [tile, hashes]))
    for (const { tile, contentHash, at, status } of published) {
      const hashes = tile === null ? undefined : hashesOf.get(tile)
      if (!hashes) continue
      const leaf = leafText({ kind: 'row', at, contentHash, status })
      const place = placeOf(hashes, leafHash(Buffer.from(leaf)))
      if (place !== undefined) found.set(contentHash, { index: tile! * TILE_WIDTH + place, leaf })
    }
    await setImmediate()
  }
  return found
}

function placeOf(hashes: Buffer, hash: Buffer): number | undefined {
  for (let at = hashes.indexOf(hash); at !== -1; at = hashes.indexOf(hash, at + 1))
    if (at % HASH_BYTES === 0) return at / HASH_BYTES
  return undefined
}

const notLogged = (contentHash: string): AppError =>
  new AppError(
    'row_not_logged',
    `Row ${contentHash} is in no signed part of the log: GET /v1/log/proof?contentHash=${contentHash} says why.`,
    { field: 'contentHashes' },
  )
