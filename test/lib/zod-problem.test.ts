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

  it('is what the schema says where it has words of its own', () => {
    expect(problem(z.string('must be a name'), undefined)).toBe('must be a name')
    expect(problem(z.string().min(1, 'must have a character'), '')).toBe('must have a character')
  })
})
