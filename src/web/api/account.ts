import { queryOptions } from '@tanstack/react-query'
import type * as account from '../../app/contracts/account.ts'
import type * as factor from '../../app/contracts/second-factor.ts'
import type * as sessions from '../../app/contracts/sessions.ts'
import { ApiError, call } from './connection/client.ts'
import { draftsOf } from './connection/drafts.ts'

type Token = { token: string }
type NewAccount = Token & { name: string; password: string; email?: string }

/** The signed-in user, and what visitors may do, as it is now. */
export async function readSession() {
  const read = await call<typeof sessions.readSession>('GET', '/v1/session', {})
  if (read.session) draftsOf(read.session.account.accountId)
  return read
}

/** The signed-in user and their workspaces; null for a visitor. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => (await readSession()).session,
})

/** The same, and whether visitors may read prices, changes and documents. */
export const visitorQuery = queryOptions({
  queryKey: ['visitor'],
  queryFn: readSession,
})

/** The same for pages that need an account. @throws ApiError 401 for a visitor */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async () => {
    const { session } = await readSession()
    if (session) return session
    throw new ApiError(401, { code: 'unauthorized', message: 'Your session has ended: sign in again.' })
  },
})

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => call<typeof sessions.listSessions>('GET', '/v1/sessions', {}),
})

export const signIn = (body: { email: string; password: string; code?: string }) =>
  call<typeof sessions.signIn>('POST', '/v1/sessions', { body })
export const signOut = () => call<typeof sessions.signOut>('DELETE', '/v1/sessions/current', {})
export const endSession = (sessionId: string) =>
  call<typeof sessions.endSession>('DELETE', '/v1/sessions/:sessionId', { params: { sessionId } })
export const signOutEverywhere = () => call<typeof sessions.signOutEverywhere>('DELETE', '/v1/sessions', {})

export const requestSignUp = (body: { email: string }) => call<typeof account.signUp>('POST', '/v1/sign-up', { body })
export const createAccount = (body: NewAccount) => call<typeof account.createAccount>('POST', '/v1/account', { body })
export const renameAccount = (body: { name: string }) =>
  call<typeof account.renameAccount>('PATCH', '/v1/account', { body })
export const changePassword = (body: { currentPassword: string; password: string }) =>
  call<typeof account.changePassword>('PUT', '/v1/account/password', { body })
export const changeEmail = (body: { email: string; currentPassword: string }) =>
  call<typeof account.changeEmail>('PUT', '/v1/account/email', { body })
export const deleteAccount = (body: { currentPassword: string }) =>
  call<typeof account.deleteAccount>('DELETE', '/v1/account', { body })
export const requestVerification = () =>
  call<typeof account.requestVerification>('POST', '/v1/account/verification', {})
export const verifyEmail = (body: Token) =>
  call<typeof account.verifyEmail>('POST', '/v1/account/verification/confirm', { body })
export const requestPasswordReset = (body: { email: string }) =>
  call<typeof account.requestPasswordReset>('POST', '/v1/password-reset', { body })
export const resetPassword = (body: Token & { password: string }) =>
  call<typeof account.resetPassword>('POST', '/v1/password-reset/confirm', { body })

export const totpQuery = queryOptions({
  queryKey: ['totp'],
  queryFn: () => call<typeof factor.readTotp>('GET', '/v1/account/totp', {}),
})
export const beginTotp = (body: { currentPassword: string }) =>
  call<typeof factor.beginTotp>('POST', '/v1/account/totp', { body })
export const confirmTotp = (body: { code: string }) =>
  call<typeof factor.confirmTotp>('POST', '/v1/account/totp/confirm', { body })
export const turnTotpOff = (body: { currentPassword: string; code: string }) =>
  call<typeof factor.turnTotpOff>('DELETE', '/v1/account/totp', { body })
