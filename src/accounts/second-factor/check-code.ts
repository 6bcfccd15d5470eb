import { AppError } from '../../lib/errors.ts'
import { unseal } from '../../lib/seal.ts'
import type { Tx } from '../../lib/sql.ts'
import { isTotpCode, periodOf, plainCode } from './totp-rules.ts'
import { contextOf, type LockedTotp, lockTotp, usePeriod, useRecoveryCode } from './totp-store.ts'

/** What opens sealed secrets; asked for only where there is one. */
export type Keys = { readonly secretKey: Uint8Array }

/** Uses up a code of an account that asks for one: of its authenticator app, or a recovery code. @throws AppError */
export async function checkCode(tx: Tx, keys: Keys, accountId: string, typed: string | undefined): Promise<void> {
  const totp = await lockTotp(tx, accountId)
  if (!totp?.isConfirmed) return
  if (typed === undefined) throw new AppError('code_required', 'Enter the code of your authenticator app.')
  const code = plainCode(typed)
  const isRight = isTotpCode(code)
    ? await useTotpCode(tx, keys, accountId, totp, code)
    : await useRecoveryCode(tx, accountId, code)
  if (!isRight) throw new AppError('invalid_code', 'code: is wrong, or was used already', { field: 'code' })
}

/** Returns whether it is a code of now that was not used before. */
export async function useTotpCode(
  tx: Tx,
  { secretKey }: Keys,
  accountId: string,
  { sealed, lastPeriod }: LockedTotp,
  code: string,
): Promise<boolean> {
  const period = periodOf(unseal(secretKey, sealed, contextOf(accountId)), code, Date.now())
  if (period === undefined || period <= lastPeriod) return false
  await usePeriod(tx, accountId, period)
  return true
}
