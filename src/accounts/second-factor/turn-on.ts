import { recordAction } from '../../audit/record-action.ts'
import { AppError } from '../../lib/errors.ts'
import { seal } from '../../lib/seal.ts'
import type { Sql } from '../../lib/sql.ts'
import { counterOfOwner, forgetTries } from '../sessions/count-try.ts'
import { lockPassword } from '../users/account-store.ts'
import { confirmPassword, wrongPassword } from '../users/confirm-password.ts'
import type { AccountMail } from '../users/mail/account-mail.ts'
import { withNotices } from '../users/mail/notify-owner.ts'
import { type Keys, useTotpCode } from './check-code.ts'
import { newRecoveryCodes, newTotpSecret } from './new-secrets.ts'
import { enrolmentUri, isTotpCode, plainCode, shownRecoveryCode } from './totp-rules.ts'
import { contextOf, insertRecoveryCodes, lockTotp, savePending, type TotpState, totpState } from './totp-store.ts'

type Owner = { accountId: string; email: string; sessionId?: string }

/** Returns since when an account asks for codes; undefined where it does not. */
export const readTotp = (sql: Sql, accountId: string): Promise<TotpState | undefined> => totpState(sql, accountId)

/**
 * Makes a secret for an authenticator app. Nothing is asked for until a code of it was entered.
 * @throws AppError invalid_body (field `currentPassword`), rate_limited, second_factor_on
 */
export async function beginTotp(
  sql: Sql,
  { secretKey }: Keys,
  owner: Owner,
  currentPassword: string,
): Promise<{ secret: string; uri: string }> {
  const present = await confirmPassword(sql, owner, currentPassword)
  const { accountId, email } = owner
  const secret = newTotpSecret()
  const { sealed } = seal(secretKey, secret, contextOf(accountId))
  await sql.begin(async (tx) => {
    if (!(await lockPassword(tx, accountId, present))) throw wrongPassword()
    if (!(await savePending(tx, accountId, sealed))) throw isOn()
    await forgetTries(tx, counterOfOwner(accountId))
  })
  return { secret, uri: enrolmentUri(secret, email) }
}

/**
 * Asks for codes from now on, and notifies the account's owner: a code shows that the secret has arrived. Returns the
 * recovery codes, which are shown once.
 * @throws AppError invalid_body (field `code`), second_factor_on, not_found
 */
export async function confirmTotp(
  sql: Sql,
  mail: AccountMail,
  keys: Keys,
  { accountId, email, code: typed }: Owner & { code: string },
): Promise<string[]> {
  const codes = newRecoveryCodes()
  await withNotices(sql, mail, async (tx, notify) => {
    const totp = await lockTotp(tx, accountId)
    if (!totp) throw new AppError('not_found', 'Begin again: there is no secret that waits for its first code.')
    if (totp.isConfirmed) throw isOn()
    const code = plainCode(typed)
    if (!isTotpCode(code) || !(await useTotpCode(tx, keys, accountId, totp, code)))
      throw new AppError('invalid_body', 'code: is not the code of now', { field: 'code' })
    await insertRecoveryCodes(tx, accountId, codes)
    await recordAction(tx, 'second_factor_on', { accountId })
    await notify(email, { kind: 'codes_on' })
  })
  return codes.map(shownRecoveryCode)
}

const isOn = (): AppError => new AppError('second_factor_on', 'Codes are asked for already: turn that off first.')
