import { recordAction } from '../../audit/record-action.ts'
import type { Sql } from '../../lib/sql.ts'
import { setEmailVerified } from './account-store.ts'
import { invalidLink } from './invalid-link.ts'
import { useLink } from './link-store.ts'

/** Records that an account's address reaches its owner. @throws AppError invalid_link */
export async function verifyEmail(sql: Sql, token: string): Promise<void> {
  await sql.begin(async (tx) => {
    const email = await useLink(tx, 'verify_email', token)
    if (email === undefined) throw invalidLink()
    const accountId = await setEmailVerified(tx, email)
    if (accountId) await recordAction(tx, 'email_verified', { accountId })
  })
}
