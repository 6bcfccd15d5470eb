import { createHash, randomBytes } from 'node:crypto'

const RANDOM_BYTES = 32

/** A secret for a link or a cookie: 256 random bits, so that its plain SHA-256 is safe to store. */
export const newToken = (): string => randomBytes(RANDOM_BYTES).toString('base64url')

/** What is stored of a token. */
export const tokenHash = (token: string): Uint8Array => createHash('sha256').update(token).digest()
