import { createHash } from 'node:crypto'

/** SHA-256 as 64 lower-case hex characters. */
export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

/** The form of {@link sha256}'s result. */
export const SHA256_HEX = /^[0-9a-f]{64}$/
