import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** Small steps, so that a compressed bomb is noticed soon after it passes the limit. */
const INFLATE_CHUNK = 64 * 1024

export class TooLarge extends Error {}
export class BadEncoding extends Error {}

const DECODERS = {
  gzip: () => createGunzip({ chunkSize: INFLATE_CHUNK }),
  'x-gzip': () => createGunzip({ chunkSize: INFLATE_CHUNK }),
  deflate: () => createInflate({ chunkSize: INFLATE_CHUNK }),
  br: () => createBrotliDecompress({ chunkSize: INFLATE_CHUNK }),
} as const
type Decoder = ReturnType<(typeof DECODERS)['gzip' | 'br']>

/**
 * A body's bytes, decompressed as its content encoding says: all of them, or the first this many.
 * @throws TooLarge beyond `maxBytes`, as transferred or as decompressed; BadEncoding when it cannot be decompressed
 */
export async function readBody(
  body: Readable,
  encoding: string | undefined,
  maxBytes: number,
  firstBytes = Number.POSITIVE_INFINITY,
): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of limited(decoded(body, maxBytes, encoding), maxBytes)) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= firstBytes) break
    }
  } finally {
    close(body)
  }
  return new Uint8Array(Buffer.concat(chunks, Math.min(size, firstBytes)))
}

const close = (body: Readable): void => void body.on('error', () => {}).destroy()

async function* limited(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    if (size > maxBytes) throw new TooLarge(`the body is larger than ${maxBytes} bytes`)
    yield chunk
  }
}

async function* decoded(body: Readable, maxBytes: number, encoding = 'identity'): AsyncGenerator<Buffer> {
  const source = limited(body, maxBytes)
  const name = encoding.trim().toLowerCase()
  if (name === 'identity' || name === '') return yield* source
  const create = DECODERS[name as keyof typeof DECODERS]
  // Several encodings one over another are how a bomb multiplies, and no source needs them.
  if (!create) throw new BadEncoding(`the content encoding ${name.slice(0, 40)} is not understood`)
  const decoder = create()
  // What feeds the decoder would wait for the rest.
  decoder.once('close', () => close(body))
  const feeding = feed(source, decoder)
  try {
    yield* decoder as AsyncIterable<Buffer>
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    if (/^Z_|BROTLI|ERR__ERROR/.test(code))
      throw new BadEncoding(`the ${name} encoding of the body is damaged (${code})`)
    throw error
  } finally {
    decoder.destroy()
    await feeding
  }
}

async function feed(source: AsyncIterable<Buffer>, decoder: Decoder) {
  try {
    for await (const chunk of source) {
      if (decoder.destroyed) return
      if (!decoder.write(chunk)) await drained(decoder)
    }
    decoder.end()
  } catch (error) {
    decoder.destroy(error as Error)
  }
}

const drained = (decoder: Decoder) =>
  new Promise<void>((done) => {
    decoder.once('drain', done).once('close', done)
  })
