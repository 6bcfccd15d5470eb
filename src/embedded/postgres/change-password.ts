import { randomBytes } from 'node:crypto'
import { OperatorError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { type DataFolder, readSecrets, writeSecrets } from '../data-folder.ts'

const PASSWORD_BYTES = 24

/**
 * Gives the embedded server's role another password. Connections that are open stay; new ones need the next start.
 * @throws OperatorError where this data folder has no server of its own
 */
export async function changePassword(sql: Sql, folder: DataFolder): Promise<void> {
  const secrets = await readSecrets(folder)
  if (!secrets)
    throw new OperatorError(
      'This data folder has no database of its own. Change the password of the role in DATABASE_URL with ALTER ROLE.',
    )
  const postgresPassword = randomBytes(PASSWORD_BYTES).toString('base64url')
  // The file is written inside the transaction: a crash leaves one of two passwords, and never a file without its role.
  await sql.begin(async (tx) => {
    await tx.unsafe(`alter role current_user password '${postgresPassword}'`)
    await writeSecrets(folder, { ...secrets, postgresPassword })
  })
}
