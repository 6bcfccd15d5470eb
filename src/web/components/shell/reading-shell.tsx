import { Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { visitorQuery } from '../../api/account.ts'
import { ButtonLink } from '../links.tsx'
import { PaletteButton } from '../palette/palette-button.tsx'
import { AsOfGuard } from './as-of-guard.tsx'
import { Frame } from './frame.tsx'
import { Pages, ReferenceLink } from './navigation.tsx'
import { PAGE_GROUPS } from './pages.ts'
import { Shell } from './shell.tsx'

/** What surrounds the pages that may be public: the shell of a signed-in user, or less for a visitor. */
export function ReadingShell() {
  const { data } = useQuery(visitorQuery)
  return data?.session ? <Shell /> : <VisitorShell hasPages={data?.publicPages ?? false} />
}

/** @param hasPages whether there are public pages beside the one that is shown */
function VisitorShell({ hasPages }: { hasPages: boolean }) {
  const [group] = PAGE_GROUPS as [(typeof PAGE_GROUPS)[number]]
  return (
    <Frame
      tools={
        <Group gap="xs" wrap="nowrap">
          {hasPages && <PaletteButton isForVisitors />}
          <ButtonLink to="/sign-in" variant="default">
            Sign in
          </ButtonLink>
        </Group>
      }
      navigation={(close) => (
        <nav aria-label="Pages">
          {hasPages && <Pages group={group} onChoose={close} />}
          <ReferenceLink onChoose={close} />
        </nav>
      )}
    >
      <AsOfGuard>
        <Outlet />
      </AsOfGuard>
    </Frame>
  )
}
