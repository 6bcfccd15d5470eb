import { AppShell, Box, Burger, Group, Skeleton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { lazyPart } from '../loading/lazy-part.ts'
import { PageLoading } from '../loading/skeletons.tsx'
import { Mark } from '../values/mark.tsx'
import { ConnectionNotice } from './connection-notice.tsx'
import { MissingPartNotice } from './missing-part-notice.tsx'

/** No page waits for it. */
const ColorScheme = lazyPart(() => import('./color-scheme.tsx'))
/** Kept free for it. */
const COLOR_SCHEME_HEIGHT = 42

type Props = {
  /** What stands at the right of the header. */
  tools: ReactNode
  /** What the bar of pages holds. */
  navigation: ReactNode
  children: ReactNode
}

/** The header, the bar of pages and the page, for signed-in users and for visitors. */
export function Frame({ tools, navigation, children }: Props) {
  const [opened, { toggle, close }] = useDisclosure(false)
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', md: 'xl' }}
    >
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label="Menu"
              aria-expanded={opened}
            />
            <Link to="/" aria-label="Home" className="plain">
              <Mark nameFrom="sm" />
            </Link>
          </Group>
          {tools}
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm">
        {/* On a narrow screen the bar covers the page that is chosen in it. */}
        <AppShell.Section grow mih={0} style={{ overflowY: 'auto' }} onClick={close}>
          {navigation}
        </AppShell.Section>
        <Box pt="sm" mih={COLOR_SCHEME_HEIGHT}>
          <Suspense fallback={null}>
            <ColorScheme />
          </Suspense>
        </Box>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <ConnectionNotice />
        <MissingPartNotice />
        <Suspense fallback={<PageLoading />}>{children}</Suspense>
      </AppShell.Main>
    </AppShell>
  )
}

/** The same while it is not known who looks at it. */
export const FrameLoading = () => (
  <Frame tools={<Skeleton height={36} width={120} />} navigation={<Skeleton height={280} />}>
    <PageLoading />
  </Frame>
)
