import { OperatorError } from '../lib/errors.ts'
import { keyId, sealedWith, unseal } from '../lib/seal.ts'
import type { Tx } from '../lib/sql.ts'
import { judgeSignature, readCheckpoint, signCheckpoint } from './checkpoint-rules.ts'
import { readPrivate, sealedFor, signing } from './keys/key-rules.ts'
import { forgetEndedKeys, logKeys, recordSigned } from './keys/key-store.ts'
import { type LogState, newestCheckpoint, saveCheckpoint } from './log-store.ts'
import { storedRoot } from './tree/stored-hashes.ts'

/** Returns the keys that can sign. @throws OperatorError when the newest cannot: it was sealed with another key */
function openable<T extends { sealed: Buffer }>(keys: T[], secretKey: Uint8Array): T[] {
  const [newest] = keys
  if (newest && sealedWith(newest.sealed) !== keyId(secretKey))
    throw new OperatorError(
      'The key of the publication log was sealed with another PRICETAPE_SECRET_KEY. Set that one; where it is lost, make another with: npx pricetape secrets log-key',
    )
  return keys.filter(({ sealed }) => sealedWith(sealed) === keyId(secretKey))
}

/**
 * Signs the tree as it is, with every key that signs now, unless it is signed so. The log is locked.
 * @throws OperatorError when the tree does not begin with the one that was signed last: what was signed is not signed over
 */
export async function signTree(tx: Tx, secretKey: Uint8Array, { size, origin }: LogState): Promise<void> {
  if (size === 0 || origin === undefined) return
  const keys = openable(signing(await logKeys(tx)), secretKey)
  const newest = await newestCheckpoint(tx)
  const before = newest?.origin === origin ? readCheckpoint(newest.note) : undefined
  if (before) {
    const isSigned = keys.every(({ publicKey }) => judgeSignature(before, publicKey) === 'signed')
    if (before.size === size && isSigned && before.signatures.length === keys.length) return
    if (before.size > size || !(await storedRoot(tx, before.size)).equals(before.root))
      throw new OperatorError(
        `The publication log does not begin with the ${before.size} leaves that were signed last, so it is not signed. See: npx pricetape verify`,
      )
  }
  const note = signCheckpoint(
    { origin, size, root: await storedRoot(tx, size) },
    keys.map(({ publicKey, sealed }) => ({
      publicKey,
      privateKey: readPrivate(unseal(secretKey, sealed, sealedFor(publicKey))),
    })),
  )
  await saveCheckpoint(tx, { origin, size, note })
  await recordSigned(
    tx,
    keys.map(({ publicKey }) => publicKey),
    size,
  )
  await forgetEndedKeys(tx)
}
