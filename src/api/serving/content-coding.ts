import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import Negotiator from 'negotiator'

export type Coding = 'zstd' | 'br' | 'gzip' | 'identity'
type Compress = (bytes: Buffer) => Promise<Buffer>

/** Measured on pages of 10,000 rows (docs/decisions/reads/2026-11-21-http-answers.md). */
const BROTLI_QUALITY = 4
const GZIP_LEVEL = 6
/** ZSTD_c_compressionLevel, by its number: the constants of Node 20 do not have it. */
const ZSTD_LEVEL = { 100: 1 }
/** A smaller body is sent as it is: its packets would not become fewer. */
const MIN_BYTES = 1_024

const brotli = promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliCompress)
const gzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gzip)

type Zstd = (bytes: Buffer, options: { params: object }, done: (error: Error | null, bytes: Buffer) => void) => void
/** Zstandard came with Node 22.15. */
const zstd = 'zstdCompress' in zlib ? promisify(zlib.zstdCompress as Zstd) : undefined

/** Node's own functions, which work in threads of their own. The first is the fastest, the second the smallest. */
const COMPRESS: Partial<Record<Coding, Compress>> = {
  ...(zstd && { zstd: (bytes: Buffer) => zstd(bytes, { params: ZSTD_LEVEL }) }),
  br: (bytes) => {
    const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_MODE, BROTLI_PARAM_SIZE_HINT, BROTLI_MODE_TEXT } = zlib.constants
    const params = {
      [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT,
      [BROTLI_PARAM_SIZE_HINT]: bytes.length,
    }
    return brotli(bytes, { params })
  },
  gzip: (bytes) => gzip(bytes, { level: GZIP_LEVEL }),
}

/** The codings of answers, the one we prefer first. */
const CODINGS = [...(Object.keys(COMPRESS) as Coding[]), 'identity'] as const satisfies Coding[]

/** The types of the library do not know its second parameter. */
type WithPreference = { encoding(available: readonly string[], options: { preferred: readonly string[] }): string }

/** Returns the coding that the client prefers, and among equals the first of ours. */
export function codingOf(headers: IncomingHttpHeaders): Coding {
  const negotiator = new Negotiator({ headers }) as unknown as WithPreference
  return (negotiator.encoding(CODINGS, { preferred: CODINGS }) as Coding | undefined) ?? 'identity'
}

/** Returns the body in that coding; undefined when it is better sent as it is. */
export async function encode(coding: Coding, body: Buffer): Promise<Buffer | undefined> {
  if (body.length < MIN_BYTES) return undefined
  return await COMPRESS[coding]?.(body)
}
