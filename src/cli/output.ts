import { InvalidArgumentError } from 'commander'
import type { Instant } from '../lib/instant.ts'

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

export const plural = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`

/** An instant as lists show it: to the minute, in UTC. */
export const minuteOf = (instant: Instant): string => instant.slice(0, 16).replace('T', ' ')
