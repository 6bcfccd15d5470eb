import { z } from 'zod'
import { givenPassword } from '../../accounts/users/password-rules.ts'
import { contract } from '../contract.ts'
import { accountAnswer, instant } from '../parts.ts'

/** As the provider wrote it: longer ones are not answers of a sign-in. */
const MAX_ANSWER_CHARACTERS = 8_000
const returned = z.strictObject({
  answer: z
    .string()
    .min(1, 'is missing')
    .max(MAX_ANSWER_CHARACTERS, 'is too long')
    .describe('the query of the address that the provider sent the browser back to'),
})
const url = z.object({ url: z.string().describe('the page of the provider') })

/** Where to sign in at the identity provider: once, within 15 minutes, with the cookie that comes with it. */
export const beginProviderSignIn = contract('POST', '/v1/sessions/identity/begin', {
  access: 'public',
  answer: url,
  status: 201,
})

export const signInWithProvider = contract('POST', '/v1/sessions/identity', {
  access: 'public',
  body: returned,
  answer: z.object({ account: accountAnswer }),
  status: 201,
})

export const listIdentities = contract('GET', '/v1/account/identities', {
  access: 'session',
  answer: z.object({
    provider: z.object({ name: z.string(), only: z.boolean() }).nullable().describe('null: none is set'),
    hasPassword: z.boolean(),
    mayUnlink: z.boolean().describe('another way to sign in remains'),
    asksForPassword: z.boolean().describe('linking needs the password: the last sign-in is not recent'),
    identities: z.array(
      z.object({
        identityId: z.string(),
        issuer: z.string(),
        email: z.string().nullable().describe('as the provider named it last'),
        createdAt: instant,
        lastUsedAt: instant.nullable(),
      }),
    ),
  }),
  status: 200,
})

export const beginLink = contract('POST', '/v1/account/identities/begin', {
  access: 'session',
  body: z.strictObject({ currentPassword: givenPassword.optional() }),
  answer: url,
  status: 201,
})

export const linkIdentity = contract('POST', '/v1/account/identities', {
  access: 'session',
  body: returned,
  status: 204,
})

export const unlinkIdentity = contract('DELETE', '/v1/account/identities/:identityId', {
  access: 'session',
  body: z.strictObject({ currentPassword: givenPassword }),
  status: 204,
})
