import { InvalidArgumentError } from 'commander'
import { DAY, HOUR, type Instant, MINUTE, parseInstant } from '../lib/instant.ts'
import { layTable, wrap } from './layout.ts'

/** What every command has: its answer for people, or as one JSON value for programs. */
export type OutputOptions = { json?: boolean }

const USUAL_WIDTH = 80

/** How wide the terminal is; COLUMNS says it where there is none. */
export function terminalWidth(out: { columns?: number } = process.stdout): number {
  const columns = out.columns ?? Number(process.env.COLUMNS)
  return columns > 0 ? columns : USUAL_WIDTH
}

/** Prints an answer; its text is as wide as the terminal. */
export function print(options: OutputOptions, value: unknown, text: string): void {
  process.stdout.write(options.json ? `${JSON.stringify(value)}\n` : `${wrap(text, terminalWidth())}\n`)
}

/** Prints an answer that holds someone's text. It is broken on a terminal alone: a file gets it as it is. */
export function printLong(options: OutputOptions, value: unknown, text: string): void {
  const shown = process.stdout.isTTY ? wrap(text, terminalWidth()) : text
  process.stdout.write(options.json ? `${JSON.stringify(value)}\n` : `${shown}\n`)
}

/** Rows under their head, as wide as the terminal. */
export const table = (head: string[], rows: string[][]): string => layTable(head, rows, terminalWidth())

/** An option's value as a whole number from 1 on. */
export function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Write a whole number, 1 or more.')
}

/** An option's value as an instant. */
export function instantOption(text: string): Instant {
  const instant = parseInstant(text)
  if (instant) return instant
  throw new InvalidArgumentError('Write an RFC 3339 instant such as 2026-08-01T00:00:00Z.')
}

const UNITS_MS: Record<string, number> = { m: MINUTE, h: HOUR, d: DAY }

/** An option's value as an age in milliseconds: `90m`, `12h`, `3d`. */
export function ageMs(text: string): number {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  if (count && unit) return Number(count) * UNITS_MS[unit]!
  throw new InvalidArgumentError('Write minutes, hours or days: 90m, 12h, 3d.')
}

/** An instant as lists show it: to the minute, in UTC. */
export const minuteOf = (instant: Instant): string => instant.slice(0, 16).replace('T', ' ')

/** How long ago an instant was, in its largest unit. */
export function agoText(instant: Instant, now: Instant): string {
  const ms = Math.max(0, Date.parse(now) - Date.parse(instant))
  if (ms < MINUTE) return 'just now'
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ago`
  return ms < 2 * DAY ? `${Math.floor(ms / HOUR)} h ago` : `${Math.floor(ms / DAY)} days ago`
}
