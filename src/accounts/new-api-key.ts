import { randomBytes } from 'node:crypto'

const PREFIX = 'ptk_'
const RANDOM_BYTES = 32

/** Returns a new key: 256 random bits, so that its plain SHA-256 is safe to store. */
export const newApiKey = (): string => PREFIX + randomBytes(RANDOM_BYTES).toString('base64url')
