import { SnapshotError } from '../collector.ts'
import { Decoding } from './decoding.ts'
import { mergeDuplicates } from './duplicate-keys.ts'
import { isObject, type JsonObject } from './json-object.ts'
import { parseJson } from './parse-json.ts'

export { isObject, type JsonObject } from './json-object.ts'

/** The text of a snapshot. @throws SnapshotError for bytes that are not text */
export function textOf(bytes: Uint8Array): string {
  const decoding = new Decoding(bytes)
  return decoding.read(bytes) + decoding.read()
}

/**
 * A snapshot as JSON. Where an object has a key twice with different values, a text in their stead says so.
 * @throws SnapshotError that tells an HTML page, a cut-off answer and other damage apart.
 */
export function readJson(bytes: Uint8Array): unknown {
  const text = textOf(bytes)
  if (text.trim() === '') throw new SnapshotError('The answer is empty; a list of prices was expected.')
  if (/^\s*<(!doctype|html|\?xml|head|body)/i.test(text))
    throw new SnapshotError('The answer is a web page, not JSON: the address may have moved or ask for a sign-in.')
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    if (/[[{,:]\s*(NaN|-?Infinity)\b/.test(text))
      throw new SnapshotError('The answer holds NaN or Infinity, which is not JSON and not a price.')
    const cut = !/[\]}]\s*$/.test(text)
    throw new SnapshotError(
      cut
        ? `The answer is cut off after ${bytes.length} bytes: its JSON does not end.`
        : `The answer is not JSON: ${error instanceof Error ? error.message.slice(0, 120) : error}.`,
    )
  }
  return mergeDuplicates(value, text)
}

/** A list of objects, or a sentence saying what is there instead. */
export function listOf(value: unknown, what: string): JsonObject[] {
  if (!Array.isArray(value)) throw new SnapshotError(`${what} is not a list: the format changed.`)
  if (value.length === 0) throw new SnapshotError(`${what} is an empty list.`)
  const odd = value.findIndex((item) => !isObject(item))
  if (odd >= 0) throw new SnapshotError(`${what} holds something that is not an object at position ${odd}.`)
  return value as JsonObject[]
}

/** A JSON Pointer (RFC 6901) to a position in a snapshot. */
export const pointer = (...path: (string | number)[]): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

export const textAt = (object: JsonObject, key: string): string | undefined => {
  const value = object[key]
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}
