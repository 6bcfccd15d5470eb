import { useSuspenseQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { accountQuery } from '../../api/account.ts'

const LAST_USED = 'pricetape.workspace'

/**
 * Returns the signed-in user, and the workspace that the address names: two tabs can show two. Without one in the address
 * it is the one used last, or the first.
 */
export function useWorkspace() {
  const { data } = useSuspenseQuery(accountQuery)
  const { workspace: named } = useSearch({ strict: false })
  const { account, sessionId, workspaces } = data
  const find = (workspaceId: string | null | undefined) => workspaces.find((item) => item.workspaceId === workspaceId)
  const member =
    find(named) ?? (named === undefined ? (find(localStorage.getItem(LAST_USED)) ?? workspaces[0]) : undefined)
  if (member) seen.set(`${account.accountId} ${member.workspaceId}`, member)
  const workspace = member ?? seen.get(`${account.accountId} ${named}`)
  return { account, sessionId, workspaces, workspace, isMember: member !== undefined, isNamed: named !== undefined }
}

type Workspace = Account['workspaces'][number]
type Account = NonNullable<Awaited<ReturnType<NonNullable<typeof accountQuery.queryFn>>>>
/** What this tab showed of. Someone who was removed from a workspace keeps what they see of it, and what they typed. */
const seen = new Map<string, Workspace>()

export const rememberWorkspace = (workspaceId: string): void => localStorage.setItem(LAST_USED, workspaceId)
