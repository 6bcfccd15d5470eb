import { InvalidArgumentError } from 'commander'
import { DAY, HOUR, type Instant, MINUTE } from '../lib/instant.ts'

/** What every command has: its answer for people, or as one JSON value for programs. */
export type OutputOptions = { json?: boolean }

export function print(options: OutputOptions, value: unknown, text: string): void {
  process.stdout.write(options.json ? `${JSON.stringify(value)}\n` : `${text}\n`)
}

/** Columns as wide as their content; the last one takes what is left. */
export function table(head: string[], rows: string[][]): string {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd()
  return [line(head), ...rows.map(line)].join('\n')
}

/** An option's value as a whole number from 1 on. */
export function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Write a whole number, 1 or more.')
}

const UNITS_MS: Record<string, number> = { m: MINUTE, h: HOUR, d: DAY }

/** An option's value as an age in milliseconds: `90m`, `12h`, `3d`. */
export function ageMs(text: string): number {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  if (count && unit) return Number(count) * UNITS_MS[unit]!
  throw new InvalidArgumentError('Write minutes, hours or days: 90m, 12h, 3d.')
}

export const plural = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`

/** An instant as lists show it: to the minute, in UTC. */
export const minuteOf = (instant: Instant): string => instant.slice(0, 16).replace('T', ' ')
