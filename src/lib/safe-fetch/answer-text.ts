import { storableText } from '../text.ts'

/**
 * Returns bytes as text that PostgreSQL can store: what is not UTF-8 replaced, no NUL, at most `limit` bytes, and no
 * half character at the end when the bytes were cut there.
 */
export function answerText(bytes: Buffer, limit: number): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const text = storableText(decoder.decode(bytes, { stream: bytes.length >= limit }))
  if (Buffer.byteLength(text) <= limit) return text
  const cut = Buffer.from(text).subarray(0, limit)
  return new TextDecoder().decode(cut, { stream: true })
}
