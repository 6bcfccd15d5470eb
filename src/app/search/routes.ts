import { listMemberships } from '../../accounts/members/list-members.ts'
import { searchCatalog } from '../../catalog/search/search-catalog.ts'
import type { Sql } from '../../lib/sql.ts'
import { searchDocuments } from '../../terms/read/search-documents.ts'
import { listWebhooks } from '../../webhooks/subscriptions/list-webhooks.ts'
import { type AppRoute, route } from '../route.ts'
import * as contracts from './contract.ts'

export const searchRoutes: AppRoute[] = [
  /** GET /v1/search?q=: what can be opened by its name. With `after`, more resources alone. */
  route(contracts.search, async ({ tools: { sql }, actor, query: { q, after } }) => {
    const found = await searchCatalog(sql, q, after)
    if (after !== undefined) return { ...found, documents: [], webhooks: [] }
    const webhooks = actor ? await webhooksOf(sql, actor.accountId, q) : []
    return { ...found, documents: await searchDocuments(sql, q), webhooks }
  }),
]

/** The webhooks of an account's workspaces whose name holds a text: there are at most 20 in each. */
async function webhooksOf(sql: Sql, accountId: string, text: string) {
  const found = []
  for (const { workspaceId, name: workspace } of await listMemberships(sql, accountId))
    for (const { id: webhookId, name } of await listWebhooks(sql, workspaceId))
      if (name.toLowerCase().includes(text.toLowerCase())) found.push({ webhookId, name, workspaceId, workspace })
  return found
}
