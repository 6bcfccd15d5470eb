import { resealAccounts } from '../accounts/reseal-secrets.ts'
import { OperatorError } from '../lib/errors.ts'
import { keyId } from '../lib/seal.ts'
import type { Sql } from '../lib/sql.ts'
import { resealMails } from '../mail/reseal-mails.ts'
import { resealLogKeys } from '../proof/keys/rotate-log-key.ts'
import { resealSecrets } from '../webhooks/subscriptions/reseal-secrets.ts'
import { type DataFolder, readSecrets, type Secrets, writeSecrets } from './data-folder.ts'
import { sealingKeyIds } from './sealing-keys.ts'

type Keys = { from: Uint8Array[]; to: Uint8Array }
export type ResealCounts = { resealed: number; logKeys: number; mails: number; totpSecrets: number }

/** Seals everything with another key, in one transaction. `beforeCommit` comes when all of it could be sealed. */
export const resealEverything = (sql: Sql, { from, to }: Keys, beforeCommit = async () => {}): Promise<ResealCounts> =>
  sql.begin(async (tx) => {
    const resealed = await resealSecrets(tx, from, to)
    const mails = await resealMails(tx, from, to)
    const totpSecrets = await resealAccounts(tx, from, to)
    const logKeys = await resealLogKeys(tx, from, to)
    await beforeCommit()
    return { resealed, logKeys, mails, totpSecrets }
  }) as Promise<ResealCounts>

/**
 * Seals everything with another key, and names it in the data folder's secrets.json where that file has the key of this
 * database. The file has both keys from before the database is changed until the next start, which decides by what it
 * finds: killed at any moment, no key is lost.
 * @param sure the file is known to belong to this database
 * @throws OperatorError when the file cannot be written: nothing was changed
 */
export async function changeSecretKey(
  sql: Sql,
  folder: DataFolder,
  keys: Keys & { sure: boolean },
): Promise<ResealCounts & { kept: boolean }> {
  const secrets = await readSecrets(folder)
  const to = Buffer.from(keys.to).toString('base64')
  const ours = secrets && (keys.sure || (await sealingKeyIds(sql)).has(idOf(secrets.secretKey)))
  if (!ours) return { ...(await resealEverything(sql, keys)), kept: false }
  const { secretKey: before, otherSecretKeys = [], ...rest } = secrets
  const all = [...new Set([to, before, ...otherSecretKeys])]
  const naming = (secretKey: string): Secrets => ({
    ...rest,
    secretKey,
    otherSecretKeys: all.filter((key) => key !== secretKey),
  })
  const done = await resealEverything(sql, keys, () => writeOrRefuse(folder, naming(before)))
  await writeSecrets(folder, naming(to))
  return { ...done, kept: true }
}

const idOf = (key: string): string => keyId(Buffer.from(key, 'base64'))

async function writeOrRefuse(folder: DataFolder, secrets: Secrets): Promise<void> {
  try {
    await writeSecrets(folder, secrets)
  } catch (cause) {
    throw new OperatorError(
      `${folder.secrets} cannot be written (${(cause as Error).message}), and it has to name the new key. Nothing was changed. Make it writable, and try again.`,
      { cause },
    )
  }
}
