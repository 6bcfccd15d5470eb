import './light-dom.ts'
import { expect, it } from 'vitest'
import { createApiKey } from '../../src/accounts/keys/create-api-key.ts'
import { type Instant, plus } from '../../src/lib/instant.ts'
import { addDeliveries } from '../support/webhooks/deliveries.ts'
import { checkScreen } from './check-screen.ts'
import { workspaceScreens } from './fixtures/workspace-screens.ts'

const workspace = workspaceScreens()

it('webhooks', async () => {
  await workspace.addWebhook('Orders')
  await checkScreen('webhooks', workspace.open('/webhooks'), {})
})

it('a webhook with deliveries', async () => {
  const id = await workspace.addWebhook('Orders')
  const hook = { id, workspaceId: workspace.workspaceId }
  const body = JSON.stringify({
    dimension: 'output_tokens',
    pricingTier: { service: 'batch' },
    currency: 'USD',
    shown: { previous: '2.00', current: '1.50', per: 'million tokens' },
  })
  const hourAgo = plus(new Date().toISOString() as Instant, -3_600_000)
  const [failed, succeeded] = await addDeliveries(workspace.db.sql, hook, { at: hourAgo, count: 3, body })
  await workspace.db.sql`update event set resources = array['gpt-5']`
  await workspace.db.sql`
    update delivery set status = case when delivery_id = ${failed!} then 'failed' else 'succeeded' end, due_at = null,
           finished_at = ${hourAgo}, last_attempt_at = ${hourAgo}, attempts = 1
    where delivery_id in (${failed!}, ${succeeded!})`
  await workspace.db.sql`
    insert into attempt (delivery_id, cycle, number, started_at, outcome, status, error, duration_ms)
    select delivery_id, 1, 1, ${hourAgo}, status, case status when 'failed' then 500 else 200 end,
           case status when 'failed' then 'HTTP 500 after 85 ms' end, 85
    from delivery where status <> 'pending'`
  await checkScreen('webhook', workspace.open(`/webhooks/${id}`), {
    'Send a test': [[]],
    'Resend 1 failed delivery': [['Resend']],
    Resend: [['Resend']],
    // Its page is gone after that.
    'More actions': [
      ['Pause', 'Cancel'],
      ['Delete', 'Delete the webhook'],
    ],
  })
})

it('a question is closed with the page that asked it, and is about nothing else', async () => {
  const [first, other] = [await workspace.addWebhook('First'), await workspace.addWebhook('Other')]
  const screen = await workspace.open(`/webhooks/${first}`)()
  for (const webhookId of [other, first, other]) await screen.go(`/webhooks/${webhookId}`, () => {})
  for (const step of ['More actions', 'Delete']) await screen.press(step)
  expect(screen.text()).toContain('Delete Other?')
  await screen.back()
  expect(screen.offered()).toEqual([])
  expect(screen.text()).not.toContain('Delete Other?')
})

it('what someone watches', async () => {
  await workspace.db.sql`
    insert into watch (account_id, provider, resource, frequency, min_change, after_seq, created_at, updated_at)
    values (${workspace.accountId}, 'openai', 'gpt-5', 'daily', 5, 0, now(), now())`
  await checkScreen('watches', workspace.open('/account/watches'), {
    'Actions for gpt-5 at OPENAI': [['Edit'], ['Pause'], ['Resume'], ['Stop watching', 'Stop watching']],
  })
})

it('watching a model', async () => {
  await checkScreen('watch', workspace.open('/account/watch?provider=openai&resource=gpt-5'), {})
})

it('the audit log', async () => {
  const id = await workspace.addWebhook('Orders')
  await workspace.db.sql`truncate audit_entry`
  await createApiKey(workspace.db.sql, { workspaceId: workspace.workspaceId, name: 'Nightly import' })
  const url = `/v1/webhooks/${id}/pause`
  await workspace.server.inject({
    method: 'POST',
    url,
    headers: { cookie: `pricetape=${workspace.session}` },
    remoteAddress: '127.0.0.1',
  })
  await checkScreen('audit', workspace.open('/operator/audit'), {})
})
