import { Badge, Table, Text } from '@mantine/core'
import type { SeriesRow } from '../../../api/prices.ts'
import { AlignedPrice } from '../../../components/values/aligned-price.tsx'
import { columnDecimals } from '../../../components/values/decimals.ts'
import { exactInstant } from '../../../instants.ts'
import { EvidenceLink } from '../../evidence/evidence-link.tsx'
import { CorrectLink, useIsOperator } from '../correct-link.tsx'
import { shownDimension, shownPrice, shownTier } from '../money.ts'
import { shownStatus } from './status.ts'

/** Every row that was ever served of a resource, the newest first, with the evidence for it. */
export function RowTable({ rows }: { rows: SeriesRow[] }) {
  const isOperator = useIsOperator()
  const newest = [...rows].reverse()
  const [unit] = new Set(rows.map(({ currency, per }) => `${currency} / ${per}`))
  const decimals = columnDecimals(rows.map(({ price, places }) => shownPrice(price, places)))
  const isOneUnit = rows.every(({ currency, per }) => `${currency} / ${per}` === unit)
  return (
    <Table.ScrollContainer minWidth={880}>
      <Table verticalSpacing={6} stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Recorded</Table.Th>
            <Table.Th>What</Table.Th>
            <Table.Th ta="right">
              Price
              {isOneUnit && (
                <Text size="xs" c="dimmed" fw={400}>
                  {unit}
                </Text>
              )}
            </Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th>Source</Table.Th>
            <Table.Th>Evidence</Table.Th>
            {isOperator && <Table.Th aria-label="Actions" />}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {newest.map((row) => (
            <Row
              key={`${row.contentHash}${row.publishedAt}`}
              row={row}
              decimals={decimals}
              withUnit={!isOneUnit}
              isOperator={isOperator}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

type RowProps = { row: SeriesRow; decimals: number; withUnit: boolean; isOperator: boolean }

function Row({ row, decimals, withUnit, isOperator }: RowProps) {
  const { label, color } = shownStatus(row.status)
  const tier = shownTier(row.tier)
  return (
    <Table.Tr>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{exactInstant(row.recordedAt)}</Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        {shownDimension(row.dimension)}
        {tier && (
          <Text size="xs" c="dimmed">
            {tier}
          </Text>
        )}
        {row.resource !== row.listed && (
          <Text size="xs" c="dimmed">
            as {row.resource}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right">
        <AlignedPrice price={shownPrice(row.price, row.places)} decimals={decimals} />
        {withUnit && (
          <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
            {row.currency} / {row.per}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Badge color={color} variant="light" tt="none" miw="max-content">
          {label}
        </Badge>
        {row.reason && (
          <Text size="xs" c="dimmed" maw={220}>
            {row.reason}
          </Text>
        )}
      </Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{row.source}</Table.Td>
      <Table.Td>
        <Evidence row={row} />
      </Table.Td>
      {isOperator && (
        <Table.Td ta="right">
          <CorrectLink row={row} />
        </Table.Td>
      )}
    </Table.Tr>
  )
}

/** Leads to the page or file, the place in it and who else shows the price. */
const Evidence = ({ row }: { row: SeriesRow }) => (
  <Text size="xs">
    <EvidenceLink
      contentHash={row.contentHash}
      label={`Evidence for ${shownDimension(row.dimension)}, recorded ${exactInstant(row.recordedAt)}`}
    >
      Where it was read
    </EvidenceLink>
    {row.effectiveFrom && <> · holds from {row.effectiveFrom}</>}
  </Text>
)
