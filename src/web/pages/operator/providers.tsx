import { Badge, Group, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Provider, providersQuery } from '../../api/operator.ts'
import { DataTable } from '../../components/data-table.tsx'
import { FindField } from '../../components/forms/find-field.tsx'
import { useListSearch } from '../../components/hooks/use-typed.ts'
import { Empty } from '../../components/states/empty.tsx'
import { Known } from '../../components/states/known.tsx'
import { Moment } from '../../components/values/moment.tsx'
import { hasWords } from '../../words.ts'
import { Freshness } from './freshness.tsx'
import { OperatorPage } from './operator-page.tsx'

/** Who sells what is priced. */
export const Providers = () => (
  <OperatorPage
    title="Providers"
    about="A provider is pending until its first price or document is published, and retired when nothing is left. To activate or retire one, approve its review items or change the sources file."
  >
    {() => <ProviderList />}
  </OperatorPage>
)

const COLORS = { active: 'teal', pending: 'yellow', retired: 'gray' }

function ProviderList() {
  const query = useQuery(providersQuery)
  const { data } = query
  const [typed, setTyped] = useListSearch()
  const listed = data?.providers.filter(({ provider, name }) => hasWords(`${provider} ${name}`, typed))
  return (
    <Stack>
      <Known query={query}>
        <FindField label="Find a provider" typed={typed} onType={setTyped} maw={260} />
        {listed?.length === 0 && <Empty title="No matching providers">Remove a word from the search.</Empty>}
        {listed?.length !== 0 && (
          <DataTable
            minWidth={640}
            columns={['Provider', 'Status', 'Freshness', { name: 'Resources', right: true }, 'Read from']}
            rowHeight={62}
          >
            {listed?.map((provider) => (
              <ProviderRow key={provider.provider} {...provider} />
            ))}
          </DataTable>
        )}
      </Known>
    </Stack>
  )
}

const ProviderRow = ({ provider, name, status, since, freshness, lastCheckedAt, sources, resources }: Provider) => (
  <Table.Tr>
    <Table.Td style={{ overflowWrap: 'anywhere' }}>
      <Text fw={500} size="sm">
        {name}
      </Text>
      <Text size="xs" c="dimmed">
        {provider}
      </Text>
    </Table.Td>
    <Table.Td>
      <Badge variant="light" color={COLORS[status]} tt="none">
        {status}
      </Badge>
      <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        <Moment at={since} lasting />
      </Text>
    </Table.Td>
    <Table.Td>
      <Group gap={6}>
        <Freshness value={freshness} />
        {lastCheckedAt && (
          <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
            checked <Moment at={lastCheckedAt} />
          </Text>
        )}
      </Group>
    </Table.Td>
    <Table.Td ta="right">{resources.toLocaleString('en')}</Table.Td>
    <Table.Td style={{ overflowWrap: 'anywhere' }}>
      <Text size="sm" lineClamp={2}>
        {sources.join(', ')}
      </Text>
    </Table.Td>
  </Table.Tr>
)
