import { useMemo } from 'react'
import type { Series } from '../../../api/prices.ts'
import { useChangeSearch } from '../../../components/hooks/use-change-search.ts'
import { Section } from '../../../components/section.tsx'
import { linesOf, type PriceLine } from '../table/lines.ts'
import { CostTable } from './cost-table.tsx'
import { costsOf } from './costs.ts'
import { searchOf, usageOf, type WorkloadSearch, workloadOf } from './workload.ts'
import { WorkloadForm } from './workload-form.tsx'

/** `series` is undefined while it is loading. */
type Props = { series: Series | undefined; lines: PriceLine[]; search: WorkloadSearch }

/** Whether something is priced by tokens, so that a workload has a cost. */
export const hasCosts = (lines: PriceLine[]): boolean =>
  lines.some(({ current, dimension }) => current && dimension.endsWith('_tokens'))

/** What a workload costs at each seller, of something that is priced by tokens. */
export function CostSection({ series, lines, search: { tokens, requests, service } }: Props) {
  const workload = useMemo(() => workloadOf({ tokens, requests, service }), [tokens, requests, service])
  const change = useChangeSearch()
  const costs = useMemo(
    () => series && costsOf(lines, linesOf(series.credits), usageOf(workload)),
    [lines, series, workload],
  )
  return (
    <Section
      title="What it costs"
      about="Tokens of one request. Each counts once: input is what is neither read from a cache nor written to one."
    >
      <WorkloadForm workload={workload} onChange={(next) => change(searchOf(next))} />
      <CostTable costs={costs} providers={series?.providers ?? {}} />
    </Section>
  )
}
