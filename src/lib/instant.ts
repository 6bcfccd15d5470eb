/**
 * Instants travel as RFC 3339 UTC strings with exactly milliseconds (`2026-11-21T10:15:00.000Z`), which sort as text.
 * What is shown is what is stored and compared: columns are `timestamptz(3)`.
 */
declare const brand: unique symbol
export type Instant = string & { readonly [brand]: 'Instant' }

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

const RFC3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/

/**
 * Returns the instant that a text names: RFC 3339 with any offset, fractions beyond milliseconds cut; undefined when it
 * names none. A leap second, which our clocks do not have, is the last millisecond before it.
 */
export function parseInstant(text: string): Instant | undefined {
  const parts = RFC3339.exec(text)
  if (!parts) return undefined
  const [, year, month, day, hour, minute, second, fraction = '', zone] = parts
  // Date.parse rolls 30 February over into March, so a day is checked against its month.
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  if (Number(day) > days || Number(hour) > 23) return undefined
  const isLeap = second === '60'
  const millis = `${fraction}000`.slice(fraction ? 1 : 0, fraction ? 4 : 3)
  const seconds = isLeap ? '59.999' : `${second}.${millis}`
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${seconds}${zone?.toUpperCase()}`)
  if (Number.isNaN(at) || at < MIN_EPOCH || at > MAX_EPOCH || (isLeap && !endsMonth(at))) return undefined
  return instantOf(at)
}

/** Leap seconds are inserted at the end of a month, in UTC. */
const endsMonth = (epoch: number): boolean => instantOf(epoch + 1).endsWith('-01T00:00:00.000Z')

/** PostgreSQL and RFC 3339 agree from the first day of year 1 to the last of the year 9999. */
const MIN_EPOCH = Date.parse('0001-01-01T00:00:00Z')
const MAX_EPOCH = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

export const instantOf = (epochMs: number): Instant => new Date(epochMs).toISOString() as Instant
export const epochMs = (instant: Instant): number => Date.parse(instant)
export const plus = (instant: Instant, ms: number): Instant => instantOf(epochMs(instant) + ms)

/** Returns the earlier of two instants. */
export const earliest = (a: Instant, b: Instant): Instant => (a < b ? a : b)

export function latest(a: Instant, b: Instant): Instant {
  if (a >= b) return a
  return b
}

/** The usual one: in UTC, with the milliseconds of our columns. */
const PRINTED = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\+00$/

/** What PostgreSQL prints for a `timestamptz` (`2026-11-21 10:15:00.5+00`), as an instant. */
export function fromDatabase(text: string): Instant {
  const [, day, time, fraction = ''] = PRINTED.exec(text) ?? []
  // Every row has instants, and reading one as a date takes five times as long.
  if (day) return `${day}T${time}.${fraction.padEnd(3, '0')}Z` as Instant
  const at = Date.parse(text.replace(' ', 'T').replace(/([+-]\d{2})$/, '$1:00'))
  if (Number.isNaN(at)) throw new Error(`not a timestamp: ${text}`)
  return instantOf(at)
}
