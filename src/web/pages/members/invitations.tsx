import { Button, Table, Title } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { invitationsQuery, withdrawInvitation } from '../../api/workspace.ts'
import { Moment } from '../../components/moment.tsx'
import { useConfirmed } from '../../components/use-confirmed.tsx'

/** The invitations that can still be accepted. */
export function Invitations({ workspace }: { workspace: string }) {
  const { data } = useSuspenseQuery(invitationsQuery(workspace))
  if (data.invitations.length === 0) return null
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        Invited
      </Title>
      <Table.ScrollContainer minWidth={560}>
        <Table verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>E-mail address</Table.Th>
              <Table.Th>Role</Table.Th>
              <Table.Th>Invited by</Table.Th>
              <Table.Th>Works until</Table.Th>
              <Table.Th aria-label="Actions" />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.invitations.map(({ invitationId, email, role, invitedBy, expiresAt }) => (
              <Table.Tr key={invitationId}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{email}</Table.Td>
                <Table.Td>{role}</Table.Td>
                <Table.Td>{invitedBy}</Table.Td>
                <Table.Td>
                  <Moment at={expiresAt} />
                </Table.Td>
                <Table.Td ta="right">
                  <Withdraw workspace={workspace} invitationId={invitationId} email={email} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  )
}

function Withdraw({ workspace, invitationId, email }: { workspace: string; invitationId: string; email: string }) {
  const queryClient = useQueryClient()
  const ask = useConfirmed({
    title: `Withdraw the invitation of ${email}?`,
    text: 'Its link stops working. It still counts toward the 20 invitations of 24 hours.',
    button: 'Withdraw',
    run: () => withdrawInvitation(workspace, invitationId),
    onDone: () => queryClient.invalidateQueries(invitationsQuery(workspace)),
  })
  return (
    <Button
      variant="subtle"
      color="red"
      size="compact-sm"
      onClick={ask}
      aria-label={`Withdraw the invitation of ${email}`}
    >
      Withdraw
    </Button>
  )
}
