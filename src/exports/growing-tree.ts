import { leafHash, nodeHash } from '../proof/tree/hash-rules.ts'
import { TILE_WIDTH } from '../proof/tree/tile-rules.ts'

/** Computes the root of a tree out of its leaves, one after the other, with one hash for each level in memory. */
export class GrowingTree {
  size = 0
  /** The roots of the complete subtrees from the left, each with its number of leaves. */
  private readonly edge: { leaves: number; hash: Buffer }[] = []

  append(leaf: string): void {
    this.add(leafHash(Buffer.from(leaf)), 1)
  }

  /** Appends a complete subtree. It is not larger than those before it. */
  add(hash: Buffer, leaves: number): void {
    this.size += leaves
    let node = { leaves, hash }
    for (let left = this.edge.at(-1); left?.leaves === node.leaves; left = this.edge.at(-1)) {
      this.edge.pop()
      node = { leaves: node.leaves * 2, hash: nodeHash(left.hash, node.hash) }
    }
    this.edge.push(node)
  }

  subtrees(): readonly { leaves: number; hash: Buffer }[] {
    return this.edge
  }

  root(): Buffer {
    const [last, ...before] = this.edge.toReversed()
    return before.reduce((right, { hash }) => nodeHash(hash, right), last!.hash)
  }
}

/** Compares the tiles of a file with those that its proof states, as they become complete. */
export class TileComparison {
  /** The first tile that differs. */
  different: number | undefined
  private tile = new GrowingTree()
  private count = 0

  private readonly stated: readonly string[]

  constructor(stated: readonly string[]) {
    this.stated = stated
  }

  append(leaf: string): void {
    this.tile.append(leaf)
    if (this.tile.size < TILE_WIDTH) return
    if (this.tile.root().toString('base64') !== this.stated[this.count]) this.different ??= this.count
    this.count++
    this.tile = new GrowingTree()
  }

  /** The root that the stated tiles and the leaves behind the last one lead to. */
  statedRoot(): Buffer | undefined {
    const tree = new GrowingTree()
    for (const hash of this.stated) tree.add(Buffer.from(hash, 'base64'), TILE_WIDTH)
    for (const { hash, leaves } of this.tile.subtrees()) tree.add(hash, leaves)
    return tree.size === 0 ? undefined : tree.root()
  }
}
