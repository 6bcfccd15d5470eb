import { Group } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import { accountQuery, visitorQuery } from '../../api/account.ts'
import { signInFor } from '../../search.ts'
import { ButtonLink } from '../links.tsx'
import { PaletteButton } from '../palette/palette-button.tsx'
import { AsOfGuard } from './as-of-guard.tsx'
import { Frame } from './frame.tsx'
import { Pages, ReferenceLink } from './navigation.tsx'
import { PAGE_GROUPS } from './pages.ts'
import { Shell } from './shell.tsx'

/**
 * What surrounds the pages that may be public: the shell of a signed-in user, or less for a visitor. Where visitors may read nothing,
 * someone whose session has ended keeps their page, and is asked to sign in again.
 */
export function ReadingShell() {
  const { data } = useQuery(visitorQuery)
  const account = useQueryClient().getQueryData(accountQuery.queryKey)
  const publicPages = data?.publicPages ?? false
  return data?.session || (account && !publicPages) ? <Shell /> : <VisitorShell hasPages={publicPages} />
}

/** @param hasPages whether there are public pages beside the one that is shown */
function VisitorShell({ hasPages }: { hasPages: boolean }) {
  const location = useLocation()
  const [group] = PAGE_GROUPS as [(typeof PAGE_GROUPS)[number]]
  return (
    <Frame
      tools={
        <Group gap="xs" wrap="nowrap">
          {hasPages && <PaletteButton isForVisitors />}
          <ButtonLink {...signInFor(location)} variant="default">
            Sign in
          </ButtonLink>
        </Group>
      }
      navigation={
        <nav aria-label="Pages">
          {hasPages && <Pages group={group} />}
          <ReferenceLink />
        </nav>
      }
    >
      <AsOfGuard>
        <Outlet />
      </AsOfGuard>
    </Frame>
  )
}
