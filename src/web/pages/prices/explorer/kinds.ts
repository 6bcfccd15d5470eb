import { groupBy } from '../../../../lib/collections.ts'
import type { PriceLine } from '../table/lines.ts'

const USUAL = [
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'gpu_hours',
  'instance_hours',
]
/** Those first that most people look for. */
export const rankOf = (dimension: string): number => (USUAL.indexOf(dimension) + USUAL.length + 1) % (USUAL.length + 1)

/** Prices that can be drawn on one axis: of one dimension, in one currency and unit. */
export type Kind = { key: string; dimension: string; lines: PriceLine[]; isOnly: boolean }

/** Returns the lines of each kind, in each the standard price first, and the newest of several sources. */
export function byKind(lines: PriceLine[]): Kind[] {
  const groups = groupBy(lines, ({ dimension, currency, per }) => JSON.stringify([dimension, currency, per]))
  const tiers = ({ tier }: PriceLine) => Object.keys(tier).length
  const since = ({ current }: PriceLine) => current?.recordedAt ?? ''
  for (const group of groups.values())
    group.sort((a, b) => tiers(a) - tiers(b) || since(b).localeCompare(since(a)) || a.source.localeCompare(b.source))
  const kinds = [...groups.values()].map((own) => ({ dimension: own[0]!.dimension, lines: own }))
  kinds.sort(
    (a, b) =>
      rankOf(a.dimension) - rankOf(b.dimension) ||
      a.dimension.localeCompare(b.dimension) ||
      b.lines.length - a.lines.length,
  )
  return kinds.map(({ dimension, lines: own }) => {
    const same = kinds.filter((kind) => kind.dimension === dimension)
    const isFirst = same[0]!.lines === own
    const key = isFirst ? dimension : `${dimension} ${own[0]!.currency} ${own[0]!.per}`
    return { key, dimension, lines: own, isOnly: same.length === 1 }
  })
}
