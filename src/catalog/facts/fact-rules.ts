import type { Fact, StatedFact } from './fact-schema.ts'

/** No model takes more; what is above it fills a gap in a list. */
const MOST_TOKENS = 1_000_000_000
/** A day, or a month where the day is not known. */
const DAY = /^(\d{4})-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?$/
const FIRST_YEAR = 2015
const LAST_YEAR = 2100

/** A number of tokens as it is stored; undefined for anything else, zero included. */
export function tokensOf(value: unknown): string | undefined {
  const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  const isCount = typeof count === 'number' && Number.isSafeInteger(count) && count > 0 && count <= MOST_TOKENS
  return isCount ? String(count) : undefined
}

/** A day as it is stored, of a text or of a time in seconds; undefined for anything else. */
export function dayOf(value: unknown): string | undefined {
  const isTime = typeof value === 'number' && Number.isFinite(value) && value > 0 && value < 1e10
  const text = isTime ? new Date(value * 1000).toISOString().slice(0, 10) : value
  const year = typeof text === 'string' ? Number(DAY.exec(text)?.[1]) : Number.NaN
  return year >= FIRST_YEAR && year <= LAST_YEAR ? (text as string) : undefined
}

/** What a list has in place of facts, as it writes them. */
export type WrittenFacts = Partial<Record<Fact, unknown>>

/** Returns the facts that a list states of a resource. What is not a fact says nothing. */
export function statedFacts(provider: string, resource: string, written: WrittenFacts): StatedFact[] {
  const read: [Fact, string | undefined][] = [
    ['context', tokensOf(written.context)],
    ['output', tokensOf(written.output)],
    ['released', dayOf(written.released)],
  ]
  return read.flatMap(([fact, value]) => (value === undefined ? [] : [{ provider, resource, fact, value }]))
}
