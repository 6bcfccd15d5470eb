import { z } from 'zod'
import { emailAddress } from '../../accounts/users/email-rules.ts'
import { givenPassword } from '../../accounts/users/password-rules.ts'
import { contract } from '../contract.ts'
import { accountAnswer, instant, membership, typedCode } from '../parts.ts'

export const signIn = contract('POST', '/v1/sessions', {
  access: 'public',
  body: z.strictObject({ email: emailAddress, password: givenPassword, code: typedCode.optional() }),
  answer: z.object({ account: accountAnswer }),
  status: 201,
})

/** Never 401: a visitor who is not signed in is not a failure. */
export const readSession = contract('GET', '/v1/session', {
  access: 'visitor',
  answer: z.object({
    session: z
      .object({ account: accountAnswer, sessionId: z.string(), workspaces: z.array(membership) })
      .nullable()
      .describe('null: no one is signed in'),
    publicPages: z.boolean().describe('anyone may read prices, changes and documents'),
    signUp: z.enum(['open', 'invitation']).describe('who may create an account'),
    hasAccounts: z.boolean().describe('false: the first account waits for the link that only the operator sees'),
    provider: z
      .object({ name: z.string(), only: z.boolean().describe('no one signs in another way') })
      .nullable()
      .describe('the identity provider that people may sign in with; null: none'),
    passkeyHost: z.string().nullable().describe('the host name at which passkeys sign in; null: nowhere'),
  }),
  status: 200,
})

export const listSessions = contract('GET', '/v1/sessions', {
  access: 'session',
  answer: z.object({
    sessions: z.array(
      z.object({
        sessionId: z.string(),
        current: z.boolean(),
        createdAt: instant,
        lastSeenAt: instant,
        expiresAt: instant,
        address: z.string(),
        userAgent: z.string(),
      }),
    ),
  }),
  status: 200,
})

export const signOut = contract('DELETE', '/v1/sessions/current', {
  access: 'session',
  answer: z.object({
    continueAt: z.string().nullable().describe('the page that signs out at the identity provider; null: it is done'),
  }),
  status: 200,
})

export const endSession = contract('DELETE', '/v1/sessions/:sessionId', {
  access: 'session',
  status: 204,
})

export const signOutEverywhere = contract('DELETE', '/v1/sessions', {
  access: 'session',
  answer: z.object({ ended: z.int() }),
  status: 200,
})
