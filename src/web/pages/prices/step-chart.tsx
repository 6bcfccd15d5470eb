import '@mantine/charts/styles.css'
import { LineChart } from '@mantine/charts'
import { Group, Paper, Stack, Text } from '@mantine/core'
import { exactInstant } from './as-of.tsx'
import { chartPoints, type PriceLine, rowAt } from './lines.ts'
import { shownPrice } from './money.ts'

export type Marker = { at: string; label: string }
type Props = { lines: PriceLine[]; labels: string[]; asOf: string; markers?: Marker[]; height?: number }

const COLORS = [
  'teal.7',
  'indigo.6',
  'orange.7',
  'grape.6',
  'cyan.8',
  'red.7',
  'lime.9',
  'pink.7',
  'blue.8',
  'yellow.9',
]
const HEIGHT = 240
const dayFormat = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' })

/** Prices as steps: each holds until the next one. Loaded when a page shows it. */
export default function StepChart({ lines, labels, asOf, markers = [], height = HEIGHT }: Props) {
  const points = chartPoints(lines, asOf)
  return (
    <LineChart
      h={height}
      data={points}
      dataKey="at"
      series={lines.map((_, n) => ({ name: `line${n}`, label: labels[n] ?? '', color: COLORS[n % COLORS.length]! }))}
      curveType="stepAfter"
      connectNulls={false}
      withLegend={lines.length > 1}
      legendProps={{ verticalAlign: 'bottom' }}
      dotProps={{ r: 2 }}
      strokeWidth={2}
      valueFormatter={(value) => String(value)}
      xAxisProps={{
        type: 'number',
        scale: 'time',
        domain: ['dataMin', 'dataMax'],
        tickFormatter: (at: number) => dayFormat.format(at),
        minTickGap: 48,
      }}
      yAxisProps={{ domain: [0, 'auto'], width: 64 }}
      referenceLines={markers.map(({ at, label }) => ({ x: Date.parse(at), label, color: 'gray.6' }))}
      tooltipProps={{
        content: ({ label, active }) => (active ? <Tip lines={lines} labels={labels} at={Number(label)} /> : null),
      }}
      lineChartProps={{ accessibilityLayer: true }}
      role="img"
      aria-label={`Chart of ${labels.join(', ')}`}
    />
  )
}

/** The rows that were served at an instant. */
function Tip({ lines, labels, at }: { lines: PriceLine[]; labels: string[]; at: number }) {
  return (
    <Paper withBorder shadow="md" p="xs">
      <Text size="xs" fw={600}>
        {exactInstant(new Date(at).toISOString())}
      </Text>
      <Stack gap={2}>
        {lines.map((line, n) => {
          const row = rowAt(line, at)
          return (
            <Group key={line.key} justify="space-between" gap="md" wrap="nowrap">
              <Text size="xs">{labels[n]}</Text>
              <Text size="xs" fw={600}>
                {row ? `${shownPrice(row.price, row.places)} ${row.currency}` : 'not served'}
              </Text>
            </Group>
          )
        })}
      </Stack>
    </Paper>
  )
}
