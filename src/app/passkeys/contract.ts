import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { z } from 'zod'
import { newPasskeyAnswer, passkeyAnswer } from '../../accounts/passkeys/passkey-schema.ts'
import { givenPassword } from '../../accounts/users/password-rules.ts'
import { contract } from '../contract.ts'
import { accountAnswer, instant, name } from '../parts.ts'

const passkey = z.object({
  passkeyId: z.string(),
  name,
  synced: z.boolean().describe('the other devices of its owner have it too'),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
})

export const listPasskeys = contract('GET', '/v1/account/passkeys', {
  access: 'session',
  answer: z.object({
    offered: z.enum(['yes', 'turned_off', 'needs_https']).describe('whether passkeys can be used, or why not'),
    host: z.string().nullable().describe('the host name at which they work'),
    asksForPassword: z.boolean().describe('adding one needs the password: the last sign-in is not recent'),
    passkeys: z.array(passkey),
  }),
  status: 200,
})

/** What a browser needs to make a passkey: once, within five minutes. */
export const beginPasskey = contract('POST', '/v1/account/passkeys/challenge', {
  access: 'session',
  body: z.strictObject({ currentPassword: givenPassword.optional() }),
  answer: z.object({ options: z.custom<PublicKeyCredentialCreationOptionsJSON>() }),
  status: 201,
})

export const addPasskey = contract('POST', '/v1/account/passkeys', {
  access: 'session',
  audit: 'passkey_added',
  body: z.strictObject({ name, passkey: newPasskeyAnswer }),
  answer: passkey,
  status: 201,
})

export const renamePasskey = contract('PATCH', '/v1/account/passkeys/:passkeyId', {
  access: 'session',
  audit: 'passkey_renamed',
  body: z.strictObject({ name }),
  answer: z.object({ name }),
  status: 200,
})

export const removePasskey = contract('DELETE', '/v1/account/passkeys/:passkeyId', {
  access: 'session',
  body: z.strictObject({ currentPassword: givenPassword }),
  status: 204,
})

/** What a browser needs to sign in with a passkey: once, within five minutes, with the cookie that comes with it. */
export const beginPasskeySignIn = contract('POST', '/v1/sessions/passkey/challenge', {
  access: 'public',
  answer: z.object({ options: z.custom<PublicKeyCredentialRequestOptionsJSON>() }),
  status: 201,
})

export const signInWithPasskey = contract('POST', '/v1/sessions/passkey', {
  access: 'public',
  body: z.strictObject({ passkey: passkeyAnswer }),
  answer: z.object({ account: accountAnswer }),
  status: 201,
})
