import { AppShell, Burger, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Loading } from '../loading.tsx'
import { Mark } from '../mark.tsx'
import { PaletteButton } from '../palette/palette-button.tsx'
import { AccountMenu } from './account-menu.tsx'
import { Navigation } from './navigation.tsx'
import { WorkspaceGuard } from './workspace-guard.tsx'
import { WorkspaceMenu } from './workspace-menu.tsx'

/** Needed when a session ends: no page waits for it. */
const SignInAgain = lazy(async () => ({ default: (await import('./sign-in-again.tsx')).SignInAgain }))

/** What surrounds every page of somebody who is signed in. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure(false)
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', md: 'xl' }}
    >
      <a className="skip-link" href="#content">
        Skip to the page
      </a>
      <Suspense fallback={null}>
        <SignInAgain />
      </Suspense>
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
            <Link to="/" aria-label="Start" className="plain">
              <Mark nameFrom="sm" />
            </Link>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <PaletteButton />
            <WorkspaceMenu />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm">
        <Navigation onChoose={close} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Suspense fallback={<Loading />}>
          <WorkspaceGuard>
            <Outlet />
          </WorkspaceGuard>
        </Suspense>
      </AppShell.Main>
    </AppShell>
  )
}
