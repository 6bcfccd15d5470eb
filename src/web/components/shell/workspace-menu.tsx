import { Button, Menu, Text } from '@mantine/core'
import { IconBuilding, IconCheck, IconChevronDown, IconSettings } from '@tabler/icons-react'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { rememberWorkspace, useWorkspace } from './use-workspace.ts'

const ONE_WEBHOOK = /^\/webhooks\/(?!new$)/

/** The workspace that is shown, and the others to switch to. */
export function WorkspaceMenu() {
  const { workspace, workspaces } = useWorkspace()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const show = (workspaceId: string) => {
    rememberWorkspace(workspaceId)
    // A webhook belongs to one workspace, as its deliveries and the people of a log do: the other one shows its own.
    const isOneWebhook = ONE_WEBHOOK.test(pathname)
    void navigate({
      to: isOneWebhook ? '/webhooks' : '.',
      search: (before) => ({ ...(isOneWebhook || pathname === '/members' ? {} : before), workspace: workspaceId }),
    })
  }
  return (
    <Menu position="bottom-end" width={280} shadow="md" styles={{ itemLabel: { minWidth: 0 } }}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconBuilding size={16} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          maw={{ base: 170, sm: 280 }}
          aria-label={`Workspace: ${workspace?.name ?? 'none'}`}
        >
          <Text span truncate size="sm" fw={500}>
            {workspace?.name ?? 'No workspace'}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Workspaces</Menu.Label>
        {workspaces.map(({ workspaceId, name }) => (
          <Menu.Item
            key={workspaceId}
            onClick={() => show(workspaceId)}
            rightSection={workspaceId === workspace?.workspaceId && <IconCheck size={16} aria-label="shown" />}
          >
            <Text span truncate size="sm" display="block">
              {name}
            </Text>
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconSettings size={16} aria-hidden />}
          onClick={() => void navigate({ to: '/workspaces', search: { workspace: workspace?.workspaceId } })}
        >
          All workspaces
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
