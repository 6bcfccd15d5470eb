import type { Accuracy } from '../../../api/operator.ts'

type Counts = Pick<
  Accuracy['history'][number],
  'contradicted' | 'byProvider' | 'independent' | 'ownList' | 'unconfirmed'
>

/** The states in the order of columns, with their names. */
export const STATES = {
  contradicted: 'Contradicted',
  unconfirmed: 'Unconfirmed',
  byProvider: 'By provider',
  independent: 'Independent',
  ownList: 'Own list',
} as const
export type State = keyof typeof STATES

const NAMES = Object.keys(STATES) as State[]

/** Returns how many prices are served. */
export const servedOf = (counts: Counts): number => NAMES.reduce((sum, name) => sum + counts[name], 0)

/** Returns the sums of groups. */
export const sumOf = (groups: Counts[]): Counts =>
  Object.fromEntries(NAMES.map((name) => [name, groups.reduce((sum, group) => sum + group[name], 0)])) as Counts

/** `1.2%`; what is not zero is not shown as zero. */
export function shownShare(count: number, of: number): string {
  if (count === 0 || of === 0) return '0%'
  const percent = (100 * count) / of
  return percent < 0.1 ? '<0.1%' : `${Number(percent.toFixed(percent < 10 ? 1 : 0))}%`
}

/** `2.5 h, 9 of 10 within 24 h`; a dash without changes. */
export function shownHours(median: number | null, p90: number | null): string {
  if (median === null || p90 === null) return '–'
  const hours = (value: number) => `${Number(value.toFixed(1))} h`
  return median === p90 ? hours(median) : `${hours(median)}, 9 of 10 within ${hours(p90)}`
}

export const shownChanges = (count: number): string =>
  count === 1 ? '1 change' : `${count.toLocaleString('en')} changes`
