import { ActionIcon, Avatar, Menu, Text } from '@mantine/core'
import { IconLogout, IconUser } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useSignOut } from './use-sign-out.ts'
import { useWorkspace } from './use-workspace.ts'

/** The account, and how to sign out. */
export function AccountMenu() {
  const { account, workspace } = useWorkspace()
  const navigate = useNavigate()
  const leave = useSignOut()
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
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={leave}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
