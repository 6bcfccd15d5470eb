import { createHash } from 'node:crypto'

/** The Merkle tree of RFC 6962. A hash is 32 bytes. */
type Hash = Uint8Array

const LEAF = Uint8Array.of(0)
const NODE = Uint8Array.of(1)
const HASH_BYTES = 32

const sha256 = (...parts: (Uint8Array | string)[]): Hash => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

export const leafHash = (leaf: string): Hash => sha256(LEAF, leaf)
const nodeHash = (left: Hash, right: Hash): Hash => sha256(NODE, left, right)

/** Whether two hashes are the same. Both are public: the time that it takes says nothing. */
export const isSameHash = (a: Hash, b: Hash): boolean => Buffer.compare(a, b) === 0

/** Reads hashes in base64. Returns undefined where one is not a hash. */
export function readHashes(texts: readonly string[]): Hash[] | undefined {
  const hashes = texts.map((text) => Buffer.from(text, 'base64'))
  return hashes.every(({ length }) => length === HASH_BYTES) ? hashes : undefined
}

/** Returns the root that an inclusion proof leads to (RFC 9162, 2.1.3.2); undefined for one of the wrong length. */
export function rootOfInclusion(leaf: Hash, index: number, size: number, hashes: readonly Hash[]): Hash | undefined {
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) return undefined
  let [node, last, root] = [index, size - 1, leaf]
  for (const hash of hashes) {
    if (last === 0) return undefined
    if (node % 2 === 1 || node === last) {
      root = nodeHash(hash, root)
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)]
    } else {
      root = nodeHash(root, hash)
    }
    ;[node, last] = [half(node), half(last)]
  }
  return last === 0 ? root : undefined
}

/** Whether a consistency proof leads from one root to the other (RFC 9162, 2.1.4.2). */
export function isConsistent(
  older: { size: number; root: Hash },
  newer: { size: number; root: Hash },
  hashes: readonly Hash[],
): boolean {
  if (older.size > newer.size) return false
  if (older.size === newer.size) return hashes.length === 0 && isSameHash(older.root, newer.root)
  // An empty tree is the beginning of every tree.
  if (older.size === 0) return hashes.length === 0
  let [node, last] = [older.size - 1, newer.size - 1]
  while (node % 2 === 1) [node, last] = [half(node), half(last)]
  const rest = node === 0 ? [older.root, ...hashes] : [...hashes]
  const first = rest.shift()
  if (!first) return false
  let [olderRoot, newerRoot] = [first, first]
  for (const hash of rest) {
    if (last === 0) return false
    if (node % 2 === 1 || node === last) {
      olderRoot = nodeHash(hash, olderRoot)
      newerRoot = nodeHash(hash, newerRoot)
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)]
    } else {
      newerRoot = nodeHash(newerRoot, hash)
    }
    ;[node, last] = [half(node), half(last)]
  }
  return last === 0 && isSameHash(olderRoot, older.root) && isSameHash(newerRoot, newer.root)
}

const half = (number: number): number => Math.floor(number / 2)

/**
 * Returns the root that a proof of many leaves leads to; undefined where it has too few hashes or too many. `hashes` are
 * those of the largest subtrees that hold none of the leaves, from left to right.
 * @param leaves in the order of their indexes, each once
 */
export function rootOfLeaves(
  leaves: readonly { index: number; hash: Hash }[],
  size: number,
  hashes: readonly Hash[],
): Hash | undefined {
  let [next, used] = [0, 0]
  const rootOf = (from: number, to: number): Hash | undefined => {
    const leaf = leaves[next]
    if (leaf === undefined || leaf.index >= to) return hashes[used++]
    if (to - from === 1) return leaves[next++]!.hash
    const middle = from + largestPowerBelow(to - from)
    const left = rootOf(from, middle)
    const right = rootOf(middle, to)
    return left && right && nodeHash(left, right)
  }
  if (size < 1) return undefined
  const root = rootOf(0, size)
  return next === leaves.length && used === hashes.length ? root : undefined
}

function largestPowerBelow(count: number): number {
  let power = 1
  while (power * 2 < count) power *= 2
  return power
}
