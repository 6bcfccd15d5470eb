import { ActionIcon, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDots } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { changeRole, type Role, removeMember } from '../../api/workspace.ts'
import { useConfirmed } from '../../components/hooks/use-confirmed.tsx'

type Props = {
  workspace: string
  member: { accountId: string; name: string; role: Role }
  isYou: boolean
  isAdmin: boolean
  isLastAdmin: boolean
}

/** What can be done about a member; nothing that the service would refuse. */
export function MemberActions({ workspace, member, isYou, isAdmin, isLastAdmin }: Props) {
  const { accountId, name, role } = member
  const navigate = useNavigate()
  const other: Role = role === 'admin' ? 'member' : 'admin'
  const change = useMutation({
    mutationFn: () => changeRole(workspace, accountId, other),
    onError: ({ message }) => notifications.show({ color: 'red', title: 'Role not changed', message }),
  })
  const remove = useConfirmed({
    title: isYou ? 'Leave this workspace?' : `Remove ${name}?`,
    text: isYou
      ? 'You lose access at once. What you created stays. An admin can invite you again.'
      : `${name} loses access at once. Webhooks and API keys that ${name} created stay and keep working.`,
    button: isYou ? 'Leave' : 'Remove',
    run: () => removeMember(workspace, accountId),
    // The router would keep the workspace that was left.
    onDone: () => isYou && navigate({ to: '/workspaces', search: { workspace: undefined } }),
  })
  if (!isAdmin && !isYou) return null
  return (
    <Menu position="bottom-end" shadow="md" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${name}`} loading={change.isPending}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {isLastAdmin && <Menu.Label>The last admin stays admin. Make another member an admin first.</Menu.Label>}
        {isAdmin && (
          <Menu.Item disabled={isLastAdmin} onClick={() => change.mutate()}>
            {other === 'admin' ? 'Change role to admin' : 'Change role to member'}
          </Menu.Item>
        )}
        <Menu.Item color="red" disabled={isLastAdmin} onClick={remove}>
          {isYou ? 'Leave the workspace' : 'Remove from the workspace'}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
