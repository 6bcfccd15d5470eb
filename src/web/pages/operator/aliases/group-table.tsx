import { Button, Group, Table, Text } from '@mantine/core'
import { type AliasGroup, deleteGroup } from '../../../api/operator.ts'
import { DataTable } from '../../../components/data-table.tsx'
import { useConfirmed } from '../../../components/hooks/use-confirmed.tsx'
import { Empty } from '../../../components/states/empty.tsx'
import { Moment } from '../../../components/values/moment.tsx'

type Props = { groups: AliasGroup[] | undefined; isFiltered: boolean; onEdit: (group: AliasGroup) => void }

/** Groups shown at once: a longer list is searched. */
const MOST_GROUPS = 200

export function GroupTable({ groups, isFiltered, onEdit }: Props) {
  if (groups?.length === 0)
    return isFiltered ? (
      <Empty title="No matching groups">Remove a word from the search.</Empty>
    ) : (
      <Empty title="There are no groups yet">Proposals lists groups that the names of models suggest.</Empty>
    )
  return (
    <>
      <DataTable minWidth={620} columns={['Group', 'Members', 'Saved']} actions rowHeight={62}>
        {groups?.slice(0, MOST_GROUPS).map((group) => (
          <GroupRow key={group.id} group={group} onEdit={onEdit} />
        ))}
      </DataTable>
      {groups && groups.length > MOST_GROUPS && (
        <Text size="sm" c="dimmed" ta="center">
          The first {MOST_GROUPS} of {groups.length}. Type a name to find the others.
        </Text>
      )}
    </>
  )
}

function GroupRow({ group, onEdit }: { group: AliasGroup; onEdit: (group: AliasGroup) => void }) {
  const { id, name, members, revision, updatedAt } = group
  const remove = useConfirmed({
    title: `Delete ${name}?`,
    text: 'Its members leave it, and webhooks are notified. Webhooks that list the group keep it but match nothing.',
    button: 'Delete',
    run: () => deleteGroup(id),
  })
  return (
    <Table.Tr>
      <Table.Td miw={190} style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm" fw={500}>
          {name}
        </Text>
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm" lineClamp={2}>
          {members.map(({ provider, resource }) => `${provider}: ${resource}`).join(', ')}
        </Text>
      </Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        <Moment at={updatedAt} />
        <Text size="xs" c="dimmed">
          revision {revision}
        </Text>
      </Table.Td>
      <Table.Td ta="right">
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          <Button size="compact-sm" variant="default" onClick={() => onEdit(group)} aria-label={`Edit ${name}`}>
            Edit
          </Button>
          <Button size="compact-sm" variant="subtle" color="red" onClick={remove} aria-label={`Delete ${name}`}>
            Delete
          </Button>
        </Group>
      </Table.Td>
    </Table.Tr>
  )
}
