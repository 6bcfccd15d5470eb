import { keyId } from '../lib/seal.ts'
import { connect } from '../lib/sql.ts'
import { type DataFolder, readSecrets, writeSecrets } from './data-folder.ts'
import { resealEverything } from './reseal-everything.ts'
import { sealingKeyIds } from './sealing-keys.ts'

const NO_SUCH_TABLE = '42P01'
const idOf = (key: string): string => keyId(Buffer.from(key, 'base64'))

/**
 * Decides which key counts where secrets.json names several, because one was being changed: the one that the database is
 * sealed with. What processes sealed with the former one meanwhile is sealed with it too. Returns the key of secrets.json.
 * Called before any process reads a secret.
 * @param given the key that the settings name
 */
export async function settleSecretKey(folder: DataFolder, databaseUrl: string, given?: string): Promise<string> {
  // The file may have changed since the start: the database's password is written when it is certain.
  const { otherSecretKeys, ...secrets } = (await readSecrets(folder))!
  if (!otherSecretKeys || (given && given !== secrets.secretKey && !otherSecretKeys.includes(given)))
    return secrets.secretKey
  const candidates = [...new Set([...(given ? [given] : []), secrets.secretKey, ...otherSecretKeys])]
  const sql = connect(databaseUrl, { max: 1 })
  try {
    const inUse = await sealingKeyIds(sql)
    const used = candidates.filter((key) => inUse.has(idOf(key)))
    // A key that is not known here is for the operator to name: everything stays as it is.
    if (used.length < inUse.size) return secrets.secretKey
    const [secretKey = secrets.secretKey, ...from] = used
    const to = Buffer.from(secretKey, 'base64')
    if (from.length > 0) await resealEverything(sql, { from: from.map((key) => Buffer.from(key, 'base64')), to })
    await writeSecrets(folder, { ...secrets, secretKey })
    return secretKey
  } catch (error) {
    if ((error as { code?: string }).code === NO_SUCH_TABLE) return secrets.secretKey
    throw error
  } finally {
    await sql.end({ timeout: 1 })
  }
}
