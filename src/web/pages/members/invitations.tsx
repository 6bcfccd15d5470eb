import { Button, Table, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Invitation, invitationsQuery, withdrawInvitation } from '../../api/workspace.ts'
import { DataTable } from '../../components/data-table.tsx'
import { useConfirmed } from '../../components/hooks/use-confirmed.tsx'
import { Known } from '../../components/states/known.tsx'
import { Moment } from '../../components/values/moment.tsx'
import { MAX_INVITATIONS_PER_DAY } from '../../limits.ts'

/** The invitations that can still be accepted. */
export function Invitations({ workspace }: { workspace: string }) {
  const query = useQuery(invitationsQuery(workspace))
  return (
    <Known query={query}>{query.data && <Invited workspace={workspace} invitations={query.data.invitations} />}</Known>
  )
}

type InvitedProps = { workspace: string; invitations: Invitation[] }

function Invited({ workspace, invitations }: InvitedProps) {
  if (invitations.length === 0) return null
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        Invited
      </Title>
      <DataTable minWidth={560} columns={['E-mail address', 'Role', 'Invited by', 'Expires']} actions>
        {invitations.map(({ invitationId, email, role, invitedBy, expiresAt }) => (
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
      </DataTable>
    </section>
  )
}

function Withdraw({ workspace, invitationId, email }: { workspace: string; invitationId: string; email: string }) {
  const ask = useConfirmed({
    title: `Withdraw the invitation of ${email}?`,
    text: `Its link stops working. It still counts toward the ${MAX_INVITATIONS_PER_DAY} invitations per 24 hours.`,
    button: 'Withdraw',
    run: () => withdrawInvitation(workspace, invitationId),
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
