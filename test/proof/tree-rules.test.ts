import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyHash, HASH_BYTES, joinHashes, leafHash, nodeHash } from '../../src/proof/tree/hash-rules.ts'
import {
  edgeOf,
  grow,
  hashesOf,
  readTilePath,
  type Tile,
  tileKey,
  tilePath,
  tilesOf,
  widthOf,
} from '../../src/proof/tree/tile-rules.ts'
import {
  completeSubtrees,
  consistencyRanges,
  type HashAt,
  inclusionRanges,
  isConsistent,
  rangeHash,
  rootHash,
  rootOfInclusion,
} from '../../src/proof/tree/tree-rules.ts'

/** The leaves and roots that implementations of RFC 6962 are tested with. */
const LEAVES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f']
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]

const leaves = (count: number) => Array.from({ length: count }, (_, n) => leafHash(Buffer.from(`leaf ${n}`)))

/** The hash of a tree as RFC 6962 defines it. */
function defined(hashes: Buffer[]): Buffer {
  if (hashes.length === 0) return emptyHash()
  if (hashes.length === 1) return hashes[0]!
  const half = 2 ** Math.ceil(Math.log2(hashes.length) - 1)
  return nodeHash(defined(hashes.slice(0, half)), defined(hashes.slice(half)))
}
const plain =
  (hashes: Buffer[]): HashAt =>
  ({ level, index }) =>
    defined(hashes.slice(index * 2 ** level, (index + 1) * 2 ** level))

/** A tree that grew in these steps, by tiles. */
function grown(all: Buffer[], steps: number[]): Map<string, Tile> {
  const tiles = new Map<string, Tile>()
  let size = 0
  for (const end of [...steps, all.length]) {
    if (end <= size || end > all.length) continue
    const edge = edgeOf(size).map((name) => tiles.get(tileKey(name))!)
    for (const tile of grow(size, edge, Buffer.concat(all.slice(size, end)))) tiles.set(tileKey(tile), tile)
    size = end
  }
  return tiles
}

describe('the tree', () => {
  it('has the roots that RFC 6962 has', () => {
    const hashes = LEAVES.map((text) => leafHash(Buffer.from(text, 'hex')))
    expect(ROOTS.map((_, n) => rootHash(n + 1, plain(hashes)).toString('hex'))).toEqual(ROOTS)
    expect(rootHash(0, plain([])).toString('hex')).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    )
  })

  it('has the inclusion proofs and consistency proofs of RFC 6962’s example', () => {
    // Section 2.1.3, with seven leaves.
    expect(inclusionRanges(0, 7)).toEqual([
      { start: 1, end: 2 },
      { start: 2, end: 4 },
      { start: 4, end: 7 },
    ])
    expect(inclusionRanges(6, 7)).toEqual([
      { start: 4, end: 6 },
      { start: 0, end: 4 },
    ])
    expect(consistencyRanges(3, 7)).toEqual([
      { start: 2, end: 3 },
      { start: 3, end: 4 },
      { start: 0, end: 2 },
      { start: 4, end: 7 },
    ])
    expect(consistencyRanges(4, 7)).toEqual([{ start: 4, end: 7 }])
    expect(consistencyRanges(6, 7)).toEqual([
      { start: 4, end: 6 },
      { start: 6, end: 7 },
      { start: 0, end: 4 },
    ])
  })

  it('has no proof of a leaf or a tree that it does not have', () => {
    expect(() => inclusionRanges(7, 7)).toThrow('there is no leaf 7 of 7')
    expect(() => inclusionRanges(-1, 7)).toThrow(RangeError)
    expect(() => consistencyRanges(8, 7)).toThrow('a tree of 7 leaves does not begin with 8')
    expect(() => consistencyRanges(-1, 7)).toThrow(RangeError)
    expect(consistencyRanges(0, 7)).toEqual([])
    expect(consistencyRanges(7, 7)).toEqual([])
  })

  it('splits subtrees into complete ones', () => {
    expect(completeSubtrees({ start: 0, end: 7 })).toEqual([
      { level: 2, index: 0 },
      { level: 1, index: 2 },
      { level: 0, index: 6 },
    ])
    expect(completeSubtrees({ start: 6, end: 8 })).toEqual([{ level: 1, index: 3 }])
  })

  it('grows to the tree that the definition says, in any steps, and its proofs hold and no others', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(sizes, fc.nat(), fc.nat(), fc.nat(), (steps, pick, flip, beside) => {
        const size = Math.max(...steps)
        const all = leaves(size)
        const hashAt = hashesOf([
          ...grown(
            all,
            [...steps].sort((a, b) => a - b),
          ).values(),
        ])
        const root = rootHash(size, hashAt)
        expect(root).toEqual(defined(all))
        const index = pick % size
        const proof = inclusionRanges(index, size).map((range) => rangeHash(range, hashAt))
        expect(rootOfInclusion({ index, size }, all[index]!, proof)).toEqual(root)
        expect(rootOfInclusion({ index, size }, all[index]!, [...proof, root])).toBeUndefined()
        const other = (index + 1 + (beside % Math.max(1, size - 1))) % size
        if (other !== index) expect(rootOfInclusion({ index, size }, all[other]!, proof)).not.toEqual(root)
        const from = flip % (size + 1)
        const earlier = { size: from, root: rootHash(from, hashAt) }
        const shown = consistencyRanges(from, size).map((range) => rangeHash(range, hashAt))
        expect(isConsistent(earlier, { size, root }, shown)).toBe(true)
        if (from === 0) return
        const forged = { size: from, root: leafHash(earlier.root) }
        expect(isConsistent(forged, { size, root }, shown)).toBe(false)
        expect(isConsistent(earlier, { size, root: leafHash(root) }, shown)).toBe(false)
        expect(isConsistent(earlier, { size, root }, [...shown, root])).toBe(false)
        for (const n of shown.keys())
          expect(isConsistent(earlier, { size, root }, shown.with(n, leafHash(shown[n]!)))).toBe(false)
      }),
      { numRuns: 60 },
    )
  })

  it('is not consistent with a larger one in its place', () => {
    const [a, b] = leaves(2)
    expect(isConsistent({ size: 2, root: a! }, { size: 1, root: b! }, [])).toBe(false)
    expect(isConsistent({ size: 1, root: a! }, { size: 1, root: b! }, [])).toBe(false)
  })
})

