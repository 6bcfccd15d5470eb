import { Anchor, Code, Stack, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ItemDetails } from '../../../api/operator.ts'
import { shownPrice, unitText } from '../price-text.ts'

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
            In the snapshot{locator && locator !== '/' ? ` at ${locator}` : ''}
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
          <Anchor
            size="sm"
            renderRoot={(props) => (
              <Link {...props} to={'/operator/sources' as string} search={{ snapshot } as never} />
            )}
          >
            The whole snapshot
          </Anchor>
        </div>
      )}
    </Stack>
  )
}

type NeighboursProps = { title: string; neighbours: Beside['neighbours']; named?: boolean }

function Neighbours({ title, neighbours, named = false }: NeighboursProps) {
  if (neighbours.length === 0) return null
  return (
    <div>
      <Text size="sm" fw={600} mb={4} style={{ overflowWrap: 'anywhere' }}>
        {title}
      </Text>
      <Table verticalSpacing={4} fz="sm" aria-label={title}>
        <Table.Tbody>
          {neighbours.map(({ source, provider, resource, dimension, pricingTier, unit, price }) => (
            <Table.Tr key={`${source} ${provider} ${resource} ${dimension} ${pricingTier}`}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {named ? `${provider} · ${resource}` : dimension.replaceAll('_', ' ')}
                {pricingTier !== '{}' && (
                  <Text span size="xs" c="dimmed">
                    {' '}
                    {pricingTier}
                  </Text>
                )}
              </Table.Td>
              <Table.Td ta="right">{shownPrice(price, unit)}</Table.Td>
              <Table.Td c="dimmed" fz="xs">
                {unitText(unit)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
