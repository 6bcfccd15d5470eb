import { NavLink, type NavLinkProps, Stack, Text } from '@mantine/core'
import { IconBook } from '@tabler/icons-react'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { PAGE_GROUPS, type PageGroup } from './pages.ts'
import { useWorkspace } from './use-workspace.ts'

type LinkProps = Omit<ComponentProps<'a'>, keyof NavLinkProps> & NavLinkProps
const RouterNavLink = createLink((props: LinkProps) => <NavLink component="a" {...props} />)

const ICON = { size: 18, stroke: 1.7, 'aria-hidden': true }

/** The pages, in the workspace that is shown. Operators have more of them. */
export function Navigation() {
  const { account } = useWorkspace()
  const groups = PAGE_GROUPS.filter(
    ({ pages, isForOperators }) => pages.length > 0 && (!isForOperators || account.operator),
  )
  return (
    <Stack gap="md" component="nav" aria-label="Pages" mih="100%">
      {groups.map((group) => (
        <Pages key={group.label ?? ''} group={group} />
      ))}
      <ReferenceLink mt="auto" />
    </Stack>
  )
}

/** The reference of the API, which everyone may read. */
export const ReferenceLink = ({ mt }: { mt?: 'auto' }) => (
  <RouterNavLink
    to="/docs"
    label="API reference"
    leftSection={<IconBook {...ICON} />}
    activeOptions={{ includeSearch: false }}
    activeProps={{ active: true, 'aria-current': 'page' }}
    mt={mt}
  />
)

/** A group of pages. */
export const Pages = ({ group: { label, pages } }: { group: PageGroup }) => (
  <Stack gap={2}>
    {label && (
      <Text size="xs" fw={600} c="dimmed" px="sm" pb={4}>
        {label}
      </Text>
    )}
    {pages.map(({ to, label, Icon, exact = false }) => (
      <RouterNavLink
        key={to}
        to={to}
        label={label}
        leftSection={<Icon {...ICON} />}
        activeOptions={{ exact, includeSearch: false }}
        activeProps={{ active: true, 'aria-current': 'page' }}
      />
    ))}
  </Stack>
)
