import { createApiKey } from '../../../src/accounts/keys/create-api-key.ts'
import { saveGroup } from '../../../src/aliases/save-group.ts'
import { storeSnapshot } from '../../../src/catalog/snapshots/snapshot-store.ts'
import { DAY, HOUR, type Instant, instantOf } from '../../../src/lib/instant.ts'
import type { Sql } from '../../../src/lib/sql.ts'
import { ingestDocument } from '../../../src/terms/ingest/ingest-document.ts'
import { model, models } from '../../prices/observed.ts'
import { snapshot } from '../../prices/support.ts'
import { declareDocument } from '../../terms/ingest/pages.ts'
import { replaceIn, TERMS } from '../../terms/texts.ts'
import { addOperator } from '../accounts.ts'
import { isolation } from '../isolation.ts'
import { publish, seedProviders } from '../prices.ts'
import { measuredDays } from '../suite/measured.ts'
import { addDeliveries } from '../webhooks/deliveries.ts'
import { addWebhook } from '../webhooks/subscriptions.ts'

/** Names that differ in their last character, and are longer than any column. */
export const ALIKE = ['a', 'b'].map((last) => `claude-3-5-sonnet-20241022-extended-thinking-preview-${last}`)

const daysAgo = (days: number) => instantOf(Date.now() - days * DAY)

/** An installation in which every page has something to show. */
export async function fillApp(sql: Sql) {
  const operator = await addOperator(sql)
  const { workspaceId } = operator
  await seedProviders(sql, daysAgo(60), [{ provider: 'openai' }, { provider: 'azure' }])
  const rows = ['openai', 'azure'].flatMap((provider) =>
    ['gpt-4o', ...ALIKE].map((resource) => ({ provider, resource, price: '0.000002' })),
  )
  await publish(sql, rows, daysAgo(50))
  await addVersions(sql)
  for (const [n, input] of [0.000002, 0.002].entries()) {
    const alike = ALIKE.flatMap((name) => model(name, 0.000002, { provider: 'seller' }))
    const held = [...models(8, { provider: 'seller' }), ...alike, ...model('held', input, { provider: 'seller' })]
    await snapshot(sql, 'held-list', held, { at: daysAgo(8 - n) })
  }
  await measuredDays(sql)
  const [read] = await sql<{ contentHash: string }[]>`
    select p.content_hash as "contentHash"
    from publication p join price_row r using (content_hash) join price_line l on l.line_id = r.line_id
    where p.source = 'held-list' order by length(l.resource), l.resource, l.dimension limit 1`
  await publish(sql, [{ provider: 'openai', resource: 'gpt-4o', price: '0.0000015' }])
  const members = ['openai', 'azure'].map((provider) => ({ provider, resource: 'gpt-4o' }))
  const group = await saveGroup(sql, { name: 'GPT-4o', members, actor: 'test' })
  await createApiKey(sql, { workspaceId, name: 'Nightly import' })
  const webhookId = await addWebhook(sql, workspaceId)
  const at = new Date(Date.now() - HOUR).toISOString() as Instant
  const body = JSON.stringify({
    dimension: 'input_tokens',
    currency: 'USD',
    shown: { current: '1.50', per: 'million tokens' },
  })
  const [deliveryId] = await addDeliveries(sql, { workspaceId, id: webhookId }, { at, count: 60, body })
  await sql`
    update delivery set status = 'failed', due_at = null, attempts = 6, finished_at = ${at}, last_attempt_at = ${at},
           error = 'HTTP 503 after 40 ms'`
  await sql`
    insert into attempt (delivery_id, cycle, number, started_at, outcome, status, error, duration_ms)
    select delivery_id, 1, 6, ${at}, 'failed', 503, 'HTTP 503 after 40 ms', 40 from delivery`
  await sql`
    insert into audit_entry (at, account_id, action, workspace_id)
    values (now(), ${operator.accountId}, 'workspace_renamed', ${workspaceId})`
  return { ...operator, contentHash: read!.contentHash, groupId: group.id, webhookId, deliveryId: deliveryId! }
}

/** Two versions of the terms of a provider. */
async function addVersions(sql: Sql): Promise<void> {
  const source = await declareDocument(sql, 'terms')
  for (const [hours, text] of [
    [0, TERMS],
    [24, replaceIn(TERMS, '30 days', '14 days')],
    [72, replaceIn(TERMS, '30 days', '14 days')],
  ] as const) {
    const at = instantOf(Date.now() - 30 * DAY + hours * HOUR)
    const bytes = Buffer.from(text)
    const snapshotHash = await storeSnapshot(sql, { bytes, at, contentType: 'text/markdown' })
    await ingestDocument({ sql, isolation }, { source, snapshotHash, bytes, contentType: 'text/markdown', at })
  }
}

type FilledApp = Awaited<ReturnType<typeof fillApp>>

/** The pages of the app that read something, by the path of their route. */
export const dataPages = ({ webhookId, deliveryId, contentHash, groupId }: FilledApp): Record<string, string> => ({
  '/': '/',
  '/prices': '/prices',
  '/prices/$provider/$resource': '/prices/openai/gpt-4o',
  '/evidence/$contentHash': `/evidence/${contentHash}`,
  '/compare': `/compare?of=${encodeURIComponent(JSON.stringify(['openai', 'azure'].map((one) => [one, 'gpt-4o'])))}`,
  '/compare/$group': `/compare/${groupId}`,
  '/documents': '/documents',
  '/documents/$provider/$document': '/documents/example/terms',
  '/webhooks': '/webhooks',
  '/webhooks/new': '/webhooks/new',
  '/webhooks/$webhookId': `/webhooks/${webhookId}`,
  '/webhooks/$webhookId/deliveries/$deliveryId': `/webhooks/${webhookId}/deliveries/${deliveryId}`,
  '/webhooks/$webhookId/verify': `/webhooks/${webhookId}/verify`,
  '/keys': '/keys',
  '/members': '/members',
  '/workspaces': '/workspaces',
  '/account': '/account',
  '/account/watches': '/account/watches',
  '/account/watch': '/account/watch?provider=openai&resource=gpt-4o',
  '/operator/review': '/operator/review',
  '/operator/prices': '/operator/prices?provider=openai&resource=gpt-4o',
  '/operator/sources': '/operator/sources',
  '/operator/aliases': '/operator/aliases',
  '/operator/providers': '/operator/providers',
  '/operator/accuracy': '/operator/accuracy',
  '/operator/users': '/operator/users',
  '/operator/workspaces': '/operator/workspaces',
  '/operator/audit': '/operator/audit',
})

/** The pages that read nothing of the service's data: for visitors, and the API reference. */
export const visitorPages = (): Record<string, string> => ({
  '/docs': '/docs',
  '/sign-in': '/sign-in',
  '/sign-in/callback': '/sign-in/callback',
  '/sign-up': '/sign-up',
  '/first-account': '/first-account',
  '/verify-email': '/verify-email',
  '/forgot-password': '/forgot-password',
  '/reset-password': '/reset-password',
  '/invitation': '/invitation',
})
