import { z } from 'zod'
import { AppError } from '../lib/errors.ts'
import { composedName, isTurning, isVisible } from '../lib/text.ts'

/** Characters in the name of a webhook, API key or workspace (specification, Limits). */
const MAX_NAME_CHARACTERS = 80

/**
 * A name as people type it: composed, trimmed, 1 to 80 characters, none of them a control, one at least visible.
 * Characters are code points, as PostgreSQL counts them: a family of emoji counts as several.
 */
export const displayName = z
  .string()
  .transform(composedName)
  .refine((text) => text !== '', 'must not be empty')
  .refine(isVisible, 'must have a visible character')
  .refine((text) => [...text].length <= MAX_NAME_CHARACTERS, `must be at most ${MAX_NAME_CHARACTERS} characters`)
  .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), 'must not contain control characters')
  .refine((text) => !isTurning(text), 'must not contain characters that turn the direction of text')

/** @throws AppError invalid_body (field `name`) */
export function readName(text: string): string {
  const parsed = displayName.safeParse(text)
  if (parsed.success) return parsed.data
  throw new AppError('invalid_body', `The name ${parsed.error.issues[0]?.message}.`, { field: 'name' })
}
