import type { z } from 'zod'

type Issue = z.core.$ZodIssue

const TYPES: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}
const FORMATS: Record<string, string> = {
  email: 'an e-mail address',
  uuid: 'a UUID',
  url: 'a URL',
  datetime: 'an instant such as 2026-08-01T00:00:00Z',
}
const COUNTED: Record<string, string> = { string: 'characters', array: 'entries' }
/** How zod begins where a schema has no message of its own. */
const UNSAID = /^(Invalid|Too (big|small):)/

/** Returns what is wrong with a value, so that it says what to send: zod's own message names types of JavaScript. */
export function problemOf(issue: Issue): string {
  if (!UNSAID.test(issue.message)) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return typeProblem(issue)
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of ${issue.values.join(', ')}`
    case 'too_big':
    case 'too_small':
      return sizeProblem(issue)
    case 'invalid_format':
      return FORMATS[issue.format] ? `must be ${FORMATS[issue.format]}` : 'is not written in the form that is expected'
    default:
      return issue.message
  }
}

function typeProblem({ expected, message }: Extract<Issue, { code: 'invalid_type' }>): string {
  const type = TYPES[expected] ?? expected
  return message.endsWith('received undefined') ? `is missing: it must be ${type}` : `must be ${type}`
}

function sizeProblem(issue: Extract<Issue, { code: 'too_big' | 'too_small' }>): string {
  const counted = COUNTED[issue.origin]
  const most = issue.code === 'too_big'
  const limit = issue.code === 'too_big' ? issue.maximum : issue.minimum
  if (counted && !most && limit === 1) return 'must not be empty'
  if (counted) return `must have at ${most ? 'most' : 'least'} ${limit} ${counted}`
  return issue.inclusive
    ? `must be at ${most ? 'most' : 'least'} ${limit}`
    : `must be ${most ? 'less' : 'more'} than ${limit}`
}

/** Says what is wrong in a file, a line for each: where, and what. */
export const wrongLines = ({ issues }: z.ZodError): string[] =>
  issues.map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`)
