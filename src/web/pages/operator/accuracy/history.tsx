import { Group, Text } from '@mantine/core'
import { plural } from '../../../../lib/text/plural.ts'
import type { Accuracy } from '../../../api/operator.ts'
import { servedOf, shownShare } from './counts.ts'

const [WIDTH, HEIGHT] = [600, 80]
/** Below this a share does not fill the chart: noise would look like a mountain. */
const LEAST_SCALE = 0.02
const LINES = {
  unconfirmed: { name: 'unconfirmed', color: 'var(--mantine-color-gray-6)' },
  contradicted: { name: 'contradicted', color: 'var(--mantine-color-red-7)' },
} as const
type Line = keyof typeof LINES

type Day = Accuracy['history'][number]
const shareOf = (day: Day, line: Line): number => day[line] / Math.max(1, servedOf(day))

/** Two shares over the days, each as a line. */
export function History({ days }: { days: Day[] }) {
  const lines = Object.keys(LINES) as Line[]
  const most = Math.max(LEAST_SCALE, ...days.flatMap((day) => lines.map((line) => shareOf(day, line))))
  const x = (n: number) => (days.length === 1 ? WIDTH / 2 : (n / (days.length - 1)) * WIDTH)
  const y = (share: number) => HEIGHT - (share / most) * HEIGHT
  const last = days.at(-1)!
  return (
    <figure style={{ margin: 0 }}>
      <svg
        viewBox={`-4 -4 ${WIDTH + 8} ${HEIGHT + 8}`}
        width="100%"
        style={{ maxWidth: WIDTH }}
        role="img"
        aria-label={`${plural(days.length, 'day')} until ${last.day}: ${lines
          .map((line) => `${LINES[line].name} ${shownShare(last[line], servedOf(last))}`)
          .join(', ')}`}
      >
        <line x1={0} x2={WIDTH} y1={HEIGHT} y2={HEIGHT} stroke="var(--mantine-color-default-border)" />
        {lines.map((line) => (
          <g key={line} stroke={LINES[line].color} fill={LINES[line].color}>
            <polyline
              points={days.map((day, n) => `${x(n)},${y(shareOf(day, line))}`).join(' ')}
              fill="none"
              strokeWidth={2}
            />
            {days.map((day, n) => (
              <circle key={day.day} cx={x(n)} cy={y(shareOf(day, line))} r={2}>
                <title>{`${day.day}: ${LINES[line].name} ${shownShare(day[line], servedOf(day))}`}</title>
              </circle>
            ))}
          </g>
        ))}
      </svg>
      <Group gap="md" component="figcaption">
        <Text size="xs" c="dimmed">
          {days.length === 1 ? last.day : `${days[0]!.day} to ${last.day}`}, at most {shownShare(most, 1)}
        </Text>
        {lines.map((line) => (
          <Text key={line} size="xs">
            <span aria-hidden style={{ color: LINES[line].color }}>
              ●
            </span>{' '}
            {LINES[line].name}
          </Text>
        ))}
      </Group>
    </figure>
  )
}
