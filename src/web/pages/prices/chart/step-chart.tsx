import '@mantine/charts/styles.css'
import { LineChart } from '@mantine/charts'
import { ColorSwatch, Group, Paper, Stack, Text } from '@mantine/core'
import { exactInstant } from '../../../instants.ts'
import { shownPrice, unitHeading } from '../money.ts'
import { type ChartPoint, chartPoints, type PriceLine, rowAt } from '../table/lines.ts'
import { shownStatus } from '../table/status.ts'
import { priceTicks, timeAxis } from './chart-axis.ts'

export type Marker = { at: string; label: string }
export type StepChartProps = {
  lines: PriceLine[]
  labels: string[]
  asOf: string
  /** Where the axis begins, in milliseconds: charts beside each other share it. */
  from?: number
  markers?: Marker[]
  height: number
  /** Colours of the lines, in their order. */
  colors: string[]
}

/** The first label of an axis is not cut at the edge. */
const MARGIN = { top: 8, right: 16 }

/** Prices as steps: each holds until the next one. Loaded when a page shows it. */
export default function StepChart({ lines, labels, asOf, from, markers = [], height, colors }: StepChartProps) {
  const points = chartPoints(lines, asOf)
  const first = from ?? points[0]?.at ?? 0
  const { ticks, format } = timeAxis(first, points.at(-1)?.at ?? 0)
  const marks = priceTicks(highest(points, lines.length))
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
        domain: [first, 'dataMax'],
        tickFormatter: (at: number) => format.format(at),
        ticks,
        minTickGap: 16,
      }}
      yAxisProps={{ domain: [0, marks.at(-1)!], ticks: marks, interval: 0, width: 64 }}
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
      lineChartProps={{ accessibilityLayer: true, margin: MARGIN }}
      role="img"
      aria-label={`Chart of ${labels.join(', ')}`}
    />
  )
}

const highest = (points: ChartPoint[], lines: number): number =>
  Math.max(0, ...points.flatMap((point) => Array.from({ length: lines }, (_, n) => point[`line${n}`] ?? 0)))

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
          <div key={line.key}>
            <Group justify="space-between" gap="md" wrap="nowrap">
              <Group gap={6} wrap="nowrap">
                <ColorSwatch color={`var(--mantine-color-${color.replace('.', '-')})`} size={8} withShadow={false} />
                <Text size="xs">{label}</Text>
              </Group>
              <Text size="xs" fw={600}>
                {row ? `${shownPrice(row.price, row.places)} ${unitHeading(row)}` : 'not listed'}
              </Text>
            </Group>
            {row && (
              <Text size="xs" c="dimmed" pl={14}>
                {[row.source, shownStatus(row.status).label, `recorded ${exactInstant(row.recordedAt)}`].join(' · ')}
              </Text>
            )}
          </div>
        ))}
      </Stack>
    </Paper>
  )
}
