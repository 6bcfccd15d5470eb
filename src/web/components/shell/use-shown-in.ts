import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useWorkspace } from './use-workspace.ts'

/** Switches to the workspace that the page's subject belongs to: a link may have been opened in another one. */
export function useShownIn(workspaceId: string): void {
  const navigate = useNavigate()
  const shown = useWorkspace().workspace?.workspaceId
  useEffect(() => {
    if (shown !== workspaceId)
      void navigate({ to: '.', search: (now: object) => ({ ...now, workspace: workspaceId }), replace: true } as never)
  }, [navigate, shown, workspaceId])
}
