import { Badge, Group, Table, Text } from '@mantine/core'
import { percentOf } from '../../../../lib/text/percent.ts'
import { LoadingRows } from '../../../components/loading/loading-rows.tsx'
import { exactInstant } from '../../../instants.ts'
import { Trend } from '../chart/trend.tsx'
import { Name } from '../table/columns.tsx'
import { notesOf, type ShownCost, shownAmount, singleTotal } from './costs.ts'

const LISTED = 40

type Props = { costs: ShownCost[] | undefined; providers: Record<string, string> }

/** The cost at each seller, the cheapest first, and what it was before it changed last. */
export function CostTable({ costs, providers }: Props) {
  const cheapest = costs?.filter(({ place }) => place === 1)
  const isOneCheapest = cheapest?.length === 1 && costs?.some(({ place = 0 }) => place > 1)
  const left = (costs?.length ?? 0) - LISTED
  return (
    <>
      <Table.ScrollContainer minWidth={480}>
        <Table verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Seller</Table.Th>
              <Table.Th ta="right">Cost</Table.Th>
              <Table.Th ta="right">Before its last change</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {costs === undefined && <LoadingRows columns={3} height={49} />}
            {costs?.slice(0, LISTED).map((cost) => (
              <Row
                key={cost.key}
                cost={cost}
                seller={providers[cost.provider] ?? cost.provider}
                isCheapest={isOneCheapest === true && cost.place === 1}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {left > 0 && (
        <Text size="sm" c="dimmed">
          {left} more are not listed here.
        </Text>
      )}
    </>
  )
}

function Row({ cost, seller, isCheapest }: { cost: ShownCost; seller: string; isCheapest: boolean }) {
  const { provider, resource, total, before } = cost
  const now = singleTotal(total)
  const percent = before && now && percentOf(before.total, now.amount)
  return (
    <Table.Tr>
      <Table.Td maw={360} miw={200}>
        <Group gap={4}>
          <Name
            row={{ provider, resource, seller }}
            label={seller}
            about={[resource, ...notesOf(cost)].join(' · ')}
            isWhole
          />
          {isCheapest && (
            <Badge variant="light" tt="none" style={{ flexShrink: 0 }}>
              cheapest
            </Badge>
          )}
        </Group>
      </Table.Td>
      <Table.Td ta="right">
        <Total total={total} />
      </Table.Td>
      <Table.Td ta="right">
        {before ? (
          <>
            <Text size="sm">{shownAmount(before.total)}</Text>
            <Group gap={4} justify="flex-end" wrap="nowrap">
              <Text size="xs" c="dimmed" title={exactInstant(before.until)}>
                until {before.until.slice(0, 10)}
              </Text>
              {percent && (
                <Text size="xs">
                  <Trend direction={percent.startsWith('+') ? 'up' : 'down'} percent={percent} />
                </Text>
              )}
            </Group>
          </>
        ) : (
          <Text c="dimmed">–</Text>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

/** To the cent; the exact amount is its title. */
function Total({ total }: { total: Record<string, string> }) {
  const amounts = Object.entries(total)
  if (amounts.length === 0) return <Text c="dimmed">–</Text>
  return amounts.map(([currency, amount]) => (
    <Text key={currency} size="sm" fw={600} title={`${amount} ${currency}`}>
      {shownAmount(amount)}{' '}
      <Text span size="xs" c="dimmed" fw={400}>
        {currency}
      </Text>
    </Text>
  ))
}
