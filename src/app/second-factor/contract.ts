import { z } from 'zod'
import { givenPassword } from '../../accounts/users/password-rules.ts'
import { contract } from '../contract.ts'
import { instant, typedCode } from '../parts.ts'

/** Codes of an authenticator app (TOTP), which are asked for after the password. */
export const readTotp = contract('GET', '/v1/account/totp', {
  access: 'session',
  answer: z.object({
    offered: z.boolean().describe('this installation lets people turn it on'),
    on: z.object({ since: instant, recoveryCodes: z.int() }).nullable(),
  }),
  status: 200,
})

export const beginTotp = contract('POST', '/v1/account/totp', {
  access: 'session',
  body: z.strictObject({ currentPassword: givenPassword }),
  answer: z.object({ secret: z.string(), uri: z.string().describe('what a QR code carries into the app') }),
  status: 201,
})

export const confirmTotp = contract('POST', '/v1/account/totp/confirm', {
  access: 'session',
  body: z.strictObject({ code: typedCode }),
  answer: z.object({ recoveryCodes: z.array(z.string()) }),
  status: 200,
})

export const turnTotpOff = contract('DELETE', '/v1/account/totp', {
  access: 'session',
  body: z.strictObject({ currentPassword: givenPassword, code: typedCode }),
  status: 204,
})
