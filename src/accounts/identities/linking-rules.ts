import type { Account } from '../users/account-schema.ts'
import type { Claims } from './identity-schema.ts'

type Ways = { passkeys: number; codes: boolean; identities: number }

/**
 * Whether an account may be linked at a sign-in because of its address. Both sides must have confirmed it: otherwise whoever
 * made an account with a stranger's address, or named it at the provider, would get the other's account. What protects itself
 * with codes, passkeys or is an operator's is linked by its owner, in the account.
 */
export const mayLinkByEmail = (account: Account, ways: Ways): boolean =>
  account.emailVerifiedAt !== null && !account.operator && !ways.codes && ways.passkeys === 0 && ways.identities === 0

/** Whether the provider says enough to make an account. */
export const hasConfirmedEmail = (claims: Claims): claims is Claims & { email: string } =>
  claims.email !== undefined && claims.isEmailVerified

/** Whether an identity can be unlinked by its owner: another way to sign in remains. */
export const mayUnlink = ({
  password,
  passkeys,
  only,
}: {
  password: boolean
  passkeys: number
  only: boolean
}): boolean => !only && (password || passkeys > 0)
