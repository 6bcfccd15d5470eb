import { z } from 'zod'

/** An address can be this long at most (RFC 5321). */
const MAX_EMAIL_CHARACTERS = 254

/** An e-mail address as people type it. */
export const emailAddress = z
  .string()
  .trim()
  .max(MAX_EMAIL_CHARACTERS, `must be at most ${MAX_EMAIL_CHARACTERS} characters`)
  .pipe(z.email('must be an e-mail address'))

/** The address as it is looked up: mail servers that tell upper from lower case are gone. */
export const emailKey = (email: string): string => email.toLowerCase()
