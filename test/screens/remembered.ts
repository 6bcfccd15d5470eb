import type { Query, QueryClient, QueryFunction } from '@tanstack/react-query'
import { accountQuery, sessionsQuery, totpQuery } from '../../src/web/api/account.ts'
import { feedAddressQuery, feedPagesQuery, overviewQuery, webhookHealthQuery } from '../../src/web/api/feed.ts'
import { identitiesQuery } from '../../src/web/api/identities.ts'
import {
  accountsQuery,
  accuracyQuery,
  aliasesQuery,
  providersQuery,
  reviewQuery,
  sourcesQuery,
  workspaceUsesQuery,
} from '../../src/web/api/operator.ts'
import { passkeysQuery } from '../../src/web/api/passkeys.ts'
import { pricesQuery } from '../../src/web/api/prices.ts'
import { watchesQuery } from '../../src/web/api/watches.ts'
import { deliveriesQuery, statisticsQuery, webhookQuery, webhooksQuery } from '../../src/web/api/webhooks.ts'
import { invitationsQuery, keysQuery, membersQuery } from '../../src/web/api/workspace.ts'

/** Reads what the pages of a signed-in user would have read, had they been opened a moment ago. */
export async function readEverything(queryClient: QueryClient): Promise<void> {
  const user = queryClient.getQueryData(accountQuery.queryKey)
  if (!user) return
  const read = (query: object) => queryClient.prefetchQuery({ ...query, retry: false } as never)
  const own = [sessionsQuery, totpQuery, passkeysQuery, identitiesQuery, watchesQuery, feedAddressQuery, overviewQuery]
  const installation = [accountsQuery, workspaceUsesQuery, aliasesQuery, providersQuery, sourcesQuery, accuracyQuery]
  await Promise.all([...own, pricesQuery(undefined, undefined)].map(read))
  await queryClient.prefetchInfiniteQuery(feedPagesQuery({}))
  if (user.account.operator) await Promise.all([...installation, reviewQuery({})].map(read))
  for (const { workspaceId } of user.workspaces) {
    const queries = [keysQuery, membersQuery, invitationsQuery, webhooksQuery, webhookHealthQuery, statisticsQuery]
    await Promise.all(queries.map((query) => read(query(workspaceId))))
    for (const { id } of queryClient.getQueryData(webhooksQuery(workspaceId).queryKey)?.webhooks ?? [])
      await Promise.all([webhookQuery(id), deliveriesQuery(id)].map(read))
  }
}

/** Returns what the next page would show from memory although the service would answer something else by now. */
export async function outdated(queryClient: QueryClient, steady: (text: string) => string): Promise<string[]> {
  const found: string[] = []
  for (const query of queryClient.getQueryCache().getAll()) {
    if (query.state.data === undefined || query.state.isInvalidated || !isRead(query)) continue
    const now = await readAgain(queryClient, query).catch((error: Error) => error.message)
    const known = isPaged(query.state.data) ? query.state.data.pages[0] : query.state.data
    if (steady(JSON.stringify(now)) !== steady(JSON.stringify(known))) found.push(`${query.queryKey[0]}`)
  }
  return [...new Set(found)].sort()
}

const isRead = (query: Query): boolean => typeof query.options.queryFn === 'function'
const isPaged = (data: unknown): data is { pages: unknown[] } => Array.isArray((data as { pages?: unknown })?.pages)

async function readAgain(client: QueryClient, { options, queryKey }: Query): Promise<unknown> {
  const read = options.queryFn as QueryFunction
  return read({ client, queryKey, signal: new AbortController().signal, pageParam: undefined } as never)
}
