import { servedOf, totalsOf } from '../../prices/accuracy/accuracy-rules.ts'
import type { Accuracy } from '../../prices/accuracy/read-accuracy.ts'
import { STATES } from '../../prices/accuracy/schema.ts'
import { table } from '../output.ts'

type Newest = NonNullable<Accuracy['newest']>
type Counts = Pick<Newest['groups'][number], (typeof STATES)[number]>

const HEAD = ['Provider', 'Rank', 'Served', 'Contradicted', 'By provider', 'Independent', 'Own list', 'Unconfirmed']

const cells = (counts: Counts): string[] => [servedOf(counts), ...STATES.map((state) => counts[state])].map(String)

const hours = (value: number | null): string => (value === null ? '' : value.toFixed(1))

/** Returns what the daily measure gave as a table, totals first, the worst provider first. */
export function accuracyText({ newest }: Accuracy): string {
  if (!newest)
    return 'Nothing was measured yet. Prices are measured at 03:00 UTC. To measure now: npx pricetape price accuracy --measure'
  const { groups, total, measuredAt } = newest
  const rows = [
    ['all', '', ...cells(totalsOf(groups)), hours(total.hoursMedian), hours(total.hoursP90)],
    ...groups.map((group) => [
      ...[group.provider, group.rank, ...cells(group)],
      ...[hours(group.hoursMedian), hours(group.hoursP90)],
    ]),
  ]
  return [table([...HEAD, 'Hours, median', 'p90'], rows), `Measured ${measuredAt}.`].join('\n')
}
