import { keyId, reseal, sealedWith } from '../lib/seal.ts'
import type { Tx } from '../lib/sql.ts'
import * as totp from './second-factor/totp-store.ts'
import * as mail from './users/mail/kept-mail-store.ts'

type ResealCounts = { mails: number; totpSecrets: number }

/**
 * Moves what is sealed of accounts from old keys to the current one: mails that were not sent yet, and the secrets of
 * authenticator apps. A mail whose key is none of these stays as it is: it ends with its link.
 * @throws Error when a secret was sealed with another key
 */
export async function resealAccounts(tx: Tx, from: Uint8Array[], to: Uint8Array): Promise<ResealCounts> {
  const keys = [to, ...from]
  const known = new Set(keys.map(keyId))
  const mails = (await mail.lockKeptMails(tx)).filter(({ sealed }) => known.has(sealedWith(sealed)))
  for (const kept of mails)
    await mail.replaceSealed(tx, kept.mailId, reseal(keys, to, kept.sealed, mail.contextOf(kept)).sealed)
  const secrets = await totp.lockTotpSecrets(tx)
  for (const { accountId, sealed } of secrets)
    await totp.replaceTotpSecret(tx, accountId, reseal(keys, to, sealed, totp.contextOf(accountId)).sealed)
  return { mails: mails.length, totpSecrets: secrets.length }
}
