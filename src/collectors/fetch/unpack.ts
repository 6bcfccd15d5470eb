import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

/**
 * Unpacks a file that is compressed by itself (`prices.json.gz`), besides what the transfer does. It stays in this
 * process: zlib works on a thread of its own, in linear time, and stops at the limit.
 * @returns undefined when it is damaged or larger than `maxBytes`
 */
export async function unpack(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array | undefined> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return new Uint8Array(await promisify(gunzip)(bytes, { maxOutputLength: maxBytes }))
  } catch {
    return undefined
  }
}
