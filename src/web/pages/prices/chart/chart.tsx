import { Skeleton } from '@mantine/core'
import { Suspense } from 'react'
import { lazyPart } from '../../../components/loading/lazy-part.ts'
import { CHART_COLORS } from './chart-colors.ts'
import { Legend } from './legend.tsx'
import type { StepChartProps } from './step-chart.tsx'

const StepChart = lazyPart(() => import('./step-chart.tsx'))
const HEIGHT = 240

type Props = Omit<StepChartProps, 'height' | 'colors'> & {
  height?: number
  /** Colours of the lines, where other charts of the page draw the same. */
  colors?: string[]
  /** The lines are named elsewhere. */
  withoutLegend?: boolean
}

/** A step chart, whose library is loaded on demand. Its room is kept meanwhile. */
export function Chart({ withoutLegend, height = HEIGHT, colors = CHART_COLORS, ...props }: Props) {
  const { lines, labels } = props
  const items = lines.map(({ key }, n) => ({ key, label: labels[n] ?? '', color: colors[n % colors.length]! }))
  return (
    <>
      <Suspense fallback={<Skeleton h={height} />}>
        <StepChart {...props} height={height} colors={colors} />
      </Suspense>
      {!withoutLegend && lines.length > 1 && <Legend items={items} />}
    </>
  )
}
