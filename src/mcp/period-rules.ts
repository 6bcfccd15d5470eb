import { type Instant, instantOf, parseInstant } from '../lib/instant.ts'

/** What a question asks about: one instant, or the time from one instant to another. */
export type Period = { from?: Instant; to: Instant }

const PART_OF_A_YEAR = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/

/**
 * Returns the period of `2026-03`, `2026-03-15` or `2026` in UTC, or the one instant of an RFC 3339 text. Undefined when
 * the text is none of them.
 */
export function readPeriod(text: string): Period | undefined {
  const parts = PART_OF_A_YEAR.exec(text.trim())
  if (!parts) {
    const to = parseInstant(text.trim())
    return to && { to }
  }
  const [year, month, day] = parts.slice(1).map((part) => (part === undefined ? undefined : Number(part)))
  const from = parseInstant(`${parts[1]}-${parts[2] ?? '01'}-${parts[3] ?? '01'}T00:00:00Z`)
  if (!from) return undefined
  const end =
    day !== undefined
      ? Date.UTC(year!, month! - 1, day + 1)
      : month !== undefined
        ? Date.UTC(year!, month, 1)
        : Date.UTC(year! + 1, 0, 1)
  return { from, to: instantOf(end - 1) }
}
