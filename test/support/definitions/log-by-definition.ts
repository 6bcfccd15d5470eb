import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** The publication log as RFC 6962 and C2SP define it, word by word: what clients and exports are compared with. */
const sha256 = (...parts: (Buffer | string)[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const below = (count: number): number => {
  let power = 1
  while (power * 2 < count) power *= 2
  return power
}

/** MTH of RFC 6962, section 2.1. */
export function treeHash(leaves: string[]): Buffer {
  if (leaves.length === 0) return sha256('')
  if (leaves.length === 1) return sha256(Buffer.of(0), leaves[0]!)
  const k = below(leaves.length)
  return sha256(Buffer.of(1), treeHash(leaves.slice(0, k)), treeHash(leaves.slice(k)))
}

/** PATH of section 2.1.1. */
export function inclusionPath(m: number, leaves: string[]): Buffer[] {
  if (leaves.length === 1) return []
  const k = below(leaves.length)
  return m < k
    ? [...inclusionPath(m, leaves.slice(0, k)), treeHash(leaves.slice(k))]
    : [...inclusionPath(m - k, leaves.slice(k)), treeHash(leaves.slice(0, k))]
}

/** PROOF of section 2.1.2. */
export const consistencyPath = (m: number, leaves: string[]): Buffer[] => subProof(m, leaves, true)

function subProof(m: number, leaves: string[], isWhole: boolean): Buffer[] {
  if (m === leaves.length) return isWhole ? [] : [treeHash(leaves)]
  const k = below(leaves.length)
  return m <= k
    ? [...subProof(m, leaves.slice(0, k), isWhole), treeHash(leaves.slice(k))]
    : [...subProof(m - k, leaves.slice(k), false), treeHash(leaves.slice(0, k))]
}

/** The hashes of the largest subtrees without any of the leaves, from the left. */
export function pagePath(indexes: number[], leaves: string[], from = 0): Buffer[] {
  if (!indexes.some((index) => index >= from && index < from + leaves.length)) return [treeHash(leaves)]
  if (leaves.length === 1) return []
  const k = below(leaves.length)
  return [...pagePath(indexes, leaves.slice(0, k), from), ...pagePath(indexes, leaves.slice(k), from + k)]
}

export const base64 = (hashes: Buffer[]): string[] => hashes.map((hash) => hash.toString('base64'))

/** Makes the signer of a log. */
export function logSigner(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = Buffer.concat([Buffer.of(1), rawKey(publicKey)])
  const id = sha256(`${origin}\n`, key).subarray(0, 4)
  const note = (body: string): string =>
    `${body}\n— ${origin} ${Buffer.concat([id, sign(null, Buffer.from(body), privateKey)]).toString('base64')}\n`
  return {
    verifier: `${origin}+${id.toString('hex')}+${key.toString('base64')}`,
    checkpoint: (leaves: string[]): string =>
      note(`${origin}\n${leaves.length}\n${treeHash(leaves).toString('base64')}\n`),
  }
}

const rawKey = (key: KeyObject): Buffer => Buffer.from(key.export({ format: 'jwk' }).x!, 'base64url')
