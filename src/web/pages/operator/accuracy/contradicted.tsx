import { Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { readablePrice, readableUnit } from '../../../../lib/text/price-text.ts'
import { type ContradictedPrice, contradictedQuery } from '../../../api/operator.ts'
import { useProviderNames } from '../../../api/provider-names.ts'
import { DataTable } from '../../../components/data-table.tsx'
import { TextLink } from '../../../components/links.tsx'
import { Section } from '../../../components/section.tsx'
import { Failure } from '../../../components/states/failure.tsx'
import { Moment } from '../../../components/values/moment.tsx'
import { shownDimension, shownTier } from '../../prices/money.ts'

/** The served prices of a provider that its sources contradict now. */
export function Contradicted({ provider }: { provider: string }) {
  const { data, error, refetch } = useQuery(contradictedQuery(provider))
  const nameOf = useProviderNames()
  return (
    <Section
      title={`Contradicted prices of ${nameOf(provider)}`}
      about="As it is now. Open a price for its evidence, or a resource to correct it."
    >
      {error && <Failure error={error} retry={() => void refetch()} />}
      {data && data.count === 0 && <Text size="sm">None of its prices is contradicted now.</Text>}
      {!error && data?.count !== 0 && (
        <DataTable
          minWidth={720}
          columns={['Price of', { name: 'Served', right: true }, 'Others have', 'Since']}
          rowHeight={62}
        >
          {data?.prices.map((price) => (
            <Row key={price.contentHash} provider={provider} price={price} />
          ))}
        </DataTable>
      )}
      {data && data.count > data.prices.length && (
        <Text size="sm" c="dimmed">
          and {data.count - data.prices.length} more
        </Text>
      )}
    </Section>
  )
}

function Row({ provider, price }: { provider: string; price: ContradictedPrice }) {
  const { resource, dimension, pricingTier, unit, contentHash, source, others, since } = price
  const tier = shownTier(JSON.parse(pricingTier))
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <TextLink to="/operator/prices" search={{ provider, resource } as never} fw={500}>
          {resource}
        </TextLink>
        <Text size="xs" c="dimmed">
          {[shownDimension(dimension), tier].filter(Boolean).join(' · ')}
        </Text>
      </Table.Td>
      <Table.Td ta="right">
        <TextLink to="/evidence/$contentHash" params={{ contentHash }}>
          {readablePrice(price.price, unit)}
        </TextLink>
        <Text size="xs" c="dimmed">
          {readableUnit(unit)}, from {source}
        </Text>
      </Table.Td>
      <Table.Td>
        {others.map((other) => (
          <Text key={other.source} size="sm">
            {readablePrice(other.price, unit)}{' '}
            <Text span size="xs" c="dimmed">
              {other.source}
            </Text>
          </Text>
        ))}
      </Table.Td>
      <Table.Td>{since ? <Moment at={since} /> : 'for less than 48 hours'}</Table.Td>
    </Table.Tr>
  )
}
