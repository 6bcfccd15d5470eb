import { keyId, reseal, sealedWith } from '../lib/seal.ts'
import type { Tx } from '../lib/sql.ts'
import { moveEarlierMails } from './earlier-mail-store.ts'
import { sealContext } from './outbox-rules.ts'
import { lockSealedMails, replaceSealed } from './outbox-store.ts'

/**
 * Moves the mails that were not sent yet from old keys to the current one. One whose key is none of these stays as it is: it ends
 * with its link. Returns how many.
 */
export async function resealMails(tx: Tx, from: Uint8Array[], to: Uint8Array): Promise<number> {
  const keys = [to, ...from]
  const known = new Set(keys.map(keyId))
  await moveEarlierMails(tx)
  const mails = (await lockSealedMails(tx)).filter(({ sealed }) => known.has(sealedWith(sealed)))
  for (const mail of mails)
    await replaceSealed(tx, mail.mailId, reseal(keys, to, mail.sealed, sealContext(mail)).sealed)
  return mails.length
}
