import { type QueryClient, queryOptions } from '@tanstack/react-query'
import * as account from '../../app/account/endpoints.ts'
import * as factor from '../../app/second-factor/endpoints.ts'
import * as sessions from '../../app/sessions/endpoints.ts'
import { ACCOUNT_HEADER } from '../../lib/http/account-header.ts'
import { ApiError, call } from './connection/client.ts'
import { draftsOf } from './connection/drafts.ts'

type Token = { token: string }
type NewAccount = Token & { name: string; password: string; email?: string }

const ended = (field?: string) =>
  new ApiError(401, {
    code: 'unauthorized',
    message: 'Your session has ended: sign in again.',
    ...(field && { field }),
  })

/**
 * The signed-in user, and what visitors may do, as it is now.
 * @param expected the account that it was before
 * @throws ApiError 401 when someone else has signed in since, in another tab
 */
export async function readSession(expected?: string) {
  const read = await call(sessions.readSession, {})
  const accountId = read.session?.account.accountId
  if (accountId && expected && accountId !== expected) throw ended(ACCOUNT_HEADER)
  if (accountId) draftsOf(accountId)
  return read
}
type Session = Awaited<ReturnType<typeof readSession>>['session']

const ACCOUNT = ['account']
/** What a tab reads is of one account, until someone signs in there. */
const readOwnSession = ({ client }: { client: QueryClient }) =>
  readSession(client.getQueryData<Session>(ACCOUNT)?.account.accountId)

/** The signed-in user and their workspaces; null for a visitor. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => (await readSession()).session,
})

/** The same, and whether visitors may read prices, changes and documents. */
export const visitorQuery = queryOptions({
  queryKey: ['visitor'],
  queryFn: readOwnSession,
})

/** The same for pages that need an account. @throws ApiError 401 for a visitor */
export const accountQuery = queryOptions({
  queryKey: ACCOUNT,
  queryFn: async (context) => {
    const { session } = await readOwnSession(context)
    if (session) return session
    throw ended()
  },
})

/** Reads who has opened a page that visitors may have too. What other pages have read of the account may be newer: it stays. */
export async function readVisitor(queryClient: QueryClient) {
  const visitor = await queryClient.ensureQueryData(visitorQuery)
  if (visitor.session && !queryClient.getQueryData(accountQuery.queryKey))
    queryClient.setQueryData(accountQuery.queryKey, visitor.session)
  return visitor
}

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => call(sessions.listSessions, {}),
})

export const signIn = (body: { email: string; password: string; code?: string }) => call(sessions.signIn, { body })
export const signOut = () => call(sessions.signOut, {})
export const endSession = (sessionId: string) => call(sessions.endSession, { params: { sessionId } })
export const signOutEverywhere = () => call(sessions.signOutEverywhere, {})

export const requestSignUp = (body: { email: string }) => call(account.signUp, { body })
export const createAccount = (body: NewAccount) => call(account.createAccount, { body })
export const renameAccount = (body: { name: string }) => call(account.renameAccount, { body })
export const changePassword = (body: { currentPassword: string; password: string }) =>
  call(account.changePassword, { body })
export const changeEmail = (body: { email: string; currentPassword: string }) => call(account.changeEmail, { body })
export const deleteAccount = (body: { currentPassword: string }) => call(account.deleteAccount, { body })
export const requestVerification = () => call(account.requestVerification, {})
export const verifyEmail = (body: Token) => call(account.verifyEmail, { body })
export const requestPasswordReset = (body: { email: string }) => call(account.requestPasswordReset, { body })
export const resetPassword = (body: Token & { password: string }) => call(account.resetPassword, { body })

export const totpQuery = queryOptions({
  queryKey: ['totp'],
  queryFn: () => call(factor.readTotp, {}),
})
export const beginTotp = (body: { currentPassword: string }) => call(factor.beginTotp, { body })
export const confirmTotp = (body: { code: string }) => call(factor.confirmTotp, { body })
export const turnTotpOff = (body: { currentPassword: string; code: string }) => call(factor.turnTotpOff, { body })
