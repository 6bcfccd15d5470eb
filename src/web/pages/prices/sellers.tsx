import { Badge, Group, Table, Text } from '@mantine/core'
import type { Series } from '../../api/prices.ts'
import { AlignedPrice } from '../../components/aligned-price.tsx'
import { columnDecimals } from '../../components/decimals.ts'
import { Name } from './columns.tsx'
import { linesOf, type PriceLine } from './lines.ts'
import { shownPrice } from './money.ts'

const standard = (lines: PriceLine[], dimension: string) =>
  lines.find((line) => line.dimension === dimension && line.current && Object.keys(line.tier).length === 0)

type Seller = { provider: string; resource: string; lines: PriceLine[]; first: string; total: number }

/** Returns the members of a group that are priced, the cheapest first: by input and output together. */
export function sellersOf({ members, rows }: Series): Seller[] {
  const lines = linesOf(rows)
  return members
    .map(({ provider, resource }) => {
      const own = lines.filter((line) => line.provider === provider && line.listed === resource)
      const value = (dimension: string) => Number(standard(own, dimension)?.current?.price ?? Number.NaN)
      const [input, output] = [value('input_tokens'), value('output_tokens')]
      const only = own.find((line) => line.current)
      const total = Number.isNaN(input + output) ? Number(only?.current?.price ?? Number.NaN) : input + output
      return { provider, resource, lines: own, first: own[0]?.source ?? '', total }
    })
    .filter(({ total }) => !Number.isNaN(total))
    .sort((a, b) => a.total - b.total)
}

const SHOWN = [
  ['input_tokens', 'Input'],
  ['output_tokens', 'Output'],
  ['cache_read_tokens', 'Cache read'],
] as const

/** The same model at its sellers. */
export function Sellers({ series, here }: { series: Series; here?: { provider: string; resource: string } }) {
  const sellers = sellersOf(series)
  const cheapest = sellers[0]?.total
  const amounts = sellers.map(({ lines }) => SHOWN.map(([dimension]) => amountOf(standard(lines, dimension))))
  const decimals = SHOWN.map((_, n) => columnDecimals(amounts.map((row) => row[n])))
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table verticalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Seller</Table.Th>
            {SHOWN.map(([dimension, label]) => (
              <Table.Th key={dimension} ta="right">
                {label}
                <Text size="xs" c="dimmed" fw={400}>
                  USD / million tokens
                </Text>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sellers.map(({ provider, resource, lines, total }) => {
            const isHere = here?.provider === provider && here.resource === resource
            return (
              <Table.Tr key={`${provider}\n${resource}`} bg={isHere ? 'var(--mantine-color-default-hover)' : undefined}>
                <Table.Td maw={320} miw={200}>
                  <Group gap={4}>
                    <Name
                      row={{ provider, resource, seller: series.providers[provider] ?? provider }}
                      label={series.providers[provider] ?? provider}
                      about={resource}
                      isWhole
                    />
                    {total === cheapest && (
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
                {SHOWN.map(([dimension], n) => (
                  <Table.Td key={dimension} ta="right">
                    <Price line={standard(lines, dimension)} decimals={decimals[n]!} />
                  </Table.Td>
                ))}
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

const amountOf = (line: PriceLine | undefined): string | undefined =>
  line?.current && shownPrice(line.current.price, line.places)

function Price({ line, decimals }: { line: PriceLine | undefined; decimals: number }) {
  const amount = amountOf(line)
  if (!line || amount === undefined) return <Text c="dimmed">–</Text>
  return (
    <>
      {line.currency !== 'USD' && `${line.currency} `}
      <AlignedPrice price={amount} decimals={decimals} />
    </>
  )
}
