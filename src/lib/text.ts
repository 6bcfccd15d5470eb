/** What PostgreSQL stores neither in text nor in jsonb: NUL, and one half of a character of two (a lone surrogate). */
const UNSTORABLE = /[\0\p{Surrogate}]/u
const EVERY_UNSTORABLE = /[\0\p{Surrogate}]/gu
/** Whatever stands behind a name with one of these in the same paragraph would be read backwards. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/u
/** What would move the cursor of a terminal, split a line or turn its direction. */
const CONTROL = /[\p{Cc}\p{Surrogate}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu

/** Spaces that look like one but are others: no-break, thin, ideographic … */
const SPACES = /\p{Zs}+/gu
/** A character that leaves a mark on the screen. A Braille pattern without dots leaves none. */
const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u

/** A name as it is stored and looked up: composed (NFC), with plain single spaces between its words. */
export const composedName = (text: string): string => text.normalize('NFC').replace(SPACES, ' ').trim()

/** Whether a person would see anything of this text. */
export const isVisible = (text: string): boolean => VISIBLE.test(text)

/** Whether a name turns the direction of the text behind it. */
export const isTurning = (text: string): boolean => TURNING.test(text)

/** Whether a text from outside can be stored as it is. */
export const isStorable = (text: string): boolean => !UNSTORABLE.test(text)
/** What is wrong with a text that cannot. */
export const NOT_STORABLE = 'must not contain NUL or unpaired surrogates'

/** A text from outside as it can be stored: what cannot be becomes the replacement character. */
export const storableText = (text: string): string => text.replace(EVERY_UNSTORABLE, '\ufffd')

/** A text from outside as part of one line that people read. */
export const oneLine = (text: string, maxLength: number): string => {
  const line = text
    .slice(0, 2 * maxLength)
    .replace(CONTROL, ' ')
    .trim()
  return line.length > maxLength ? `${storableText(line.slice(0, maxLength - 1))}…` : line
}

/** Plain data from outside as it can be stored, keys included. */
export function storable<T>(value: T): T {
  if (typeof value === 'string') return storableText(value) as T
  if (Array.isArray(value)) return value.map(storable) as T
  if (value === null || typeof value !== 'object' || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [storableText(key), storable(item)])) as T
}
