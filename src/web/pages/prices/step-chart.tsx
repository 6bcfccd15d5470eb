import '@mantine/charts/styles.css'
import { LineChart } from '@mantine/charts'
import { ColorSwatch, Group, Paper, Stack, Text } from '@mantine/core'
import { exactInstant } from './as-of.tsx'
import { type ChartPoint, chartPoints, type PriceLine, rowAt } from './lines.ts'
import { shownPrice } from './money.ts'

export type Marker = { at: string; label: string }
export type StepChartProps = {
  lines: PriceLine[]
  labels: string[]
  asOf: string
  markers?: Marker[]
  height: number
  /** Colours of the lines, in their order. */
  colors: string[]
}

const UTC = { timeZone: 'UTC' } as const
const monthFormat = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', ...UTC })
const dayFormat = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', ...UTC })
const timeFormat = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', ...UTC })
const DAY_MS = 86_400_000
const MANY_DAYS = 120

/** Returns how instants are written below a chart: the shorter it is, the finer. */
function tickFormat(points: { at: number }[]): Intl.DateTimeFormat {
  const days = ((points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0)) / DAY_MS
  return days > MANY_DAYS ? monthFormat : days > 1 ? dayFormat : timeFormat
}

/** Returns the end of the axis: a round number above every price, so that the lines between are round too. */
function axisEnd(points: ChartPoint[], lines: number): number {
  const most = Math.max(
    0,
    ...points.flatMap((point) => Array.from({ length: lines }, (_, n) => point[`line${n}`] ?? 0)),
  )
  if (most === 0) return 1
  const size = 10 ** Math.floor(Math.log10(most))
  const step = ROUND.find((candidate) => candidate * size >= most * HEADROOM) ?? 10
  return Number((step * size).toPrecision(2))
}
const ROUND = [1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10, 12]
const HEADROOM = 1.02

/** Prices as steps: each holds until the next one. Loaded when a page shows it. */
export default function StepChart({ lines, labels, asOf, markers = [], height, colors }: StepChartProps) {
  const points = chartPoints(lines, asOf)
  const format = tickFormat(points)
  return (
    <LineChart
      h={height}
      data={points}
      dataKey="at"
      series={lines.map((_, n) => ({ name: `line${n}`, label: labels[n] ?? '', color: colors[n % colors.length]! }))}
      curveType="stepAfter"
      connectNulls={false}
      dotProps={{ r: 2 }}
      strokeWidth={2}
      valueFormatter={(value) => String(value)}
      xAxisProps={{
        type: 'number',
        scale: 'time',
        domain: ['dataMin', 'dataMax'],
        tickFormatter: (at: number) => format.format(at),
        minTickGap: 48,
      }}
      yAxisProps={{ domain: [0, axisEnd(points, lines.length)], width: 64 }}
      referenceLines={markers.map(({ at, label }) => ({
        x: Date.parse(at),
        label,
        labelPosition: isLate(at, points) ? 'left' : 'right',
        color: 'gray.6',
      }))}
      tooltipProps={{
        content: ({ label, active }) =>
          active ? <Tip lines={lines} labels={labels} colors={colors} at={Number(label)} /> : null,
      }}
      lineChartProps={{ accessibilityLayer: true }}
      role="img"
      aria-label={`Chart of ${labels.join(', ')}`}
    />
  )
}

/** A label at the right edge is written to the left of its line. */
const isLate = (at: string, points: ChartPoint[]): boolean =>
  Date.parse(at) > ((points[0]?.at ?? 0) + (points.at(-1)?.at ?? 0)) / 2

type TipProps = { lines: PriceLine[]; labels: string[]; colors: string[]; at: number }

/** The rows that were served at an instant, the highest price first. */
function Tip({ lines, labels, colors, at }: TipProps) {
  const rows = lines
    .map((line, n) => ({ line, label: labels[n], color: colors[n % colors.length]!, row: rowAt(line, at) }))
    .sort((a, b) => Number(b.row?.price ?? -1) - Number(a.row?.price ?? -1))
  return (
    <Paper withBorder shadow="md" p="xs">
      <Text size="xs" fw={600}>
        {exactInstant(new Date(at).toISOString())}
      </Text>
      <Stack gap={2}>
        {rows.map(({ line, label, color, row }) => (
          <Group key={line.key} justify="space-between" gap="md" wrap="nowrap">
            <Group gap={6} wrap="nowrap">
              <ColorSwatch color={`var(--mantine-color-${color.replace('.', '-')})`} size={8} withShadow={false} />
              <Text size="xs">{label}</Text>
            </Group>
            <Text size="xs" fw={600}>
              {row ? `${shownPrice(row.price, row.places)} ${row.currency}` : 'not served'}
            </Text>
          </Group>
        ))}
      </Stack>
    </Paper>
  )
}
