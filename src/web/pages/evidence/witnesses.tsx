import { Badge, Table, Text } from '@mantine/core'
import type { Evidence } from '../../api/prices.ts'
import { exactInstant } from '../../instants.ts'
import { shownPrice } from '../prices/money.ts'
import { Address } from './address.tsx'

type Props = { witnesses: Evidence['witnesses']; places: number }

/** What other sources show for the same price, those that agree first. */
export function Witnesses({ witnesses, places }: Props) {
  if (witnesses.length === 0) return <Text size="sm">No other source shows a price for it.</Text>
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table verticalSpacing={6} fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Source</Table.Th>
            <Table.Th ta="right">Shows</Table.Th>
            <Table.Th />
            <Table.Th>Since</Table.Th>
            <Table.Th>Read at</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {witnesses.map((one) => (
            <Table.Tr key={`${one.source} ${one.resource}`}>
              <Table.Td>
                {one.source}
                <Text size="xs" c="dimmed">
                  {one.resource}
                </Text>
              </Table.Td>
              <Table.Td ta="right">{shownPrice(one.price, places)}</Table.Td>
              <Table.Td>
                <Badge color={one.agrees ? 'teal' : 'orange'} variant="light" tt="none">
                  {one.agrees ? 'the same' : 'another price'}
                </Badge>
                {!one.independent && (
                  <Text size="xs" c="dimmed">
                    may be copied
                  </Text>
                )}
              </Table.Td>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>{exactInstant(one.since)}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <Address address={one.statedBy?.url ?? one.address} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
