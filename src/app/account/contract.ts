import { z } from 'zod'
import { emailAddress } from '../../accounts/users/email-rules.ts'
import { givenPassword } from '../../accounts/users/password-rules.ts'
import { contract } from '../contract.ts'
import { accountAnswer, linkToken, membership, name, newPassword } from '../parts.ts'
import * as at from './endpoints.ts'

const toEmail = z.strictObject({ email: emailAddress })

export const signUp = contract(at.signUp, {
  access: 'public',
  body: toEmail,
  status: 202,
})

export const createAccount = contract(at.createAccount, {
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

export const readAccount = contract(at.readAccount, {
  access: 'session',
  answer: z.object({ account: accountAnswer, sessionId: z.string(), workspaces: z.array(membership) }),
  status: 200,
})

export const renameAccount = contract(at.renameAccount, {
  access: 'session',
  body: z.strictObject({ name }),
  answer: z.object({ name: z.string() }),
  status: 200,
})

export const deleteAccount = contract(at.deleteAccount, {
  access: 'session',
  body: z.strictObject({ currentPassword: givenPassword }),
  status: 204,
})

export const changePassword = contract(at.changePassword, {
  access: 'session',
  body: z.strictObject({ currentPassword: givenPassword, password: newPassword }),
  status: 204,
})

/** Mails a link to the new address; the account has it when the link was opened. */
export const changeEmail = contract(at.changeEmail, {
  access: 'session',
  body: toEmail.extend({ currentPassword: givenPassword }),
  status: 202,
})

export const requestVerification = contract(at.requestVerification, {
  access: 'session',
  status: 202,
})

export const verifyEmail = contract(at.verifyEmail, {
  access: 'public',
  body: z.strictObject({ token: linkToken }),
  status: 204,
})

export const requestPasswordReset = contract(at.requestPasswordReset, {
  access: 'public',
  body: toEmail,
  status: 202,
})

export const resetPassword = contract(at.resetPassword, {
  access: 'public',
  body: z.strictObject({ token: linkToken, password: newPassword }),
  status: 204,
})
