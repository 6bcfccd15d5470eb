import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { ProofError } from './proof-error.ts'

/** A signed statement of how large a log is, and of the root of its tree. */
export type Checkpoint = { origin: string; size: number; root: Uint8Array; text: string }

/** A verifier as the log states it: `<origin>+<key hash>+<base64>`. */
type Key = { origin: string; id: Buffer; publicKey: KeyObject }

const ED25519 = 1
const KEY_BYTES = 32
const ID_BYTES = 4
const SIGNATURE_BYTES = 64
const SIGNATURE_LINE = /^— (\S+) ([A-Za-z0-9+/]+={0,2})$/
const BODY = /^(\S[^\n]*)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\n/

/**
 * Returns a checkpoint that one of these keys signed, and whose origin is the key's (C2SP tlog-checkpoint and signed-note).
 * @param keys verifiers that you trust: get them on another way than the checkpoint
 * @throws ProofError unreadable, unknown_key, bad_signature
 */
export function openCheckpoint(text: string, keys: string | readonly string[]): Checkpoint {
  const checkpoint = readCheckpoint(text)
  const trusted = (typeof keys === 'string' ? [keys] : keys).map(readKey)
  let isForged = false
  for (const { name, id, signature } of checkpoint.signatures) {
    const key = trusted.find((one) => one.origin === name && one.id.equals(id))
    if (!key || key.origin !== checkpoint.origin) continue
    if (verify(null, Buffer.from(checkpoint.body), key.publicKey, signature)) {
      const { origin, size, root } = checkpoint
      return { origin, size, root, text }
    }
    isForged = true
  }
  if (isForged)
    throw new ProofError('bad_signature', `The checkpoint of ${checkpoint.origin} is not what its key signed.`)
  const names = trusted.map(({ origin }) => origin).join(', ')
  throw new ProofError('unknown_key', `No key of ${names} signed this checkpoint of ${checkpoint.origin}.`)
}

/** Reads a checkpoint without any trust in it. @throws ProofError unreadable */
function readCheckpoint(text: string) {
  const end = text.indexOf('\n\n')
  const body = text.slice(0, end + 1)
  const [, origin, size, root] = (end === -1 ? undefined : BODY.exec(body)) ?? []
  if (origin === undefined || size === undefined || root === undefined || !Number.isSafeInteger(Number(size)))
    throw new ProofError(
      'unreadable',
      'This is not a checkpoint: it has no origin, size and root before its signatures.',
    )
  const signatures = text
    .slice(end + 2)
    .split('\n')
    .flatMap((line) => {
      const [, name, encoded] = SIGNATURE_LINE.exec(line) ?? []
      const bytes = Buffer.from(encoded ?? '', 'base64')
      // Signatures of other kinds, such as those of witnesses, have other lengths.
      if (name === undefined || bytes.length !== ID_BYTES + SIGNATURE_BYTES) return []
      return [{ name, id: bytes.subarray(0, ID_BYTES), signature: bytes.subarray(ID_BYTES) }]
    })
  return { origin, size: Number(size), root: Buffer.from(root, 'base64'), body, signatures }
}

/** @throws ProofError unreadable */
function readKey(verifier: string): Key {
  const [, origin, id, encoded] = /^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/.exec(verifier) ?? []
  const bytes = Buffer.from(encoded ?? '', 'base64')
  const isEd25519 = bytes.length === 1 + KEY_BYTES && bytes[0] === ED25519
  if (origin === undefined || id === undefined || !isEd25519 || keyId(origin, bytes).toString('hex') !== id)
    throw new ProofError('unreadable', `${JSON.stringify(verifier)} is not a key of a log: /v1/log/keys lists them.`)
  const x = bytes.subarray(1).toString('base64url')
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return { origin, id: Buffer.from(id, 'hex'), publicKey }
}

const keyId = (origin: string, key: Uint8Array): Buffer =>
  createHash('sha256').update(`${origin}\n`).update(key).digest().subarray(0, ID_BYTES)
