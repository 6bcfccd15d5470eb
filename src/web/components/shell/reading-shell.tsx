import { AppShell, Burger, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { visitorQuery } from '../../api/account.ts'
import { ButtonLink } from '../links.tsx'
import { Loading } from '../loading.tsx'
import { Mark } from '../mark.tsx'
import { Pages } from './navigation.tsx'
import { PAGE_GROUPS } from './pages.ts'
import { Shell } from './shell.tsx'

/** What surrounds the pages that may be public: the shell of who is signed in, or less for a visitor. */
export function ReadingShell() {
  const { data } = useQuery(visitorQuery)
  return data?.session ? <Shell /> : <VisitorShell />
}

function VisitorShell() {
  const [opened, { toggle, close }] = useDisclosure(false)
  const [group] = PAGE_GROUPS as [(typeof PAGE_GROUPS)[number]]
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', md: 'xl' }}
    >
      <a className="skip-link" href="#content">
        Skip to the page
      </a>
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
            <Link to="/" aria-label="Start" className="plain">
              <Mark nameFrom="sm" />
            </Link>
          </Group>
          <ButtonLink to="/sign-in" variant="default">
            Sign in
          </ButtonLink>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" component="nav" aria-label="Pages">
        <Pages group={group} onChoose={close} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </AppShell.Main>
    </AppShell>
  )
}
