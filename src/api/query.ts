import type { FastifySchemaCompiler } from 'fastify'
import { z } from 'zod'
import { AppError } from '../lib/errors.ts'
import { problemOf } from '../lib/zod-problem.ts'

/** What one query parameter arrives as: a text, several when it repeats, or nothing. */
type Raw = unknown

/** A query parameter whose meaning is decided by code; `documented` is its JSON Schema in the OpenAPI document. */
export const parameter = (documented: Record<string, unknown>) => z.unknown().optional().meta(documented)

/** The text of a parameter that must not repeat; undefined when it is not there. */
export function single(raw: Raw, field: string): string | undefined {
  if (raw === undefined || typeof raw === 'string') return raw
  throw badQuery(field, `Send ${field} once.`)
}

/** The items of a parameter that may repeat and may hold several separated by commas, each once. */
export function list(raw: Raw): string[] | undefined {
  if (raw === undefined) return undefined
  const texts = Array.isArray(raw) ? raw : [raw]
  return [...new Set(texts.flatMap((text) => String(text).split(',')).map((item) => item.trim()))]
}

export const badQuery = (field: string, message: string): AppError => new AppError('invalid_query', message, { field })

/** Validates with zod and answers its first complaint as the product's error: an unknown parameter is named. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (data) => {
    const parsed = schema.safeParse(data)
    if (parsed.success) return { value: parsed.data }
    const issue = parsed.error.issues[0]!
    if (issue.code === 'unrecognized_keys') {
      const name = issue.keys[0]!
      return { error: badQuery(name, `There is no parameter ${JSON.stringify(name)} here: leave it out.`) }
    }
    const field = String(issue.path[0] ?? '')
    return { error: badQuery(field, `${field}: ${problemOf(issue)}`) }
  }
