import { ActionIcon, Badge, Group, Menu, Table, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDots } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { accountQuery } from '../../api/account.ts'
import {
  type AccountOverview,
  accountsQuery,
  changeAccount,
  endAccountSessions,
  resetPasskeys,
  resetTotp,
} from '../../api/operator.ts'
import { DataTable } from '../../components/data-table.tsx'
import { Failure } from '../../components/failure.tsx'
import { Moment } from '../../components/moment.tsx'
import { Placeholder } from '../../components/placeholder.tsx'
import { useWorkspace } from '../../components/shell/use-workspace.ts'
import { useConfirmed } from '../../components/use-confirmed.tsx'
import { OperatorPage } from './operator-page.tsx'

/** The accounts of the installation. */
export const Users = () => (
  <OperatorPage
    title="Users"
    about="Everybody with an account. Operators see these pages; they have no rights in workspaces they do not belong to. One operator who can sign in always stays."
  >
    {() => <UserList />}
  </OperatorPage>
)

function UserList() {
  const { data, error, refetch } = useQuery(accountsQuery)
  if (error) return <Failure error={error} retry={() => void refetch()} />
  if (!data) return <Placeholder height={240} />
  return (
    <DataTable minWidth={680} columns={['Name', 'State', 'Workspaces', 'Last seen', 'Created']} actions>
      {data.accounts.map((account) => (
        <UserRow key={account.accountId} account={account} />
      ))}
    </DataTable>
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

function UserActions({
  account: { accountId, name, operator, disabledAt, sessions, totp, passkeys },
}: {
  account: AccountOverview
}) {
  const { account: you } = useWorkspace()
  const queryClient = useQueryClient()
  const isYou = you.accountId === accountId
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries(accountsQuery),
      ...(isYou ? [queryClient.invalidateQueries(accountQuery)] : []),
    ])
  const { mutate, isPending } = useMutation({
    mutationFn: (change: { operator?: boolean; disabled?: boolean }) => changeAccount(accountId, change),
    onError: ({ message }) => notifications.show({ color: 'red', title: 'This did not work', message }),
    onSettled: refresh,
  })
  const disable = useConfirmed({
    title: `Disable ${name}?`,
    text: `${name} is signed out everywhere at once and cannot sign in. Webhooks and API keys keep working. You can enable the account again.`,
    button: 'Disable',
    run: () => changeAccount(accountId, { disabled: true }),
    onDone: refresh,
  })
  const signOut = useConfirmed({
    title: `Sign ${name} out everywhere?`,
    text: sessions === 1 ? 'One session ends at once.' : `${sessions} sessions end at once.`,
    button: 'Sign out',
    run: () => endAccountSessions(accountId),
    onDone: refresh,
  })
  const resetCodes = useConfirmed({
    title: `Stop asking ${name} for codes?`,
    text: `For somebody who lost the phone and the recovery codes: be sure that it is ${name} who asks. The password alone signs in from then on.`,
    button: 'Stop asking',
    run: () => resetTotp(accountId),
    onDone: refresh,
  })
  const removePasskeys = useConfirmed({
    title: `Remove the passkeys of ${name}?`,
    text: `For somebody who lost a device: be sure that it is ${name} who asks. ${passkeys === 1 ? 'The passkey stops' : `All ${passkeys} passkeys stop`} working, and the password signs in. Sessions stay.`,
    button: 'Remove',
    run: () => resetPasskeys(accountId),
    onDone: refresh,
  })
  return (
    <Menu position="bottom-end" shadow="md" width={220}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${name}`} loading={isPending}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => mutate({ operator: !operator })}>
          {operator ? 'Take operator rights away' : 'Make operator'}
        </Menu.Item>
        <Menu.Item disabled={sessions === 0} onClick={signOut}>
          Sign out everywhere
        </Menu.Item>
        {totp && <Menu.Item onClick={resetCodes}>Reset the authenticator app</Menu.Item>}
        {passkeys > 0 && <Menu.Item onClick={removePasskeys}>Remove the passkeys</Menu.Item>}
        {disabledAt ? (
          <Menu.Item onClick={() => mutate({ disabled: false })}>Enable</Menu.Item>
        ) : (
          <Menu.Item color="red" onClick={disable}>
            Disable
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
