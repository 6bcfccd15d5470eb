import type { Sql } from '../../lib/sql.ts'
import { storedRows } from '../../prices/store/row-store.ts'
import { loggedProviderChanges, rowChanges, rowsWithStatus } from '../changes-store.ts'
import { type LogState, logState } from '../log-store.ts'
import { servedRecords } from '../record-store.ts'
import { HASH_BYTES, joinHashes, leafHash } from '../tree/hash-rules.ts'
import { type Leaf, readLeaf, unbundle } from '../tree/leaf-rules.ts'
import { TILE_WIDTH, type Tile, widthOf } from '../tree/tile-rules.ts'
import { type Entries, entriesBetween, tilesFrom } from '../tree/tile-store.ts'
import {
  compareProviders,
  compareRow,
  compareStatuses,
  type Finding,
  inOrder,
  type PlacedLeaf,
} from './verify-rules.ts'
import { verifySigned } from './verify-signed.ts'

/** Tiles that are compared at once: four thousand rows. */
const TILES_AT_ONCE = 16
/** After this many findings no one needs more. */
const MOST_FINDINGS = 100

/** What was compared, and what does not fit: the first leaf first. */
export type Verification = { size: number; origin?: string; findings: Finding[] }

/**
 * Compares the database with its publication log: the rows and statuses with the leaves, the leaves with the tiles, the
 * tiles with each other and with the signed checkpoints.
 */
export async function verifyLog(sql: Sql): Promise<Verification> {
  const state = await logState(sql)
  const findings: Finding[] = await verifySigned(sql)
  const providers: PlacedLeaf[] = []
  const tiles = Math.ceil(state.size / TILE_WIDTH)
  let completed: Buffer[] = []
  for (let first = 0; first < tiles && findings.length < MOST_FINDINGS; first += TILES_AT_ONCE) {
    const last = Math.min(tiles, first + TILES_AT_ONCE) - 1
    const stored = await tilesFrom(sql, 0, first, TILES_AT_ONCE)
    // One more: where the next tile begins in the history, this part of it ends.
    const entries = await entriesBetween(sql, first, last + 1)
    const part = readPart(state, { first, last, stored, entries })
    findings.push(...part.findings)
    completed.push(...part.completed)
    providers.push(...part.leaves.filter(({ leaf }) => leaf.kind === 'provider'))
    const from = entries.find(({ tile }) => tile === first)
    const upTo = entries.find(({ tile }) => tile === last + 1)?.afterSeq ?? state.afterSeq
    if (from) findings.push(...(await compareRows(sql, part.leaves, { after: from.afterSeq, upTo })))
  }
  for (let level = 1; completed.length > 0 && findings.length < MOST_FINDINGS; level++) {
    const above = await compareLevel(sql, level, completed)
    findings.push(...above.findings)
    completed = above.completed
  }
  if (findings.length < MOST_FINDINGS)
    findings.push(...compareProviders(providers, await loggedProviderChanges(sql, state.afterAt)))
  return { size: state.size, origin: state.origin, findings: inOrder(findings).slice(0, MOST_FINDINGS) }
}

type Part = { first: number; last: number; stored: Tile[]; entries: Entries[] }

/** Reads the leaves of some tiles, and compares each with its hash. */
function readPart({ size }: LogState, { first, last, stored, entries }: Part) {
  const findings: Finding[] = []
  const leaves: PlacedLeaf[] = []
  const completed: Buffer[] = []
  for (let tile = first; tile <= last; tile++) {
    const hashes = stored.find((one) => one.tile === tile)?.hashes ?? Buffer.alloc(0)
    const texts = unbundle(entries.find((one) => one.tile === tile)?.entries ?? Buffer.alloc(0))
    const width = Math.min(TILE_WIDTH, size - tile * TILE_WIDTH)
    if (texts.length !== width || widthOf({ hashes }) !== width) {
      const message = `Tile ${tile} has ${texts.length} leaves and ${widthOf({ hashes })} hashes of ${width}: the log was cut.`
      findings.push({ leaf: tile * TILE_WIDTH + Math.min(texts.length, widthOf({ hashes })), what: 'log_cut', message })
    }
    for (const [n, text] of texts.entries()) {
      const index = tile * TILE_WIDTH + n
      const leaf: Leaf | undefined = readLeaf(text.toString())
      const fits = leafHash(text).equals(hashes.subarray(n * HASH_BYTES, (n + 1) * HASH_BYTES))
      if (!leaf || !fits)
        findings.push({ leaf: index, what: 'leaf_changed', message: `Leaf ${index} does not have its hash: ${text}` })
      if (leaf) leaves.push({ index, leaf })
    }
    if (hashes.length === TILE_WIDTH * HASH_BYTES) completed.push(joinHashes(hashes))
  }
  return { findings, leaves, completed }
}

async function compareRows(sql: Sql, leaves: PlacedLeaf[], { after, upTo }: { after: number; upTo: number }) {
  const logged = leaves.filter(({ leaf }) => leaf.kind === 'row')
  const hashOf = ({ leaf }: PlacedLeaf) => (leaf.kind === 'row' ? leaf.contentHash : '')
  const hashes = [...new Set(logged.map(hashOf))]
  const recorded = (await rowChanges(sql, after, upTo)).map(({ seq: _, ...leaf }) => leaf)
  const findings = compareStatuses(logged, recorded, await rowsWithStatus(sql, hashes))
  const named = new Set(findings.filter(({ what }) => what !== 'row_added').map(({ leaf }) => leaf))
  const rows = new Map((await storedRows(sql, hashes)).map((row) => [row.contentHash, row]))
  const served = await servedRecords(sql, hashes)
  for (const placed of logged) {
    const hash = hashOf(placed)
    const record = served.get(hash)
    // A row with several leaves is compared once.
    if (named.has(placed.index) || !record) continue
    served.delete(hash)
    findings.push(...compareRow(placed.index, hash, rows.get(hash), record))
  }
  return findings
}

/** Compares the tiles of a level with the hashes over those below. */
async function compareLevel(sql: Sql, level: number, wanted: Buffer[]) {
  const findings: Finding[] = []
  const completed: Buffer[] = []
  const stored = new Map((await tilesFrom(sql, level, 0, wanted.length)).map(({ tile, hashes }) => [tile, hashes]))
  for (let tile = 0; tile * TILE_WIDTH < wanted.length; tile++) {
    const hashes = Buffer.concat(wanted.slice(tile * TILE_WIDTH, (tile + 1) * TILE_WIDTH))
    if (!stored.get(tile)?.equals(hashes))
      findings.push({ what: 'tile_changed', message: `Tile ${tile} of level ${level} is not that of the tiles below.` })
    if (widthOf({ hashes }) === TILE_WIDTH) completed.push(joinHashes(hashes))
  }
  return { findings, completed }
}
