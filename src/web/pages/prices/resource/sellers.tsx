import { Badge, Group, Table, Text } from '@mantine/core'
import type { Series } from '../../../api/prices.ts'
import { AlignedPrice } from '../../../components/values/aligned-price.tsx'
import { columnDecimals } from '../../../components/values/decimals.ts'
import { cheapestOf } from '../cost/rank-offers.ts'
import { shownPrice, shownTier, unitHeading } from '../money.ts'
import { Name } from '../table/columns.tsx'
import type { PriceLine } from '../table/lines.ts'
import { cheapestOffer, columnLabel } from './offer-texts.ts'
import type { Offer, OfferColumn, Offers } from './offers.ts'

const LISTED = 100

type Props = {
  series: Series
  offers: Offers
  here?: { provider: string; resource: string }
  /** False where costs say which seller is the cheapest. */
  isRanked?: boolean
}

/** The same model at its sellers, or what was chosen. */
export function Sellers({ series, offers: { offers, columns }, here, isRanked = true }: Props) {
  const hasCosts = offers.some(({ cost }) => cost)
  const cheapest = hasCosts ? cheapestOf(offers) : isRanked ? cheapestOffer(offers) : undefined
  const decimals = columns.map((_, n) => columnDecimals(offers.map(({ prices }) => amountOf(prices[n]))))
  return (
    <>
      <Table.ScrollContainer minWidth={560}>
        <Table verticalSpacing={8}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Seller</Table.Th>
              {hasCosts && (
                <Table.Th ta="right">
                  Workload
                  <Text size="xs" c="dimmed" fw={400}>
                    {offers[0]!.cost?.currency}
                  </Text>
                </Table.Th>
              )}
              {columns.map((column) => (
                <Table.Th key={column.key} ta="right">
                  {columnLabel(column, columns)}
                  <Text size="xs" c="dimmed" fw={400}>
                    {unitHeading(column)}
                  </Text>
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {offers.slice(0, LISTED).map((offer) => (
              <Row
                key={offer.key}
                offer={offer}
                seller={series.providers[offer.provider] ?? offer.provider}
                columns={columns}
                decimals={decimals}
                hasCost={hasCosts}
                isCheapest={offer === cheapest}
                isHere={here?.provider === offer.provider && here.resource === offer.resource}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {offers.length > LISTED && (
        <Text size="sm" c="dimmed">
          {offers.length - LISTED} more are not listed here.
        </Text>
      )}
    </>
  )
}

type RowProps = {
  offer: Offer
  seller: string
  columns: OfferColumn[]
  decimals: number[]
  hasCost: boolean
  isCheapest: boolean
  isHere: boolean
}

function Row({ offer, seller, columns, decimals, hasCost, isCheapest, isHere }: RowProps) {
  const { provider, resource, place, source, prices, cost, moreNames = 0 } = offer
  return (
    <Table.Tr bg={isHere ? 'var(--mantine-color-default-hover)' : undefined}>
      <Table.Td maw={320} miw={200}>
        <Group gap={4}>
          <Name
            row={{ provider, resource, seller }}
            label={seller}
            about={[resource, shownTier(place), source, moreText(moreNames)].filter(Boolean).join(' · ')}
            isWhole
          />
          {isCheapest && (
            <Badge variant="light" tt="none" style={{ flexShrink: 0 }}>
              cheapest
            </Badge>
          )}
          {isHere && (
            <Badge variant="light" color="gray" tt="none" style={{ flexShrink: 0 }}>
              this page
            </Badge>
          )}
        </Group>
      </Table.Td>
      {hasCost && (
        <Table.Td ta="right" fw={600}>
          {cost ? cost.shown : <Text c="dimmed">–</Text>}
        </Table.Td>
      )}
      {columns.map(({ key, currency }, n) => (
        <Table.Td key={key} ta="right">
          <Price line={prices[n]} currency={currency} decimals={decimals[n]!} />
        </Table.Td>
      ))}
    </Table.Tr>
  )
}

const moreText = (names: number): string =>
  names === 0 ? '' : names === 1 ? 'and 1 more name' : `and ${names} more names`

const amountOf = (line: PriceLine | undefined): string | undefined =>
  line?.current && shownPrice(line.current.price, line.places)

type PriceProps = { line: PriceLine | undefined; currency: string; decimals: number }

/** Another currency than the column's is named. */
function Price({ line, currency, decimals }: PriceProps) {
  const amount = amountOf(line)
  if (!line || amount === undefined) return <Text c="dimmed">–</Text>
  return (
    <>
      {line.currency !== currency && `${line.currency} `}
      <AlignedPrice price={amount} decimals={decimals} />
    </>
  )
}
