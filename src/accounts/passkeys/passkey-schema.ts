import { z } from 'zod'
import type { Instant } from '../../lib/instant.ts'

/** A passkey as its owner sees it. */
export type Passkey = {
  passkeyId: string
  name: string
  /** Its owner's other devices have it too. */
  synced: boolean
  createdAt: Instant
  lastUsedAt: Instant | null
}

/** A credential's id has at most 1,023 bytes (WebAuthn, section 4). */
const MAX_ID_CHARACTERS = 1_364
const MAX_CHARACTERS = 12_000
const MAX_TRANSPORTS = 8

const base64url = z.string().regex(/^[\w-]*$/, 'is not base64url')
const credentialId = base64url.min(1, 'is missing').max(MAX_ID_CHARACTERS, 'is too long')
const bytes = base64url.min(1, 'is missing').max(MAX_CHARACTERS, 'is too long')

/** What every answer of a device has. The library reads the bytes in it, and refuses what is wrong. */
const answer = z.object({ id: credentialId, rawId: credentialId, type: z.literal('public-key') })
const transport = z.string().regex(/^[a-z-]{1,20}$/, 'is not a transport')

/** A new passkey, as browsers write it in JSON. What else they add is left out. */
export const newPasskeyAnswer = answer.extend({
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z.array(transport).max(MAX_TRANSPORTS).default([]),
  }),
})
export type NewPasskeyAnswer = z.output<typeof newPasskeyAnswer>

/** A use of a passkey, as browsers write it in JSON. */
export const passkeyAnswer = answer.extend({
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    /** Null in some browsers where the device names no account. */
    userHandle: base64url.max(MAX_ID_CHARACTERS).nullish(),
  }),
})
export type PasskeyAnswer = z.output<typeof passkeyAnswer>
