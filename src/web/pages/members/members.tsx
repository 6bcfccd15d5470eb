import { Badge, Button, Table, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { usePageData } from '../../api/use-page-data.ts'
import { membersQuery } from '../../api/workspace.ts'
import { DataTable } from '../../components/data-table.tsx'
import { Page } from '../../components/page.tsx'
import { useWorkspace } from '../../components/shell/use-workspace.ts'
import { Moment } from '../../components/values/moment.tsx'
import { AuditLog } from '../operator/audit.tsx'
import { Invitations } from './invitations.tsx'
import { Invite } from './invite.tsx'
import { MemberActions } from './member-actions.tsx'

/** Who is in the workspace, and who is invited. Admins change both. */
export function Members() {
  const { account, workspace } = useWorkspace()
  const { workspaceId, name, role } = workspace!
  const members = usePageData(membersQuery(workspaceId)).data?.members
  const [isInviting, setInviting] = useState(false)
  const isAdmin = role === 'admin'
  const admins = members?.filter((member) => member.role === 'admin').length
  return (
    <Page
      title="Members"
      about={`Who is in ${name}. Members create and change webhooks and API keys. Admins also invite people, change roles and remove members. There is always at least one admin.`}
      actions={isAdmin && <Button onClick={() => setInviting(true)}>Invite people</Button>}
    >
      {(isAdmin || isInviting) && (
        <Invite workspace={workspaceId} opened={isInviting} onClose={() => setInviting(false)} />
      )}
      <DataTable minWidth={560} columns={['Name', 'Role', 'Joined']} actions rowHeight={62}>
        {members?.map((member) => (
          <Table.Tr key={member.accountId}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <Text size="sm" fw={500}>
                {member.name}
                {member.accountId === account.accountId && ' (you)'}
              </Text>
              <Text size="xs" c="dimmed">
                {member.email}
              </Text>
            </Table.Td>
            <Table.Td>
              <Badge variant="light" color={member.role === 'admin' ? undefined : 'gray'}>
                {member.role}
              </Badge>
            </Table.Td>
            <Table.Td>
              <Moment at={member.joinedAt} />
            </Table.Td>
            <Table.Td ta="right">
              <MemberActions
                workspace={workspaceId}
                member={member}
                isYou={member.accountId === account.accountId}
                isAdmin={isAdmin}
                isLastAdmin={member.role === 'admin' && admins === 1}
              />
            </Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
      {isAdmin && <Invitations workspace={workspaceId} />}
      {isAdmin && (
        <>
          <Title order={2} size="h4">
            Audit log
          </Title>
          <AuditLog workspace={workspaceId} />
        </>
      )}
    </Page>
  )
}
