import { Badge, Card, Group, SimpleGrid, Stack, Text, Tooltip } from '@mantine/core'
import { percentOf } from '../../../lib/percent.ts'
import { AlignedPrice } from '../../components/aligned-price.tsx'
import { columnDecimals } from '../../components/decimals.ts'
import { Moment } from '../../components/moment.tsx'
import { exactInstant } from '../../instants.ts'
import { byKind } from './kinds.ts'
import type { PriceLine } from './lines.ts'
import { shownDimension, shownPrice, shownTier, unitHeading } from './money.ts'
import { Trend } from './trend.tsx'

/** Names a line beside others of its dimension. */
export const labelOf = ({ tier, source }: PriceLine, withSource: boolean): string =>
  [shownTier(tier) || 'Standard', ...(withSource ? [source] : [])].join(' · ')

/** What a resource costs now: a card for each dimension. */
export function CurrentPrices({ lines }: { lines: PriceLine[] }) {
  const current = lines.filter((line) => line.current)
  const withSource = new Set(lines.map(({ source }) => source)).size > 1
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      {byKind(current).map(({ key, dimension, lines: [first, ...others] }) => (
        <Card key={key} withBorder padding="md">
          <Text size="sm" c="dimmed">
            {shownDimension(dimension)}
          </Text>
          <Main line={first!} />
          <Others lines={others} withSource={withSource} />
        </Card>
      ))}
    </SimpleGrid>
  )
}

/** The prices of other tiers, their decimal points in one line. */
function Others({ lines, withSource }: { lines: PriceLine[]; withSource: boolean }) {
  const amounts = lines.map(({ current, places }) => shownPrice(current!.price, places))
  const decimals = columnDecimals(amounts)
  return (
    <Stack gap={2} mt={lines.length > 0 ? 'xs' : 0}>
      {lines.map((line, n) => (
        <Group key={line.key} justify="space-between" gap="xs" wrap="nowrap">
          <Text size="xs" c="dimmed">
            {labelOf(line, withSource)}
          </Text>
          <Text size="xs" fw={500}>
            <AlignedPrice price={amounts[n]!} decimals={decimals} />
          </Text>
          {line.current!.contradicted && <Contradicted {...line.current!.contradicted} places={line.places} />}
        </Group>
      ))}
    </Stack>
  )
}

type ContradictedProps = NonNullable<NonNullable<PriceLine['current']>['contradicted']> & { places: number }

/** Says that other sources show another price. */
function Contradicted({ price, sources, since, isDecided, places }: ContradictedProps) {
  const text = `Since ${exactInstant(since)}, ${sources.join(' and ')} ${sources.length === 1 ? 'has' : 'have'} ${shownPrice(price, places)} instead.${isDecided ? ' A person decided about this price, so it stays.' : ''}`
  return (
    <Tooltip label={text} multiline maw={320}>
      <Badge color="orange" variant="light" size="sm" tt="none" tabIndex={0} aria-label={`Contradicted. ${text}`}>
        contradicted
      </Badge>
    </Tooltip>
  )
}

function Main({ line }: { line: PriceLine }) {
  const { current, previous, places, tier } = line
  const percent = previous && percentOf(previous.price, current!.price)
  return (
    <>
      <Text size="xl" fw={600} lh={1.3}>
        {shownPrice(current!.price, places)}
      </Text>
      <Text size="xs" c="dimmed">
        {unitHeading(line)}
        {Object.keys(tier).length > 0 && ` · ${shownTier(tier)}`}
      </Text>
      {percent && (
        <Text size="xs" mt={4}>
          <Trend direction={percent.startsWith('+') ? 'up' : 'down'} percent={percent} />
        </Text>
      )}
      {current!.contradicted && <Contradicted {...current!.contradicted} places={places} />}
      <Text size="xs" c="dimmed" mt={percent ? 0 : 4}>
        {percent ? '' : 'since '}
        <Moment at={current!.recordedAt} />
      </Text>
    </>
  )
}
