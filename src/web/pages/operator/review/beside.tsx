import { Anchor, Code, Stack, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ItemDetails } from '../../../api/operator.ts'
import { AlignedPrice } from '../../../components/values/aligned-price.tsx'
import { columnDecimals } from '../../../components/values/decimals.ts'

type Beside = ItemDetails['beside'][number]

/** What is published beside a price: of the same resource, and of the same model elsewhere. Then its place in the snapshot. */
export function BesideOne({ resource, neighbours, snapshot, locator, excerpt }: Beside) {
  const own = neighbours.filter(({ sameResource }) => sameResource)
  const elsewhere = neighbours.filter(({ sameResource }) => !sameResource)
  return (
    <Stack gap="md">
      <Neighbours title={`Other prices of ${resource}`} neighbours={own} />
      <Neighbours title="The same model elsewhere" neighbours={elsewhere} named />
      {snapshot && (
        <div>
          <Text size="sm" fw={600} mb={4}>
            What the source says
          </Text>
          {excerpt && (
            <Code
              block
              style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', maxHeight: 240, overflow: 'auto' }}
              tabIndex={0}
            >
              {excerpt}
            </Code>
          )}
          {locator && locator !== '/' && (
            <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              at {locator}
            </Text>
          )}
          <SnapshotLink snapshot={snapshot} />
        </div>
      )}
    </Stack>
  )
}

type KnownPriceList = ItemDetails['known']

/** The prices of the resources that are missing, unreadable or renamed, and which of them would be removed. */
export function KnownPrices({ prices }: { prices: KnownPriceList }) {
  const decimals = columnDecimals(prices.map(({ price }) => price))
  const isMixed = prices.some(({ ends }) => ends) && prices.some(({ ends }) => ends === false)
  return (
    <Table verticalSpacing={4} fz="sm" aria-label="Prices of these resources">
      <Table.Tbody>
        {prices.map(({ resource, name, price, perUnit, waits, ends }) => (
          <Table.Tr key={`${resource} ${name} ${perUnit}`} c={isMixed && !ends ? 'dimmed' : undefined}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{resource}</Table.Td>
            <Table.Td>{name}</Table.Td>
            <Table.Td ta="right">
              <AlignedPrice price={price} decimals={decimals} />
            </Table.Td>
            <Table.Td c="dimmed" fz="xs">
              {perUnit}
              {waits && ', waits too'}
            </Table.Td>
            {isMixed && <Table.Td fw={ends ? 600 : 400}>{ends ? 'would be removed' : 'stays'}</Table.Td>}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** What a source answered, as it was kept. */
export const SnapshotLink = ({ snapshot }: { snapshot: string }) => (
  <Anchor
    size="sm"
    renderRoot={(props) => <Link {...props} to={'/operator/sources' as string} search={{ snapshot } as never} />}
  >
    The whole answer of the source
  </Anchor>
)

/** What a source served lately is on its page. */
export const SourceLink = ({ source }: { source: string }) => (
  <Anchor
    inherit
    renderRoot={(props) => <Link {...props} to={'/operator/sources' as string} search={{ source } as never} />}
  >
    {source}
  </Anchor>
)

type NeighboursProps = { title: string; neighbours: Beside['neighbours']; named?: boolean }

function Neighbours({ title, neighbours, named = false }: NeighboursProps) {
  if (neighbours.length === 0) return null
  const decimals = columnDecimals(neighbours.map(({ price }) => price))
  return (
    <div>
      <Text size="sm" fw={600} mb={4} style={{ overflowWrap: 'anywhere' }}>
        {title}
      </Text>
      <Table verticalSpacing={4} fz="sm" aria-label={title}>
        <Table.Tbody>
          {neighbours.map(({ source, provider, resource, name, price, perUnit }) => (
            <Table.Tr key={`${source} ${provider} ${resource} ${name} ${perUnit}`}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{named ? `${provider} · ${resource}` : name}</Table.Td>
              <Table.Td ta="right">
                <AlignedPrice price={price} decimals={decimals} />
              </Table.Td>
              <Table.Td c="dimmed" fz="xs">
                {perUnit}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
