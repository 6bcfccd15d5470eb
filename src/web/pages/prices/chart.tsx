import { Skeleton } from '@mantine/core'
import { Suspense } from 'react'
import { lazyPart } from '../../components/lazy-part.ts'
import { CHART_COLORS } from './chart-colors.ts'
import { Legend } from './legend.tsx'
import type { PriceLine } from './lines.ts'
import type { Marker } from './step-chart.tsx'

const StepChart = lazyPart(() => import('./step-chart.tsx'))
const HEIGHT = 240

type Props = {
  lines: PriceLine[]
  labels: string[]
  asOf: string
  markers?: Marker[]
  height?: number
  colors?: string[]
  /** The lines are named elsewhere. */
  withoutLegend?: boolean
}

/** A step chart, whose library is loaded on demand. Its room is kept meanwhile. */
export function Chart({ withoutLegend, ...props }: Props) {
  const { lines, labels, colors = CHART_COLORS, height = HEIGHT } = props
  const items = lines.map(({ key }, n) => ({ key, label: labels[n] ?? '', color: colors[n % colors.length]! }))
  return (
    <>
      <Suspense fallback={<Skeleton h={height} />}>
        <StepChart {...props} />
      </Suspense>
      {!withoutLegend && lines.length > 1 && <Legend items={items} />}
    </>
  )
}
