import type { z } from 'zod'

const TYPES: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}
/** What zod says where a schema has no message of its own. */
const UNSAID = 'Invalid input: expected'

/** Returns what is wrong with a value, so that it says what to send: zod's own message names types of JavaScript. */
export function problemOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_type' || !issue.message.startsWith(UNSAID)) return issue.message
  const type = TYPES[issue.expected] ?? issue.expected
  return issue.message.endsWith('received undefined') ? `is missing: it must be ${type}` : `must be ${type}`
}
