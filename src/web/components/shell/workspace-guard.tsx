import { Button } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Empty } from '../empty.tsx'
import { useWorkspace } from './use-workspace.ts'

/** Pages that need no workspace. Those of operators need none either. */
const PERSONAL = /^\/(account|workspaces|operator\/.*|(prices|compare|documents)(\/.*)?)?$/

/** Says what is missing to somebody who is in no workspace, or not in the one that the address names. */
export function WorkspaceGuard({ children }: { children: ReactNode }) {
  const { workspace, isUnknown } = useWorkspace()
  const { pathname } = useLocation()
  if (workspace || PERSONAL.test(pathname)) return children
  const action = (
    <Button component={Link} to="/workspaces">
      Your workspaces
    </Button>
  )
  return isUnknown ? (
    <Empty title="You are not a member of this workspace" action={action}>
      You may have been removed, or the link is of another workspace. One of its admins can invite you. A webhook that
      you were editing is kept in this tab.
    </Empty>
  ) : (
    <Empty title="You are in no workspace yet" action={action}>
      A workspace holds webhooks, API keys and members. Create one, or ask an admin for an invitation.
    </Empty>
  )
}
