import { beforeAll, describe, expect, it } from 'vitest'
import { GrowingTree, TileComparison } from '../../src/exports/growing-tree.ts'
import { leavesUntil, readLeaves } from '../../src/exports/verify/read-leaves.ts'
import { sha256 } from '../../src/lib/hash.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { nodeHash } from '../../src/proof/tree/hash-rules.ts'
import { bundle, leafText } from '../../src/proof/tree/leaf-rules.ts'
import { writeEntries } from '../../src/proof/tree/tile-store.ts'
import { testDatabase } from '../support/database.ts'
import { treeHash } from '../support/definitions/log-by-definition.ts'

/** Leaves of a tile, and of 22 tiles with a part of another. */
const TILE = 256
const COUNT = 22 * TILE + 40
/** Leaves that begin an origin: their instants say nothing of those beside them. */
const ORIGINS = new Set([0, 3, 2 * TILE, 700, 22 * TILE])

describe('the leaves of the log, in tiles', () => {
  const db = testDatabase()
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1_000).toISOString() as Instant
  /** Seven leaves of a publication, one publication a second. */
  const leaves = Array.from({ length: COUNT }, (_, i) =>
    ORIGINS.has(i)
      ? { text: leafText({ kind: 'origin', at: at(i % 2 === 0 ? 1e6 : -1e6), origin: 'o', reason: 'renamed' }) }
      : {
          at: at(Math.floor(i / 7)),
          text: leafText({ kind: 'row', at: at(Math.floor(i / 7)), contentHash: sha256(`${i}`), status: 'approved' }),
        },
  )
  beforeAll(() =>
    db.sql.begin((tx) =>
      writeEntries(
        tx,
        Array.from({ length: Math.ceil(COUNT / TILE) }, (_, tile) => ({
          ...{ tile, afterSeq: 0 },
          entries: bundle(leaves.slice(tile * TILE, (tile + 1) * TILE).map(({ text }) => Buffer.from(text))),
        })),
      ),
    ),
  )

  it.each([
    [0, COUNT, [20 * TILE, 2 * TILE + 40]],
    [0, 1, [1]],
    [0, TILE, [TILE]],
    [TILE - 1, TILE + 1, [2]],
    [TILE, 2 * TILE, [TILE]],
    [300, 300, [0]],
    [100, 21 * TILE + 1, [20 * TILE - 100, TILE + 1]],
    [20 * TILE - 1, 20 * TILE, [1]],
  ])('are read from %i to %i in parts of 20 tiles', async (from, to, parts) => {
    const read: { index: number; text: string }[][] = []
    for await (const part of readLeaves(db.sql, from, to)) read.push(part)
    expect(read.map(({ length }) => length)).toEqual(parts)
    const expected = leaves.slice(from, to).map(({ text }, n) => ({ index: from + n, text }))
    expect(read.flat()).toEqual(expected)
  })

  it('are counted up to an instant: all that are not later, whatever their tile', async () => {
    const seconds = [-1, 0, 36, 37, 73, 100, 366, 804, 10_000]
    for (const size of [1, 8, TILE + 1, 2 * TILE + 1, 701, 22 * TILE + 1, COUNT])
      for (const until of seconds.map(at)) {
        const found = await leavesUntil(db.sql, until, size)
        const instants = leaves.slice(0, size).map((leaf) => leaf.at)
        const earlier = instants.filter((one) => one !== undefined && one <= until)
        expect([size, until, found?.at]).toEqual([size, until, earlier.at(-1)])
        if (!found) continue
        expect(instants.slice(0, found.size).filter((one) => one !== undefined)).toEqual(earlier)
        const next = instants.slice(found.size).find((one) => one !== undefined) ?? '9999'
        expect(next > until).toBe(true)
      }
  })
})

describe('a tree that grows', () => {
  const leavesOf = (count: number, from = 0) => Array.from({ length: count }, (_, i) => `leaf ${from + i}`)
  const grown = (leaves: string[]) => {
    const tree = new GrowingTree()
    for (const leaf of leaves) tree.append(leaf)
    return tree
  }

  it('has the root of its leaves, and complete parts from the left', () => {
    for (let count = 1; count <= 40; count++) {
      const tree = grown(leavesOf(count))
      expect([count, tree.root().toString('hex')]).toEqual([count, treeHash(leavesOf(count)).toString('hex')])
      expect(tree.size).toBe(count)
    }
    expect(
      grown(leavesOf(13))
        .subtrees()
        .map(({ leaves }) => leaves),
    ).toEqual([8, 4, 1])
    const joined = new GrowingTree()
    for (const from of [0, 4]) joined.add(grown(leavesOf(4, from)).root(), 4)
    expect(joined.root()).toEqual(nodeHash(grown(leavesOf(4)).root(), grown(leavesOf(4, 4)).root()))
    expect(joined.root()).toEqual(grown(leavesOf(8)).root())
  })

  it('is compared with what is stated of its tiles: the first that differs is named', () => {
    const hashes = [0, 1, 2].map((tile) =>
      grown(leavesOf(TILE, tile * TILE))
        .root()
        .toString('base64'),
    )
    const compared = (stated: string[], count: number) => {
      const tiles = new TileComparison(stated)
      for (const leaf of leavesOf(count)) tiles.append(leaf)
      return { different: tiles.different, root: tiles.statedRoot()?.toString('hex') }
    }
    const root = (count: number) => treeHash(leavesOf(count)).toString('hex')
    expect(compared(hashes, 3 * TILE + 5)).toEqual({ different: undefined, root: root(3 * TILE + 5) })
    expect(compared(hashes.slice(0, 2), 2 * TILE)).toEqual({ different: undefined, root: root(2 * TILE) })
    expect(compared([hashes[0]!, hashes[2]!, hashes[1]!], 3 * TILE).different).toBe(1)
    expect(compared([hashes[1]!, hashes[0]!, hashes[2]!], 3 * TILE).different).toBe(0)
    expect(compared([], TILE - 1)).toEqual({ different: undefined, root: root(TILE - 1) })
    expect(compared([], 0)).toEqual({ different: undefined, root: undefined })
  })
})
