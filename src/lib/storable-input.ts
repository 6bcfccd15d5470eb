import { z } from 'zod'
import { isStorable, NOT_STORABLE } from './text.ts'

/** A text from outside that PostgreSQL can be asked for. */
export const storableString = z.string().refine(isStorable, NOT_STORABLE)

/** Returns what a text from outside holds as JSON; undefined where it is not JSON, or a text in it cannot be stored. */
export function storableJson(text: string): unknown {
  try {
    // An escape hides a character from whoever looks at the text before it is parsed.
    return JSON.parse(text, (key, value) => {
      if (!isStorable(key) || (typeof value === 'string' && !isStorable(value))) throw new TypeError(NOT_STORABLE)
      return value
    })
  } catch {
    return undefined
  }
}
