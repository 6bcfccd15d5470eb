import { Table, Text } from '@mantine/core'
import type { AccuracyGroup } from '../../../api/operator.ts'
import { useProviderNames } from '../../../api/provider-names.ts'
import { DataTable } from '../../../components/data-table.tsx'
import { TextLink } from '../../../components/links.tsx'
import { STATES, type State, servedOf, shownChanges, shownHours, shownShare } from './counts.ts'

const RANKS = { provider: 'the provider itself', verified: 'a verified list', community: 'a community list' }
const AGES = {
  day: 'within a day',
  week: 'within a week',
  month: 'within a month',
  before: 'earlier or never',
} as const
const COLUMNS = Object.keys(STATES) as State[]

/** The served prices of each provider, by the rank of the sources that they are served from. */
export const GroupTable = ({ groups }: { groups: AccuracyGroup[] | undefined }) => (
  <DataTable
    minWidth={1000}
    columns={[
      'Provider',
      ...['Served', ...COLUMNS.map((state) => STATES[state])].map((name) => ({ name, right: true })),
      'Last seen',
      'Published after',
    ]}
    rowHeight={62}
  >
    {groups?.map((group) => (
      <Row key={`${group.provider} ${group.rank}`} group={group} />
    ))}
  </DataTable>
)

function Row({ group }: { group: AccuracyGroup }) {
  const nameOf = useProviderNames()
  const served = servedOf(group)
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Text fw={500} size="sm">
          {nameOf(group.provider)}
        </Text>
        <Text size="xs" c="dimmed">
          from {RANKS[group.rank]}
        </Text>
      </Table.Td>
      <Table.Td ta="right">{served.toLocaleString('en')}</Table.Td>
      {COLUMNS.map((state) => (
        <Table.Td key={state} ta="right">
          <Cell group={group} state={state} />
          <Text size="xs" c="dimmed">
            {group[state] > 0 && shownShare(group[state], served)}
          </Text>
        </Table.Td>
      ))}
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        {(Object.keys(AGES) as (keyof typeof AGES)[])
          .filter((age) => group.said[age] > 0)
          .map((age) => (
            <Text key={age} size="xs">
              {group.said[age].toLocaleString('en')} {AGES[age]}
            </Text>
          ))}
      </Table.Td>
      <Table.Td>
        <Text size="sm">{shownHours(group.hoursMedian, group.hoursP90)}</Text>
        <Text size="xs" c="dimmed">
          {group.published > 0 && shownChanges(group.published)}
        </Text>
      </Table.Td>
    </Table.Tr>
  )
}

function Cell({ group: { provider, ...counts }, state }: { group: AccuracyGroup; state: State }) {
  const count = counts[state].toLocaleString('en')
  if (state !== 'contradicted' || counts[state] === 0) return <>{count}</>
  return (
    <TextLink
      to="/operator/accuracy"
      search={{ provider } as never}
      aria-label={`Contradicted prices of ${provider}: ${count}`}
      fw={600}
    >
      {count}
    </TextLink>
  )
}
