import { Alert, Button, Group, Text } from '@mantine/core'
import { Link, useMatches } from '@tanstack/react-router'
import { Fragment, type ReactNode, useEffect, useRef } from 'react'
import { useChangeSearch } from '../hooks/use-change-search.ts'
import { Empty } from '../states/empty.tsx'
import { useWorkspace } from './use-workspace.ts'

/** Pages that show one workspace. All others need none, the sign-in too: it is the address already while this is left. */
const OF_A_WORKSPACE = /^\/(webhooks|keys|members)(\/.*)?$/

/** Says what is missing to someone who is in no workspace, or not in the one that the address names. */
export function WorkspaceGuard({ children }: { children: ReactNode }) {
  const { workspace, isMember, isNamed } = useWorkspace()
  // Of the page that is shown: the address is the next one's before that is here.
  const pathname = useMatches({ select: (matches) => matches.at(-1)?.pathname ?? '/' })
  const isPersonal = !OF_A_WORKSPACE.test(pathname)
  useNamedWorkspace(!isPersonal && isMember && !isNamed ? workspace?.workspaceId : undefined)
  const shown = useRef<string>(undefined)
  if (isMember) shown.current = pathname
  const isOpen = isMember || isPersonal
  const isRemoved = !isOpen && workspace !== undefined && shown.current === pathname
  // One place for both: React would mount a page in another place again, without what was typed.
  if (isOpen || isRemoved) {
    return (
      <>
        {isRemoved && <Removed name={workspace.name} />}
        {/* Of another workspace, a page has nothing of what was open or typed. */}
        <Fragment key={isPersonal ? '' : workspace?.workspaceId}>{children}</Fragment>
      </>
    )
  }
  const action = (
    <Button component={Link} to="/workspaces">
      Your workspaces
    </Button>
  )
  return isNamed ? (
    <Empty title="You are not a member of this workspace" action={action}>
      You may have been removed, or the link belongs to another workspace. One of its admins can invite you.
    </Empty>
  ) : (
    <Empty title="You are not in a workspace yet" action={action}>
      A workspace holds webhooks, API keys and members. Create one, or ask an admin for an invitation.
    </Empty>
  )
}

/** Names the workspace in the address, so that the page keeps it whatever other tabs or admins do. */
function useNamedWorkspace(workspaceId: string | undefined): void {
  const change = useChangeSearch()
  useEffect(() => {
    if (workspaceId !== undefined) change({ workspace: workspaceId })
  }, [change, workspaceId])
}

/** Said above a page that was open when its reader was removed. */
const Removed = ({ name }: { name: string }) => (
  <Alert
    color="red"
    title={`You are no longer a member of ${name}`}
    mb="lg"
    maw={1200}
    mx="auto"
    role="alert"
    className="stays"
  >
    <Text size="sm">
      Nothing can be saved there any more. You see the last known state, and what you typed is still here to copy. An
      admin of the workspace can invite you again.
    </Text>
    <Group mt="xs">
      <Button component={Link} to="/workspaces" size="xs" variant="default">
        Your workspaces
      </Button>
    </Group>
  </Alert>
)
