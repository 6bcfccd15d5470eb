import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import type { WebhookStatistics } from '../../api/webhooks.ts'
import { shownDay, toTheMinute } from '../../instants.ts'

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
      xAxisProps={{ tickFormatter: shortTime(steps), interval: steps.length - 2 }}
      barProps={{ isAnimationActive: false }}
      tooltipProps={{ labelFormatter: (at) => (at ? toTheMinute(String(at)) : '') }}
      role="img"
      aria-label={label}
    />
  )
}

/** The time of day of hours, the day of days. */
const shortTime = ([first, second]: Props['steps']) => {
  const areHours = first?.at.slice(11) !== second?.at.slice(11)
  return (at: string) => (areHours ? at.slice(11, 16) : shownDay(`${at.slice(0, 10)}T00:00:00Z`).slice(0, -5))
}
