import type { Instant } from '../../lib/instant.ts'
import { isNews, isTrue, type MeasuredChange } from './measure-rules.ts'

/** One line that counts against a replay, with what is needed to look at it. */
export type Miss = {
  what: 'unpublished' | 'late' | 'torn' | 'unit_flip_published' | 'zero_published' | 'false_removal'
  /** The line: provider, resource, dimension, unit, currency and tier. */
  key: string
  at: Instant
  before?: string
  after?: string
  /** When the source listed something else. */
  until?: Instant
  hours?: number
  /** What the price was held for. */
  reasons?: string[]
}

/** Returns everything that keeps a replay from being perfect. */
export function findMisses(
  measured: MeasuredChange[],
  torn: MeasuredChange[],
  falselyRemoved: { key: string; at: Instant }[],
  withinHours: number,
): Miss[] {
  const ofChange = (what: Miss['what'], { change, hours, reasons }: MeasuredChange): Miss => {
    const { key, at, before, after, until } = change
    return { what, key, at, before, after, until, hours, reasons }
  }
  const isPublished = ({ hours }: MeasuredChange) => hours !== undefined
  const select = (what: Miss['what'], found: MeasuredChange[]) => found.map((one) => ofChange(what, one))
  const truly = measured.filter(isTrue)
  const published = measured.filter(isNews)
  return [
    ...select(
      'unpublished',
      truly.filter((one) => !isPublished(one)),
    ),
    ...select(
      'late',
      truly.filter(({ hours }) => hours !== undefined && hours > withinHours),
    ),
    ...select('torn', torn),
    ...select(
      'unit_flip_published',
      published.filter(({ flip }) => flip && flip !== 'correction'),
    ),
    ...select(
      'zero_published',
      published.filter(({ change }) => change.kind === 'to_zero'),
    ),
    ...falselyRemoved.map(({ key, at }) => ({ what: 'false_removal' as const, key, at })),
  ]
}
