import { NavLink, type NavLinkProps, Stack } from '@mantine/core'
import { IconBook, IconKey, IconUsers } from '@tabler/icons-react'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

type LinkProps = Omit<ComponentProps<'a'>, keyof NavLinkProps> & NavLinkProps
const RouterNavLink = createLink((props: LinkProps) => <NavLink component="a" {...props} />)

const ICON = { size: 18, stroke: 1.7, 'aria-hidden': true }
const PAGES = [
  { to: '/keys', label: 'API keys', Icon: IconKey },
  { to: '/members', label: 'Members', Icon: IconUsers },
] as const

/** The pages, in the workspace that is shown. */
export function Navigation({ onChoose }: { onChoose: () => void }) {
  return (
    <Stack gap={2} component="nav" aria-label="Pages" h="100%">
      {PAGES.map(({ to, label, Icon }) => (
        <RouterNavLink
          key={to}
          to={to}
          search={({ workspace }: { workspace?: string }) => ({ workspace })}
          label={label}
          leftSection={<Icon {...ICON} />}
          activeProps={{ active: true, 'aria-current': 'page' }}
          onClick={onChoose}
        />
      ))}
      <NavLink component="a" href="/docs" label="API reference" leftSection={<IconBook {...ICON} />} mt="auto" />
    </Stack>
  )
}