describe('tiles', () => {
  it('hold 256 hashes, and levels follow from those below', () => {
    const all = leaves(256 * 256 + 3)
    const tiles = grown(all, [100, 300, 65_536])
    expect([...tiles.values()].filter(({ level }) => level > 0).map((tile) => [tileKey(tile), widthOf(tile)])).toEqual([
      ['1/0', 256],
      ['2/0', 1],
    ])
    expect(widthOf(tiles.get('0/256')!)).toBe(3)
    expect(tiles.get('1/0')!.hashes.subarray(0, HASH_BYTES)).toEqual(joinHashes(tiles.get('0/0')!.hashes))
    expect(edgeOf(256 * 256 + 3)).toEqual([
      { level: 0, tile: 256 },
      { level: 2, tile: 0 },
    ])
    expect(edgeOf(256)).toEqual([{ level: 1, tile: 0 }])
    expect(edgeOf(0)).toEqual([])
  })

  it('are read once each, and a missing or short one is named', () => {
    expect(
      tilesOf([
        { level: 0, index: 5 },
        { level: 3, index: 2 },
        { level: 9, index: 1 },
      ]),
    ).toEqual([
      { level: 0, tile: 0 },
      { level: 1, tile: 0 },
    ])
    const short = hashesOf([{ level: 0, tile: 0, hashes: Buffer.alloc(3 * HASH_BYTES) }])
    expect(short({ level: 0, index: 2 })).toHaveLength(HASH_BYTES)
    expect(() => short({ level: 0, index: 3 })).toThrow('tile 0/0 of the publication log has no hash 3')
    expect(() => short({ level: 8, index: 0 })).toThrow('tile 1/0')
  })

  it('do not go on with another edge than the tree has', () => {
    const leaf = leaves(1)[0]!
    expect(() => grow(5, [], leaf)).toThrow('tile 0/0 of the publication log is not of its size')
    expect(() => grow(257, [{ level: 0, tile: 1, hashes: Buffer.alloc(64) }], leaf)).toThrow('tile 0/1')
  })

  it('have the paths of tlog-tiles, each one spelling', () => {
    expect([0, 67, 999, 1_000, 1_234_067].map(tilePath)).toEqual(['000', '067', '999', 'x001/000', 'x001/x234/067'])
    expect(readTilePath('x001/x234/067')).toEqual({ tile: 1_234_067, width: 256 })
    expect(readTilePath('000.p/1')).toEqual({ tile: 0, width: 1 })
    expect(readTilePath('x001/000.p/255')).toEqual({ tile: 1_000, width: 255 })
    for (const wrong of [
      '',
      '0',
      '00',
      '0000',
      'x000/001',
      '001/000',
      'x001',
      '000.p/0',
      '000.p/256',
      '000.p/01',
      '000.p/',
      '000.p/-1',
      '000/',
      '../000',
      'x001/x001/x001/x001/x001/x001/000',
    ])
      expect([wrong, readTilePath(wrong)]).toEqual([wrong, undefined])
    fc.assert(
      fc.property(fc.nat(2 ** 40), (tile) => {
        expect(readTilePath(tilePath(tile))).toEqual({ tile, width: 256 })
      }),
    )
  })
})
