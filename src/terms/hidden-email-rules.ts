import { storableText } from '../lib/text.ts'
/** Returns the address that Cloudflare hides from robots: hex, each byte XORed with the first. */
export function decodeHiddenEmail(hex: string): string {
  const bytes = Buffer.from(hex.slice(0, 400), 'hex')
  const mask = bytes[0] ?? 0
  return storableText(Buffer.from(bytes.subarray(1).map((byte) => byte ^ mask)).toString('utf8'))
}
