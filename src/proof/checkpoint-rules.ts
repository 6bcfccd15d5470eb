import { createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto'
import { HASH_BYTES } from './tree/hash-rules.ts'

/** The type of Ed25519 in signed notes, and the bytes of a key's hash and of a signature. */
const ED25519 = 1
const KEY_HASH_BYTES = 4
const SIGNATURE_BYTES = 64

/** What a checkpoint says (C2SP tlog-checkpoint). */
export type Checkpoint = { origin: string; size: number; root: Buffer }
/** A line under a note: who signed it, the hash of the key, and the signature. */
type SignatureLine = { name: string; keyHash: string; signature: Buffer }
export type SignedCheckpoint = Checkpoint & { text: string; signatures: SignatureLine[] }

/** Whether a text can name a log: the names of signed notes have neither spaces nor a plus. */
export const isOrigin = (text: string): boolean => /^[^\s+\p{C}]{1,200}$/u.test(text)

/** Returns what is signed of a checkpoint. */
const checkpointText = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${root.toString('base64')}\n`

/** Returns the hash that names a key under a name, in hex. */
const keyHash = (name: string, publicKey: Buffer): string =>
  hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), Buffer.from([ED25519]), publicKey]), 'hex').slice(
    0,
    KEY_HASH_BYTES * 2,
  )

/** Returns the text that people give to verifiers: name, key hash, type and key. */
export const verifierOf = (name: string, publicKey: Buffer): string =>
  `${name}+${keyHash(name, publicKey)}+${Buffer.concat([Buffer.from([ED25519]), publicKey]).toString('base64')}`

/** Returns a checkpoint with a signature of each key, in this order. */
export function signCheckpoint(checkpoint: Checkpoint, keys: { publicKey: Buffer; privateKey: KeyObject }[]): string {
  const text = checkpointText(checkpoint)
  const lines = keys.map(({ publicKey, privateKey }) => {
    const id = Buffer.from(keyHash(checkpoint.origin, publicKey), 'hex')
    const signature = Buffer.concat([id, sign(null, Buffer.from(text), privateKey)])
    return `— ${checkpoint.origin} ${signature.toString('base64')}\n`
  })
  return `${text}\n${lines.join('')}`
}

const LINE = /^— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/

/** Returns what a signed checkpoint says, without judging its signatures; undefined for any other text. */
export function readCheckpoint(note: string): SignedCheckpoint | undefined {
  const end = note.lastIndexOf('\n\n')
  if (end < 0 || !note.endsWith('\n')) return undefined
  const text = note.slice(0, end + 1)
  const [origin = '', digits = '', rootText = ''] = text.split('\n')
  const root = Buffer.from(rootText, 'base64')
  const size = Number(digits)
  const isWhole = /^(0|[1-9]\d*)$/.test(digits) && Number.isSafeInteger(size)
  if (!isOrigin(origin) || !isWhole || root.length !== HASH_BYTES || root.toString('base64') !== rootText)
    return undefined
  const signatures: SignatureLine[] = []
  for (const line of note.slice(end + 2, -1).split('\n')) {
    const found = LINE.exec(line)
    if (!found) return undefined
    const bytes = Buffer.from(found[2]!, 'base64')
    signatures.push({
      name: found[1]!,
      keyHash: bytes.subarray(0, KEY_HASH_BYTES).toString('hex'),
      signature: bytes.subarray(KEY_HASH_BYTES),
    })
  }
  return { origin, size, root, text, signatures }
}

/** The beginning of an Ed25519 public key in DER, before its 32 bytes (RFC 8410). */
const DER_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

const publicKeyObject = (publicKey: Buffer): KeyObject =>
  createPublicKey({ key: Buffer.concat([DER_PREFIX, publicKey]), format: 'der', type: 'spki' })

/**
 * Returns whether a key signed a checkpoint under its origin: `signed`; `wrong` where its line does not fit the text;
 * `absent` where there is no line of it.
 */
export function judgeSignature(
  { origin, text, signatures }: SignedCheckpoint,
  publicKey: Buffer,
): 'signed' | 'wrong' | 'absent' {
  const id = keyHash(origin, publicKey)
  const lines = signatures.filter((line) => line.name === origin && line.keyHash === id)
  if (lines.length === 0) return 'absent'
  const key = publicKeyObject(publicKey)
  const fits = ({ signature }: SignatureLine) =>
    signature.length === SIGNATURE_BYTES && verify(null, Buffer.from(text), key, signature)
  return lines.every(fits) ? 'signed' : 'wrong'
}
