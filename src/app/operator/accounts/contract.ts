import { z } from 'zod'
import { contract } from '../../contract.ts'
import { accountAnswer, instant } from '../../parts.ts'

const account = accountAnswer.extend({
  disabledAt: instant.nullable(),
  lastSeenAt: instant.nullable(),
  sessions: z.int(),
  totp: z.boolean().describe('it is asked for codes of an authenticator app'),
  passkeys: z.int(),
  linked: z.boolean().describe('it signs in with the identity provider'),
  workspaces: z.array(z.string()),
})

export const listAccounts = contract('GET', '/v1/operator/accounts', {
  access: 'operator',
  answer: z.object({ accounts: z.array(account) }),
  status: 200,
})

/** Makes an account an operator or not, and disables it or not. One operator who can sign in always stays. */
export const changeAccountState = contract('PATCH', '/v1/operator/accounts/:accountId', {
  access: 'operator',
  body: z.strictObject({
    operator: z.boolean().optional(),
    disabled: z.boolean().optional(),
    successor: z.uuid().optional().describe('becomes admin of workspaces in which no other admin can act'),
  }),
  status: 204,
})

export const endAccountSessions = contract('DELETE', '/v1/operator/accounts/:accountId/sessions', {
  access: 'operator',
  answer: z.object({ ended: z.int() }),
  status: 200,
})

/** For someone who lost the device and the recovery codes. */
export const resetTotp = contract('DELETE', '/v1/operator/accounts/:accountId/totp', {
  access: 'operator',
  status: 204,
})

/** For someone who lost a device. */
export const resetPasskeys = contract('DELETE', '/v1/operator/accounts/:accountId/passkeys', {
  access: 'operator',
  answer: z.object({ removed: z.int() }),
  status: 200,
})

/** For someone who is another person at the identity provider now. */
export const resetIdentities = contract('DELETE', '/v1/operator/accounts/:accountId/identities', {
  access: 'operator',
  answer: z.object({ removed: z.int() }),
  status: 200,
})
