import { generateKeyPairSync } from 'node:crypto'
import { OperatorError } from '../../lib/errors.ts'
import { DAY } from '../../lib/instant.ts'
import { keyId, reseal, seal, sealedWith } from '../../lib/seal.ts'
import type { Sql, Tx } from '../../lib/sql.ts'
import { verifierOf } from '../checkpoint-rules.ts'
import { lockLog } from '../log-store.ts'
import { signTree } from '../sign-checkpoint.ts'
import { privateText, publicBytes, sealedFor } from './key-rules.ts'
import { insertKey, logKeys, replaceKeys, replaceSealed } from './key-store.ts'

/** How long a replaced key signs beside its successor: as long as readers have to learn of the new one. */
export const BOTH_SIGN_MS = 30 * DAY

/** Makes a key that signs from now on, and returns its public half. */
export async function makeKey(tx: Tx, secretKey: Uint8Array, firstSize: number): Promise<Buffer> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const publicKey = publicBytes(privateKey)
  const { sealed } = seal(secretKey, privateText(privateKey), sealedFor(publicKey))
  await insertKey(tx, { publicKey, sealed, firstSize })
  return publicKey
}

/**
 * Makes another key for the log and signs its newest tree with it. The key before signs beside it for 30 days, or no more
 * `atOnce`: for a key that others may have. Returns the new verifier.
 * @throws OperatorError before the log has a name
 */
export async function rotateLogKey(sql: Sql, secretKey: Uint8Array, { atOnce }: { atOnce: boolean }): Promise<string> {
  const made = await sql.begin(async (tx) => {
    const state = await lockLog(tx)
    if (state.origin === undefined)
      throw new OperatorError('The publication log does not have a key yet: the first check makes one.')
    await replaceKeys(tx, atOnce ? 0 : BOTH_SIGN_MS)
    const publicKey = await makeKey(tx, secretKey, state.size)
    await signTree(tx, secretKey, state)
    return { verifier: verifierOf(state.origin, publicKey) }
  })
  return made.verifier
}

/**
 * Seals the private halves with another key. One that none of these keys opens stays as it is, and signs no more: there is
 * nothing to lose with it but a signature. Returns how many.
 */
export async function resealLogKeys(tx: Tx, from: Uint8Array[], to: Uint8Array): Promise<number> {
  const keys = [to, ...from]
  const known = new Set(keys.map(keyId))
  let resealed = 0
  for (const { publicKey, sealed } of await logKeys(tx)) {
    if (sealed === undefined || !known.has(sealedWith(sealed))) continue
    await replaceSealed(tx, { publicKey, sealed: reseal(keys, to, sealed, sealedFor(publicKey)).sealed })
    resealed++
  }
  return resealed
}

/** Returns the ids of the keys that the private halves are sealed with. */
export async function logSealingKeyIds(sql: Sql): Promise<string[]> {
  return (await logKeys(sql)).flatMap(({ sealed }) => (sealed ? [sealedWith(sealed)] : []))
}
