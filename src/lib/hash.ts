import { createHash } from 'node:crypto'

/** SHA-256 as 64 lower-case hex characters. */
export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')
