import { Group } from '@mantine/core'
import { Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { lazyPart } from '../loading/lazy-part.ts'
import { PaletteButton } from '../palette/palette-button.tsx'
import { AccountMenu } from './account-menu.tsx'
import { AsOfGuard } from './as-of-guard.tsx'
import { Frame } from './frame.tsx'
import { Navigation } from './navigation.tsx'
import { WorkspaceGuard } from './workspace-guard.tsx'
import { WorkspaceMenu } from './workspace-menu.tsx'

/** Needed when a session ends: no page waits for it. */
const SignInAgain = lazyPart(async () => ({ default: (await import('./sign-in-again.tsx')).SignInAgain }))

/** What surrounds every page of a signed-in user. */
export const Shell = () => (
  <>
    <Suspense fallback={null}>
      <SignInAgain />
    </Suspense>
    <Frame
      tools={
        <Group gap="xs" wrap="nowrap">
          <PaletteButton />
          <WorkspaceMenu />
          <AccountMenu />
        </Group>
      }
      navigation={<Navigation />}
    >
      <WorkspaceGuard>
        <AsOfGuard>
          <Outlet />
        </AsOfGuard>
      </WorkspaceGuard>
    </Frame>
  </>
)
