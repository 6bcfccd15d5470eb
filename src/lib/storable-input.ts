import { z } from 'zod'
import { isStorable, NOT_STORABLE } from './text.ts'

/** A text from outside that PostgreSQL can be asked for. */
export const storableString = z.string().refine(isStorable, NOT_STORABLE)

/** Returns what a text from outside holds as JSON; undefined where it is not JSON, or a text in it cannot be stored. */
export function storableJson(text: string): unknown {
  try {
    // An escape hides a character from whoever looks at the text before it is parsed.
    const value = JSON.parse(text)
    return hasOnlyStorable(value) ? value : undefined
  } catch {
    return undefined
  }
}

// Not with a reviver: with one, V8 was seen to read `[` as an empty list.
const hasOnlyStorable = (value: unknown): boolean => {
  if (typeof value === 'string') return isStorable(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, part]) => isStorable(key) && hasOnlyStorable(part))
}
