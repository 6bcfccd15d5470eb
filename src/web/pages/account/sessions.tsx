import { Badge, Button, Group, Stack, Table, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { endSession, sessionsQuery, signOutEverywhere } from '../../api/account.ts'
import { forgetSession } from '../../api/connection/forget-session.ts'
import { sessionEnded } from '../../api/connection/session-ended.ts'
import { DataTable } from '../../components/data-table.tsx'
import { useConfirmed } from '../../components/hooks/use-confirmed.tsx'
import { Known } from '../../components/states/known.tsx'
import { Moment } from '../../components/values/moment.tsx'
import { browserName } from './browser-name.ts'

/** Where the account is signed in, and the way to end any of it. */
export function Sessions() {
  const query = useQuery(sessionsQuery)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const everywhere = useConfirmed({
    title: 'Sign out everywhere?',
    text: 'Every session ends, including this one.',
    button: 'Sign out everywhere',
    run: () => sessionEnded.leave(signOutEverywhere),
    onDone: async () => {
      await navigate({ to: '/sign-in' })
      forgetSession(queryClient)
    },
  })
  return (
    <Stack gap="xs" component="section">
      <Group justify="space-between">
        <Title order={2} size="h4">
          Sessions
        </Title>
        <Button variant="default" size="xs" onClick={everywhere}>
          Sign out everywhere
        </Button>
      </Group>
      <Known query={query}>
        <DataTable minWidth={560} columns={['Browser', 'Address', 'Signed in', 'Last used']} actions rowHeight={46}>
          {query.data?.sessions.map(({ sessionId, current, userAgent, address, createdAt, lastSeenAt }) => (
            <Table.Tr key={sessionId}>
              <Table.Td maw={360}>
                <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }} title={userAgent}>
                  {browserName(userAgent)}
                </Text>
              </Table.Td>
              <Table.Td>{address}</Table.Td>
              <Table.Td>
                <Moment at={createdAt} />
              </Table.Td>
              <Table.Td>
                <Moment at={lastSeenAt} />
              </Table.Td>
              <Table.Td ta="right">
                {current ? <Badge variant="light">this device</Badge> : <End sessionId={sessionId} />}
              </Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
      </Known>
    </Stack>
  )
}

function End({ sessionId }: { sessionId: string }) {
  const ask = useConfirmed({
    title: 'End this session?',
    text: 'That browser has to sign in again.',
    button: 'End the session',
    run: () => endSession(sessionId),
  })
  return (
    <Button variant="subtle" color="red" size="compact-sm" onClick={ask} aria-label="End this session">
      End
    </Button>
  )
}
