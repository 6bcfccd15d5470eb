import type { z } from 'zod'
import { AppError } from '../errors.ts'
import { isStorable, NOT_STORABLE } from '../text.ts'
import { problemOf } from '../zod-problem.ts'

/**
 * Reads a body, or says which field is wrong: `filters.openai.resources`, not the entry's number in it.
 * @param what the body is of, for messages: "a webhook"
 * @param anyText whether its texts may be such as PostgreSQL cannot store, because they are only looked at
 * @throws AppError invalid_body with `field`
 */
export function readBody<T extends z.ZodType>(schema: T, body: unknown, what: string, anyText = false): z.output<T> {
  const proto = protoField(body)
  if (proto) throw new AppError('invalid_body', `${proto}: is not a field of ${what}`, { field: proto })
  if (!anyText) refuseUnstorable(body, [])
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const path = [...issue.path.filter((step) => typeof step === 'string'), ...unknown]
  throw invalidBody(path, unknown.length > 0 ? `is not a field of ${what}` : problemOf(issue))
}

function invalidBody(path: string[], problem: string): AppError {
  const field = path.length > 0 ? path.join('.') : undefined
  return new AppError('invalid_body', field ? `${field}: ${problem}` : 'The body must be a JSON object.', { field })
}

/** No body of ours is nested deeper. */
const MAX_DEPTH = 16

/** Returns where a body has a member called `__proto__`. JSON may have one, and zod's records drop it in silence. */
function protoField(body: unknown, depth = 0): string | undefined {
  if (body === null || typeof body !== 'object') return undefined
  if (depth > MAX_DEPTH) throw new AppError('invalid_body', 'The body is nested too deep.')
  for (const key of Object.keys(body)) {
    if (key === '__proto__') return key
    const inner = protoField((body as Record<string, unknown>)[key], depth + 1)
    if (inner) return `${key}.${inner}`
  }
  return undefined
}

function refuseUnstorable(body: unknown, path: string[]): void {
  if (typeof body === 'string' && !isStorable(body)) throw invalidBody(path, NOT_STORABLE)
  if (body === null || typeof body !== 'object') return
  for (const [key, value] of Object.entries(body)) {
    if (!isStorable(key)) throw invalidBody(path, NOT_STORABLE)
    refuseUnstorable(value, Array.isArray(body) ? path : [...path, key])
  }
}
