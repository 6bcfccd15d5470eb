import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { PriceLine } from './lines.ts'
import type { Marker } from './step-chart.tsx'

const StepChart = lazy(() => import('./step-chart.tsx'))
const HEIGHT = 240

/** A step chart, whose library is loaded on demand. Its room is kept meanwhile. */
export const Chart = (props: {
  lines: PriceLine[]
  labels: string[]
  asOf: string
  markers?: Marker[]
  height?: number
}) => (
  <Suspense fallback={<Skeleton h={props.height ?? HEIGHT} />}>
    <StepChart {...props} />
  </Suspense>
)
