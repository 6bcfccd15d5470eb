import { useEffect } from 'react'
import { useChangeSearch } from '../hooks/use-change-search.ts'
import { useWorkspace } from './use-workspace.ts'

/** Switches to the workspace that the page's subject belongs to, once it is known: a link may have been opened in another one. */
export function useShownIn(workspaceId: string | undefined): void {
  const change = useChangeSearch()
  const shown = useWorkspace().workspace?.workspaceId
  useEffect(() => {
    if (workspaceId !== undefined && shown !== workspaceId) change({ workspace: workspaceId })
  }, [change, shown, workspaceId])
}
