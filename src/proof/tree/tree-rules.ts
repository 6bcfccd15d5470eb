import { emptyHash, nodeHash } from './hash-rules.ts'

/** The leaves from `start` up to `end`, that one left out: a subtree. */
export type Range = { start: number; end: number }

/** A complete subtree: 2^level leaves, the `index`-th of its level. */
export type Subtree = { level: number; index: number }

/** Returns the hash of a complete subtree. */
export type HashAt = (subtree: Subtree) => Buffer

/** Returns the largest power of two below a size of at least two: where the tree divides. */
export function split(size: number): number {
  let half = 1
  while (half * 2 < size) half *= 2
  return half
}

/**
 * Returns the subtrees beside the way from a leaf to the root, from the leaf on: their hashes are its inclusion proof
 * (RFC 6962, section 2.1.1).
 */
export function inclusionRanges(index: number, size: number): Range[] {
  if (!(index >= 0 && index < size)) throw new RangeError(`there is no leaf ${index} of ${size}`)
  const ranges: Range[] = []
  let [start, end] = [0, size]
  while (end - start > 1) {
    const middle = start + split(end - start)
    if (index < middle) {
      ranges.push({ start: middle, end })
      end = middle
    } else {
      ranges.push({ start, end: middle })
      start = middle
    }
  }
  return ranges.reverse()
}

/** Returns the subtrees whose hashes are the proof that the tree of `from` leaves begins that of `to` (section 2.1.2). */
export function consistencyRanges(from: number, to: number): Range[] {
  if (!(from >= 0 && from <= to)) throw new RangeError(`a tree of ${to} leaves does not begin with ${from}`)
  if (from === 0 || from === to) return []
  const ranges: Range[] = []
  let [start, end] = [0, to]
  while (end > from) {
    const middle = start + split(end - start)
    if (from <= middle) {
      ranges.push({ start: middle, end })
      end = middle
    } else {
      ranges.push({ start, end: middle })
      start = middle
    }
  }
  // The subtree that both trees end with; the earlier root is known to whoever asks.
  if (start > 0) ranges.push({ start, end })
  return ranges.reverse()
}

/** Returns the complete subtrees that a subtree consists of, from the left. */
export function completeSubtrees({ start, end }: Range): Subtree[] {
  const subtrees: Subtree[] = []
  let at = start
  while (at < end) {
    let [level, leaves] = [0, 1]
    while (at % (leaves * 2) === 0 && at + leaves * 2 <= end) {
      level++
      leaves *= 2
    }
    subtrees.push({ level, index: at / leaves })
    at += leaves
  }
  return subtrees
}

/** Returns the hash of a subtree that begins where one of a proof can. */
export function rangeHash(range: Range, hashAt: HashAt): Buffer {
  return completeSubtrees(range)
    .map(hashAt)
    .reduceRight((right, left) => nodeHash(left, right))
}

/** Returns the root of a tree. */
export const rootHash = (size: number, hashAt: HashAt): Buffer =>
  size === 0 ? emptyHash() : rangeHash({ start: 0, end: size }, hashAt)

/** Returns the root that an inclusion proof leads to; undefined where it has the wrong length. */
export function rootOfInclusion(
  { index, size }: { index: number; size: number },
  leaf: Buffer,
  proof: Buffer[],
): Buffer | undefined {
  const ranges = inclusionRanges(index, size)
  if (ranges.length !== proof.length) return undefined
  return ranges.reduce<Buffer>(
    (hash, { start }, n) => (start > index ? nodeHash(hash, proof[n]!) : nodeHash(proof[n]!, hash)),
    leaf,
  )
}

/** Returns whether a proof shows that a tree begins another (RFC 9162, section 2.1.4.2). */
export function isConsistent(
  earlier: { size: number; root: Buffer },
  later: { size: number; root: Buffer },
  proof: Buffer[],
): boolean {
  if (earlier.size > later.size) return false
  const ranges = consistencyRanges(earlier.size, later.size)
  if (ranges.length !== proof.length) return false
  if (earlier.size === later.size) return earlier.root.equals(later.root)
  if (earlier.size === 0) return true
  const shared = ranges[0]!.end === earlier.size
  let [before, after] = shared ? [proof[0]!, proof[0]!] : [earlier.root, earlier.root]
  for (let n = shared ? 1 : 0; n < proof.length; n++) {
    const beside = proof[n]!
    if (ranges[n]!.end <= earlier.size) {
      before = nodeHash(beside, before)
      after = nodeHash(beside, after)
    } else after = nodeHash(after, beside)
  }
  return before.equals(earlier.root) && after.equals(later.root)
}
