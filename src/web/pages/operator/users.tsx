import { Badge, Group, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type AccountOverview, accountsQuery } from '../../api/operator.ts'
import { DataTable } from '../../components/data-table.tsx'
import { Known } from '../../components/states/known.tsx'
import { Moment } from '../../components/values/moment.tsx'
import { OperatorPage } from './operator-page.tsx'
import { UserActions } from './user-actions.tsx'

/** The accounts of the installation. */
export const Users = () => (
  <OperatorPage
    title="Users"
    about="Anyone with an account. Operators see these pages; they have no rights in workspaces they do not belong to. There is always at least one operator who can sign in."
  >
    {() => <UserList />}
  </OperatorPage>
)

function UserList() {
  const query = useQuery(accountsQuery)
  const { data } = query
  return (
    <Known query={query}>
      <DataTable
        minWidth={680}
        columns={['Name', 'State', 'Workspaces', 'Last seen', 'Created']}
        actions
        rowHeight={62}
      >
        {data?.accounts.map((account) => (
          <UserRow key={account.accountId} account={account} />
        ))}
      </DataTable>
    </Known>
  )
}

const UserRow = ({ account }: { account: AccountOverview }) => (
  <Table.Tr>
    <Table.Td style={{ overflowWrap: 'anywhere' }}>
      <Text size="sm" fw={500}>
        {account.name}
      </Text>
      <Text size="xs" c="dimmed">
        {account.email}
        {account.emailVerifiedAt === null && ' (not confirmed)'}
      </Text>
    </Table.Td>
    <Table.Td>
      <Group gap={6}>
        {account.operator && (
          <Badge variant="light" tt="none">
            operator
          </Badge>
        )}
        <Badge variant="light" color={account.disabledAt ? 'red' : 'gray'} tt="none">
          {account.disabledAt ? 'disabled' : 'active'}
        </Badge>
      </Group>
    </Table.Td>
    <Table.Td style={{ overflowWrap: 'anywhere' }}>
      <Text size="sm">{account.workspaces.join(', ') || 'none'}</Text>
    </Table.Td>
    <Table.Td>{account.lastSeenAt ? <Moment at={account.lastSeenAt} /> : 'not signed in'}</Table.Td>
    <Table.Td>
      <Moment at={account.createdAt} />
    </Table.Td>
    <Table.Td ta="right">
      <UserActions account={account} />
    </Table.Td>
  </Table.Tr>
)
