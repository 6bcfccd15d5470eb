import '../light-dom.ts'
import { beforeEach, it } from 'vitest'
import { createApiKey } from '../../../src/accounts/keys/create-api-key.ts'
import { foundWorkspace } from '../../../src/accounts/members/found-workspace.ts'
import { DAY, type Instant, instantOf, plus } from '../../../src/lib/instant.ts'
import { addDeliveries } from '../../support/webhooks/deliveries.ts'
import { workspaceScreens } from '../fixtures/workspace-screens.ts'
import { checkAddresses, withSearches } from './check-addresses.ts'
import { checkNarrowing } from './check-narrowing.ts'

const workspace = workspaceScreens()
beforeEach(() => workspace.db.sql`truncate event cascade`)

it('a webhook and its deliveries at each of their addresses, and others', async () => {
  const at = plus(new Date().toISOString() as Instant, -2 * DAY)
  const added = async (name: string) => {
    const id = await workspace.addWebhook(name)
    const hook = { id, workspaceId: workspace.workspaceId }
    const body = JSON.stringify({ dimension: 'output_tokens', pricingTier: {}, currency: 'USD', by: name })
    const deliveries = await addDeliveries(workspace.db.sql, hook, { at, count: 2, body })
    return { page: `/webhooks/${id}`, delivery: `/webhooks/${id}/deliveries/${deliveries[0]}` }
  }
  const [orders, bills] = [await added('Orders'), await added('Bills')]
  // What still waits shows instants of rounds to come, whose day depends on the hour.
  await workspace.db.sql`
    update delivery set due_at = null, finished_at = ${at}, attempts = 1,
           status = case when delivery_id::text = (select min(delivery_id::text) from delivery) then 'failed'
                         else 'succeeded' end`
  const searches = [
    'tab=settings',
    'tab=secret',
    'status=failed',
    'type=tos.changed',
    'since=1h',
    `since=${instantOf(Date.now() - 300 * DAY).slice(0, 10)}T03:04`,
  ]
  await checkAddresses('webhook-addresses', workspace.open, [
    ...withSearches(orders.page, searches),
    ...[bills.page, `${bills.page}?tab=settings`, `${bills.page}?tab=secret`],
  ])
  await checkAddresses('delivery-addresses', workspace.open, [
    ...[orders.delivery, `${orders.delivery}?view=sent`, bills.delivery],
  ])
  await checkAddresses('verify-addresses', workspace.open, [`${orders.page}/verify`, `${bills.page}/verify`])
  const subjects = ['provider=openai', 'provider=openai&resource=gpt-5', 'provider=openai&document=terms']
  await checkAddresses('webhook-new-addresses', workspace.open, withSearches('/webhooks/new', subjects))
  await checkAddresses(
    'watch-addresses',
    workspace.open,
    subjects.map((subject) => `/account/watch?${subject}`),
  )
})

it('the pages of one workspace after those of another', async () => {
  const { workspaceId: second } = await foundWorkspace(workspace.db.sql, workspace, { name: 'Second' })
  await createApiKey(workspace.db.sql, { workspaceId: second, name: 'Of the second' })
  await workspace.addWebhook('Orders')
  for (const page of ['keys', 'members', 'webhooks', 'workspaces'])
    await checkAddresses(`${page}-addresses`, workspace.open, [
      `/${page}?workspace=${workspace.workspaceId}`,
      `/${page}?workspace=${second}`,
    ])
})

it('what narrows the log of a webhook and of a workspace, where everything is narrowed', async () => {
  const id = await workspace.addWebhook('Orders')
  const in1 = `workspace=${workspace.workspaceId}`
  await checkNarrowing('workspaces-narrowed', workspace.open, [
    `/webhooks/${id}?tab=log&status=failed&type=tos.changed&since=1h&${in1}`,
    `/members?who=${workspace.accountId}&action=member_removed&${in1}`,
  ])
})
