import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import type { WebhookStatistics } from '../../api/webhooks.ts'
import { toTheMinute } from '../../instants.ts'

const SERIES = [
  { name: 'succeeded', label: 'Succeeded', color: 'teal.6' },
  { name: 'retrying', label: 'Retrying', color: 'orange.5' },
  { name: 'failed', label: 'Failed', color: 'red.7' },
  { name: 'notSent', label: 'Not sent', color: 'gray.5' },
]

type Props = { steps: WebhookStatistics['day']['steps']; height: number; label: string }

/** What became of deliveries, by the hour or day in which they were created. Loaded when a page shows it. */
export default function OutcomesChart({ steps, height, label }: Props) {
  return (
    <BarChart
      h={height}
      data={steps}
      dataKey="at"
      type="stacked"
      series={SERIES}
      withYAxis={false}
      gridAxis="none"
      xAxisProps={{ tickFormatter: toTheMinute, interval: steps.length - 2 }}
      barProps={{ isAnimationActive: false }}
      tooltipProps={{ labelFormatter: (at) => toTheMinute(String(at)) }}
      role="img"
      aria-label={label}
    />
  )
}
