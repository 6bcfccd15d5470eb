import { z } from 'zod'
import { AppError } from '../../lib/errors.ts'
import { emailKey } from './email-rules.ts'

const MIN_PASSWORD_CHARACTERS = 12
const MAX_PASSWORD_CHARACTERS = 128

/** A password as it is chosen: long, and composed alike on every keyboard. No rule about kinds of characters. */
export const newPassword = z
  .string()
  .transform((text) => text.normalize('NFKC'))
  .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), 'must not contain control characters')
  .refine(
    (text) => [...text].length >= MIN_PASSWORD_CHARACTERS,
    `must have at least ${MIN_PASSWORD_CHARACTERS} characters`,
  )
  .refine(
    (text) => [...text].length <= MAX_PASSWORD_CHARACTERS,
    `must have at most ${MAX_PASSWORD_CHARACTERS} characters`,
  )
  .refine((text) => new Set(text).size > 1, 'must not repeat one character')

/** A password as it is given to be checked: anything, within reason. */
export const givenPassword = z
  .string()
  .max(4 * MAX_PASSWORD_CHARACTERS, 'is too long')
  .transform((text) => text.normalize('NFKC'))

/** @throws AppError invalid_body, field `password`, when the address itself is the password */
export function checkPasswordIsNotEmail(password: string, email: string): void {
  if (emailKey(password) !== emailKey(email)) return
  throw new AppError('invalid_body', 'password: must not be your e-mail address', { field: 'password' })
}
