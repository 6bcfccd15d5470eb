import { Badge, Card, Group, SimpleGrid, Stack, Text, Tooltip } from '@mantine/core'
import { percentOf } from '../../../../lib/text/percent.ts'
import type { SeriesRow, UpcomingPrice } from '../../../api/prices.ts'
import { AlignedPrice } from '../../../components/values/aligned-price.tsx'
import { columnDecimals } from '../../../components/values/decimals.ts'
import { Moment } from '../../../components/values/moment.tsx'
import { exactInstant, shownDay, toTheMinute } from '../../../instants.ts'
import { EvidenceLink } from '../../evidence/evidence-link.tsx'
import { Trend } from '../chart/trend.tsx'
import { confirmationTexts } from '../confirmation-texts.ts'
import { byKind } from '../explorer/kinds.ts'
import { shownDimension, shownPrice, shownTier, unitHeading } from '../money.ts'
import type { PriceLine } from '../table/lines.ts'

/** Names a line beside others of its dimension. */
export const labelOf = ({ tier, source }: PriceLine, withSource: boolean): string =>
  [shownTier(tier) || 'Standard', ...(withSource ? [source] : [])].join(' · ')

/** What a resource costs now: a card for each dimension. */
export function CurrentPrices({ lines, newest }: { lines: PriceLine[]; newest: string }) {
  const current = lines.filter((line) => line.current ?? line.upcoming)
  const withSource = new Set(lines.map(({ source }) => source)).size > 1
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      {byKind(current).map(({ key, dimension, lines: [first, ...others] }) => (
        <Card key={key} withBorder padding="md">
          <Text size="sm" c="dimmed">
            {shownDimension(dimension)}
          </Text>
          <Main line={first!} newest={newest} />
          <Others lines={others} withSource={withSource} />
        </Card>
      ))}
    </SimpleGrid>
  )
}

/** The prices of other tiers, their decimal points in one line. */
function Others({ lines, withSource }: { lines: PriceLine[]; withSource: boolean }) {
  const amounts = lines.map(({ current, places }) => (current ? shownPrice(current.price, places) : NONE))
  const decimals = columnDecimals(amounts.filter((amount) => amount !== NONE))
  return (
    <Stack gap={2} mt={lines.length > 0 ? 'xs' : 0}>
      {lines.map((line, n) => (
        <div key={line.key}>
          <Group justify="space-between" gap="xs" wrap="nowrap">
            <Text size="xs" c="dimmed">
              {labelOf(line, withSource)}
            </Text>
            <Text size="xs" fw={500}>
              {line.current ? (
                <EvidenceLink contentHash={line.current.contentHash}>
                  <AlignedPrice price={amounts[n]!} decimals={decimals} />
                </EvidenceLink>
              ) : (
                NONE
              )}
            </Text>
            {line.current?.contradicted && <Contradicted {...line.current.contradicted} places={line.places} />}
          </Group>
          {line.upcoming && <Upcoming {...line.upcoming} isBelow />}
        </div>
      ))}
    </Stack>
  )
}

/** What stands in place of the price of a line that begins later. */
const NONE = '–'

/** A price that is announced for a day to come. */
function Upcoming({ price, places, beginsAt, source, announcedAt, isBelow }: UpcomingPrice & { isBelow?: boolean }) {
  const text = `${source} announces this price. It was first read ${toTheMinute(announcedAt)}.`
  return (
    <Tooltip label={text} multiline maw={320}>
      <Text size="xs" mt={isBelow ? 0 : 4} ta={isBelow ? 'right' : 'left'} tabIndex={0}>
        <b>{shownPrice(price, places)}</b> from {shownDay(beginsAt)}
      </Text>
    </Tooltip>
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

type ConfirmedProps = NonNullable<SeriesRow['confirmation']> & { places: number }

/** Says who confirmed the price, and when. */
function Confirmed({ confirmedAt, places, ...confirmation }: ConfirmedProps) {
  const { said, sources } = confirmationTexts(confirmation, places)
  return (
    <Tooltip label={sources} multiline maw={320} disabled={sources === ''}>
      <Text size="xs" mt={4} tabIndex={0}>
        {said} {confirmedAt !== undefined && <Moment at={confirmedAt} />}
      </Text>
    </Tooltip>
  )
}

function Main({ line, newest }: { line: PriceLine; newest: string }) {
  const { current, previous, places, tier, upcoming } = line
  const percent = previous && current && percentOf(previous.price, current.price)
  return (
    <>
      <Text size="xl" fw={600} lh={1.3}>
        {current ? (
          <EvidenceLink contentHash={current.contentHash}>{shownPrice(current.price, places)}</EvidenceLink>
        ) : (
          NONE
        )}
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
      {current?.contradicted && <Contradicted {...current.contradicted} places={places} />}
      {current?.confirmation && !current.contradicted && <Confirmed {...current.confirmation} places={places} />}
      {current && (
        <Text size="xs" c="dimmed" mt={percent ? 0 : 4}>
          {percent && 'changed '}
          <Moment at={current.recordedAt} lasting={!percent} />
          {current.publishedAt > newest && ', not final yet'}
        </Text>
      )}
      {upcoming && <Upcoming {...upcoming} />}
    </>
  )
}
