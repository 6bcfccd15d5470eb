import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

const FORMAT = 1
const KEY_ID_BYTES = 4
const IV_BYTES = 12
const TAG_BYTES = 16
const HEADER_BYTES = 1 + KEY_ID_BYTES + IV_BYTES + TAG_BYTES

/** A sealed text for a `bytea` column, and the id of the key that opens it for a column beside it. */
export type SealedText = { keyId: string; sealed: Buffer }

/** Names a key without telling it: the first 4 bytes of its SHA-256, in hex. */
export const keyId = (key: Uint8Array): string =>
  createHash('sha256')
    .update('pricetape key id')
    .update(key)
    .digest('hex')
    .slice(0, KEY_ID_BYTES * 2)

/**
 * Encrypts a secret for storage: AES-256-GCM with a random nonce.
 * @param key 32 bytes
 * @param context where the secret belongs, such as `webhook/<id>`: a sealed text copied elsewhere does not open there
 */
export function seal(key: Uint8Array, plaintext: string, context: string): SealedText {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  cipher.setAAD(Buffer.from(context))
  const text = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
  const id = keyId(key)
  const sealed = Buffer.concat([Buffer.from([FORMAT]), Buffer.from(id, 'hex'), iv, cipher.getAuthTag(), text])
  return { keyId: id, sealed }
}

/**
 * The text that was sealed.
 * @param keys the current key, or all keys still in use while secrets are moved to a new one
 * @throws when no key fits, the context differs, or a byte was changed
 */
export function unseal(keys: Uint8Array | Uint8Array[], sealed: Uint8Array, context: string): string {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  if (bytes[0] !== FORMAT || bytes.length < HEADER_BYTES) throw new Error('not a sealed secret')
  const id = sealedWith(bytes)
  const key = (Array.isArray(keys) ? keys : [keys]).find((candidate) => keyId(candidate) === id)
  if (!key) throw new Error(`no key with id ${id}: PRICETAPE_SECRET_KEY is not the one this secret was stored with`)
  const iv = bytes.subarray(1 + KEY_ID_BYTES, 1 + KEY_ID_BYTES + IV_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(bytes.subarray(HEADER_BYTES - TAG_BYTES, HEADER_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(HEADER_BYTES)), decipher.final()]).toString('utf8')
}

/** The id of the key that sealed these bytes. */
export const sealedWith = (sealed: Uint8Array): string =>
  Buffer.from(sealed.subarray(1, 1 + KEY_ID_BYTES)).toString('hex')

/** The same secret under another key: how secrets move when the key is changed. */
export const reseal = (from: Uint8Array[], to: Uint8Array, sealed: Uint8Array, context: string): SealedText =>
  seal(to, unseal(from, sealed, context), context)
