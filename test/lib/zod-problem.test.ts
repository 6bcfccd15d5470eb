import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { problemOf } from '../../src/lib/zod-problem.ts'

const problem = (schema: z.ZodType, value: unknown): string => problemOf(schema.safeParse(value).error!.issues[0]!)

describe('what is wrong with a value', () => {
  it.each<[z.ZodType, string]>([
    [z.string(), 'a text'],
    [z.number(), 'a number'],
    [z.int(), 'a number'],
    [z.boolean(), 'true or false'],
    [z.array(z.string()), 'a list'],
    [z.object({}), 'an object'],
    [z.record(z.string(), z.string()), 'an object'],
  ])('names the type that is expected: %#', (schema, type) => {
    expect(problem(schema, null)).toBe(`must be ${type}`)
    expect(problem(schema, undefined)).toBe(`is missing: it must be ${type}`)
  })

  it('names a whole number where the number is none', () => {
    expect(problem(z.int(), 1.5)).toBe('must be a whole number')
  })

  it.each<[z.ZodType, unknown, string]>([
    [z.enum(['one', 'two']), 'three', 'must be one of one, two'],
    [z.literal('one'), 'two', 'must be one'],
    [z.string().max(3), 'abcd', 'must have at most 3 characters'],
    [z.string().min(3), 'ab', 'must have at least 3 characters'],
    [z.string().min(1), '', 'must not be empty'],
    [z.array(z.string()).max(2), ['a', 'b', 'c'], 'must have at most 2 entries'],
    [z.array(z.string()).min(2), ['a'], 'must have at least 2 entries'],
    [z.array(z.string()).min(1), [], 'must not be empty'],
    [z.number().max(3), 4, 'must be at most 3'],
    [z.number().min(1), 0, 'must be at least 1'],
    [z.number().positive(), 0, 'must be more than 0'],
    [z.number().negative(), 0, 'must be less than 0'],
    [z.email(), 'x', 'must be an e-mail address'],
    [z.uuid(), 'x', 'must be a UUID'],
    [z.url(), 'x', 'must be a URL'],
    [z.iso.datetime(), 'x', 'must be an instant such as 2026-08-01T00:00:00Z'],
    [z.string().regex(/^a/), 'b', 'is not written in the form that is expected'],
    [z.base64url(), '*', 'is not written in the form that is expected'],
  ])('says what fits: %#', (schema, value, said) => {
    expect(problem(schema, value)).toBe(said)
  })

  it('is what the schema says where it has words of its own', () => {
    expect(problem(z.string('must be a name'), undefined)).toBe('must be a name')
    expect(problem(z.string().min(1, 'must have a character'), '')).toBe('must have a character')
    expect(problem(z.enum(['one'], 'must be the first'), 'two')).toBe('must be the first')
    expect(problem(z.union([z.string(), z.number()]), null)).toBe('Invalid input')
  })
})
