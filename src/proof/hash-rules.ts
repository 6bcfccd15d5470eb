import { hash } from 'node:crypto'

/** Bytes of a SHA-256. */
export const HASH_BYTES = 32

const LEAF = Buffer.from([0])
const NODE = Buffer.from([1])

const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer')

/** Returns the hash of a leaf (RFC 6962, section 2.1). */
export const leafHash = (leaf: Uint8Array): Buffer => sha256(Buffer.concat([LEAF, leaf]))

/** Returns the hash of a node over two others. */
export const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer => sha256(Buffer.concat([NODE, left, right]))

/** Returns the hash of a tree without leaves. */
export const emptyHash = (): Buffer => sha256(Buffer.alloc(0))
