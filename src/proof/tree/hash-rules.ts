import { hash } from 'node:crypto'

/** Bytes of a SHA-256. */
export const HASH_BYTES = 32

const [LEAF, NODE] = [0, 1]

/** Returns the bytes of a SHA-256 as a text: Node makes it three times as fast as a buffer. */
const sha256 = (bytes: Uint8Array): string => hash('sha256', bytes, 'binary')
const bytesOf = (text: string): Buffer => Buffer.from(text, 'binary')

/** Returns the hash of a leaf (RFC 6962, section 2.1). */
export function leafHash(leaf: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(1 + leaf.length)
  bytes[0] = LEAF
  bytes.set(leaf, 1)
  return bytesOf(sha256(bytes))
}

/** Returns the hash of a node over two others. */
export const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer => joinHashes(Buffer.concat([left, right]))

/** Returns the hash over hashes side by side; their number is a power of two. */
export function joinHashes(hashes: Uint8Array): Buffer {
  const row = Buffer.from(hashes)
  const node = Buffer.alloc(1 + 2 * HASH_BYTES, NODE)
  for (let count = row.length / HASH_BYTES; count > 1; count /= 2)
    for (let n = 0; n < count; n += 2) {
      row.copy(node, 1, n * HASH_BYTES, (n + 2) * HASH_BYTES)
      row.write(sha256(node), (n / 2) * HASH_BYTES, 'binary')
    }
  return row.subarray(0, HASH_BYTES)
}

/** Returns the hash of a tree without leaves. */
export const emptyHash = (): Buffer => bytesOf(sha256(Buffer.alloc(0)))
