import { randomBytes } from 'node:crypto'
import { lastCharacters } from './api-key-rules.ts'

const PREFIX = 'ptk_'
const RANDOM_BYTES = 32

/**
 * Returns a new key: 256 random bits, so that its plain SHA-256 is safe to store. Its last characters name it in
 * commands, so they do not look like an option.
 */
export function newApiKey(): string {
  const key = PREFIX + randomBytes(RANDOM_BYTES).toString('base64url')
  return lastCharacters(key).startsWith('-') ? newApiKey() : key
}
