import { useSuspenseQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { accountQuery } from '../../api/account.ts'

const LAST_USED = 'pricetape.workspace'

/**
 * Returns who is signed in, and the workspace that the address names: two tabs can show two. Without one in the address
 * it is the one used last, or the first.
 */
export function useWorkspace() {
  const { data } = useSuspenseQuery(accountQuery)
  const { workspace: named } = useSearch({ strict: false })
  const { account, sessionId, workspaces } = data
  const find = (workspaceId: string | null | undefined) => workspaces.find((item) => item.workspaceId === workspaceId)
  const workspace =
    find(named) ?? (named === undefined ? (find(localStorage.getItem(LAST_USED)) ?? workspaces[0]) : undefined)
  return { account, sessionId, workspaces, workspace, isUnknown: named !== undefined && workspace === undefined }
}

export const rememberWorkspace = (workspaceId: string): void => localStorage.setItem(LAST_USED, workspaceId)
