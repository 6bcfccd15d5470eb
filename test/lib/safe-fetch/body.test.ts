import { PassThrough } from 'node:stream'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { BadEncoding, readBody, TooLarge } from '../../../src/lib/safe-fetch/body.ts'

/** A body whose sender neither ends it nor sends more. */
function unended(bytes: Buffer | string) {
  const body = new PassThrough()
  body.write(bytes)
  return body
}

describe('a body that its sender does not end', () => {
  it.each([
    ['is too large', unended('x'.repeat(2_000)), undefined, TooLarge],
    ['is too large once it is decompressed', unended(gzipSync('x'.repeat(2_000))), 'gzip', TooLarge],
    ['is not gzip', unended('plain text'), 'gzip', BadEncoding],
    ['is encoded otherwise', unended('plain text'), 'zstd', BadEncoding],
  ])('and that %s is refused without waiting for the rest, and closed', async (_what, body, encoding, error) => {
    await expect(readBody(body, encoding, 1_000)).rejects.toThrow(error)
    expect(body.destroyed).toBe(true)
  })

  it.each([
    ['as it is', 'identity', (text: string) => text],
    ['compressed', 'br', brotliCompressSync],
  ])('is closed once its first bytes have arrived, %s', async (_how, encoding, encode) => {
    const body = unended(encode('first bytes and more'))
    const first = await readBody(body, encoding, 1_000, 5)
    expect(Buffer.from(first).toString()).toBe('first')
    expect(body.destroyed).toBe(true)
  })
})
