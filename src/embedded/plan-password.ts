import { randomBytes } from 'node:crypto'
import { OperatorError } from '../lib/errors.ts'
import { type DataFolder, PASSWORD_BYTES, readSecrets, writeSecrets } from './data-folder.ts'

/**
 * Makes another password for the embedded server's role. The next start gives it to the role: until then everything
 * that runs connects as before.
 * @throws OperatorError where this data folder has no server of its own
 */
export async function planPassword(folder: DataFolder): Promise<void> {
  const secrets = await readSecrets(folder)
  if (!secrets)
    throw new OperatorError(
      'This data folder has no database of its own. Change the password of the role in DATABASE_URL with ALTER ROLE.',
    )
  const nextPostgresPassword = randomBytes(PASSWORD_BYTES).toString('base64url')
  await writeSecrets(folder, { nextPostgresPassword, ...secrets })
}
