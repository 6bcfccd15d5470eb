import { createHmac } from 'node:crypto'

const PREFIX = 'whsec_'

/** Returns the signature of a request as it stands in its header, without the version. */
export function signatureOf(secret: string, { id, timestamp, body }: { id: string; timestamp: string; body: string }) {
  const key = Buffer.from(secret.replace(PREFIX, ''), 'base64')
  return createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
}

/** Returns the signatures of version 1 in a header. A header may hold one for each of two secrets. */
export const signaturesIn = (header: string): string[] =>
  header
    .split(/[\s]+/)
    .filter((part) => part.startsWith('v1,'))
    .map((part) => part.slice(3))
