import { z } from 'zod'
import { emailAddress } from '../../accounts/users/email-rules.ts'
import { givenPassword } from '../../accounts/users/password-rules.ts'
import { contract } from '../contract.ts'
import { accountAnswer, linkToken, membership, name, newPassword } from '../parts.ts'

const toEmail = z.strictObject({ email: emailAddress })

export const signUp = contract('POST', '/v1/sign-up', {
  access: 'public',
  body: toEmail,
  status: 202,
})

export const createAccount = contract('POST', '/v1/account', {
  access: 'public',
  body: z.strictObject({
    token: linkToken,
    name,
    password: newPassword,
    email: emailAddress.optional().describe('for the first account alone: other links are for one address'),
  }),
  answer: z.object({ account: accountAnswer }),
  status: 201,
})

export const readAccount = contract('GET', '/v1/account', {
  access: 'session',
  answer: z.object({ account: accountAnswer, sessionId: z.string(), workspaces: z.array(membership) }),
  status: 200,
})

export const renameAccount = contract('PATCH', '/v1/account', {
  access: 'session',
  body: z.strictObject({ name }),
  answer: z.object({ name: z.string() }),
  status: 200,
})

export const deleteAccount = contract('DELETE', '/v1/account', {
  access: 'session',
  body: z.strictObject({ currentPassword: givenPassword }),
  status: 204,
})

export const changePassword = contract('PUT', '/v1/account/password', {
  access: 'session',
  body: z.strictObject({ currentPassword: givenPassword, password: newPassword }),
  status: 204,
})

/** Mails a link to the new address; the account has it when the link was opened. */
export const changeEmail = contract('PUT', '/v1/account/email', {
  access: 'session',
  body: toEmail.extend({ currentPassword: givenPassword }),
  status: 202,
})

export const requestVerification = contract('POST', '/v1/account/verification', {
  access: 'session',
  status: 202,
})

export const verifyEmail = contract('POST', '/v1/account/verification/confirm', {
  access: 'public',
  body: z.strictObject({ token: linkToken }),
  status: 204,
})

export const requestPasswordReset = contract('POST', '/v1/password-reset', {
  access: 'public',
  body: toEmail,
  status: 202,
})

export const resetPassword = contract('POST', '/v1/password-reset/confirm', {
  access: 'public',
  body: z.strictObject({ token: linkToken, password: newPassword }),
  status: 204,
})
