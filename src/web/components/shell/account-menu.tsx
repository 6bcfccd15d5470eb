import { ActionIcon, Avatar, Menu, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconLogout, IconUser } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { signOut } from '../../api/account.ts'
import { ApiError } from '../../api/client.ts'
import { forgetSession } from '../../api/forget-session.ts'
import { sessionEnded } from '../../api/session-ended.ts'
import { unsent } from '../../api/unsent.ts'
import { useWorkspace } from './use-workspace.ts'

/** Who is signed in, and the way out. */
export function AccountMenu() {
  const { account, workspace } = useWorkspace()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const leave = async () => {
    await navigate({ to: '/sign-in' })
    forgetSession(queryClient)
  }
  const { mutate } = useMutation({
    mutationFn: async () => {
      await unsent.sendAll()
      await sessionEnded.leave(signOut)
    },
    onSuccess: leave,
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'unauthorized') return leave()
      notifications.show({ color: 'red', title: 'You are not signed out', message: error.message })
    },
  })
  return (
    <Menu position="bottom-end" width={260} shadow="md">
      <Menu.Target>
        <ActionIcon variant="transparent" size={36} radius="xl" aria-label={`Account of ${account.name}`}>
          <Avatar name={account.name} color="teal" size={32} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} truncate c="bright">
            {account.name}
          </Text>
          <Text size="xs" truncate>
            {account.email}
          </Text>
        </Menu.Label>
        <Menu.Item
          leftSection={<IconUser size={16} aria-hidden />}
          onClick={() => void navigate({ to: '/account', search: { workspace: workspace?.workspaceId } })}
        >
          Account and sessions
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
