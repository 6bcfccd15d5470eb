import './light-dom.ts'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { sendInvitation } from '../../src/accounts/invitations/send-invitation.ts'
import { createApiKey } from '../../src/accounts/keys/create-api-key.ts'
import { changeQuota } from '../../src/accounts/workspaces/change-quota.ts'
import type { Api } from '../../src/api/route.ts'
import { type Instant, plus } from '../../src/lib/instant.ts'
import { createWebhook } from '../../src/webhooks/subscriptions/create-webhook.ts'
import { addAccount, addMember, addOperator, PASSWORD, silentMail } from '../support/accounts.ts'
import { appServer, SECRET_KEY } from '../support/app/app.ts'
import { testDatabase } from '../support/database.ts'
import { addDeliveries } from '../support/deliveries.ts'
import { seedProviders } from '../support/prices.ts'
import { checkScreen } from './check-screen.ts'
import { openScreen, useScreens } from './screen.tsx'

const db = testDatabase()
useScreens()
let server: Api
let workspaceId: string
let accountId: string
let session: string

beforeAll(async () => {
  server = await appServer(db.sql, { PRICETAPE_SECRET_KEY: SECRET_KEY })
  await seedProviders(db.sql, undefined, [{ provider: 'openai' }])
})
afterAll(() => server.close())
beforeEach(async () => {
  await db.sql`truncate account, workspace cascade`
  const operator = await addOperator(db.sql)
  workspaceId = operator.workspaceId
  accountId = operator.accountId
  session = operator.sessionToken
})
async function addWebhook(name: string): Promise<string> {
  const tools = { secretKey: Buffer.from(SECRET_KEY, 'base64'), checkUrl: async () => {} }
  const body = {
    name,
    url: 'https://hooks.example.com/',
    eventTypes: ['price.changed' as const],
    providers: ['openai'],
  }
  return (await createWebhook(db.sql, tools, workspaceId, body)).webhook.id
}
const open = (path: string) => () => openScreen({ server, session }, path)

it('API keys', async () => {
  await createApiKey(db.sql, { workspaceId, name: 'Nightly import' })
  await checkScreen('keys', open('/keys'), {
    'Create a key': [
      [{ field: /^Name/, text: 'Other' }, 'Create the key', 'Copy the key', 'Copy the request', 'I have copied it'],
    ],
    'Networks of Nightly import': [[{ field: /^May be used from/, text: '203.0.113.0/24' }, 'Save'], ['Cancel']],
    'Delete Nightly import': [['Delete the key']],
  })
})

it('API keys and webhooks of a workspace that operators allow less', async () => {
  await createApiKey(db.sql, { workspaceId, name: 'Nightly import' })
  await addWebhook('Orders')
  await changeQuota(db.sql, workspaceId, { webhooks: 1, apiKeys: 1, members: null, requestsPerMinute: null })
  const shown = async (path: string) => {
    const screen = await open(path)()
    const text = screen.text()
    screen.close()
    return text
  }
  expect(await shown('/keys')).toContain('1 of 1 are in use. Delete one to create another.')
  expect(await shown('/webhooks')).toContain('1 of 1 are in use. Delete one to create another.')
  expect(await shown('/webhooks/new')).toContain('This workspace may have no more webhooks')
})

it('API keys of a new workspace', async () => {
  await checkScreen('keys-empty', open('/keys'), { 'Create a key': [['Create the key'], ['Cancel']] })
})

it('members', async () => {
  const { accountId: nora } = await addAccount(db.sql, 'nora@example.com')
  await addMember(db.sql, workspaceId, nora, 'member')
  await sendInvitation(db.sql, silentMail(), { accountId, workspaceId }, { email: 'ivan@example.com', role: 'admin' })
  await checkScreen('members', open('/members'), {
    'Invite people': [[{ field: /^E-mail/, text: 'new@example.com' }, 'Invite', 'Copy the link', 'Done']],
    'Actions for nora': [['Change role to admin'], ['Change role to member'], ['Remove from the workspace', 'Remove']],
    'Withdraw the invitation of ivan@example.com': [['Withdraw']],
    'Actions for Olga': [['Leave the workspace']],
  })
})

it('workspaces', async () => {
  await checkScreen('workspaces', open('/workspaces'), {
    'Create a workspace': [[{ field: /^Name/, text: 'Second' }, 'Create']],
    'Rename First workspace': [[{ field: /^Name/, text: 'First workspace' }, 'Rename']],
    'Delete First workspace': [['Delete']],
  })
})

it('webhooks', async () => {
  await addWebhook('Orders')
  await checkScreen('webhooks', open('/webhooks'), {})
})

it('a webhook with deliveries', async () => {
  const id = await addWebhook('Orders')
  const hook = { id, workspaceId }
  const body = JSON.stringify({
    dimension: 'output_tokens',
    pricingTier: { service: 'batch' },
    currency: 'USD',
    shown: { previous: '2.00', current: '1.50', per: 'million tokens' },
  })
  const hourAgo = plus(new Date().toISOString() as Instant, -3_600_000)
  const [failed, succeeded] = await addDeliveries(db.sql, hook, { at: hourAgo, count: 3, body })
  await db.sql`update event set resources = array['gpt-5']`
  await db.sql`
    update delivery set status = case when delivery_id = ${failed!} then 'failed' else 'succeeded' end, due_at = null,
           finished_at = ${hourAgo}, last_attempt_at = ${hourAgo}, attempts = 1
    where delivery_id in (${failed!}, ${succeeded!})`
  await db.sql`
    insert into attempt (delivery_id, cycle, number, started_at, outcome, status, error, duration_ms)
    select delivery_id, 1, 1, ${hourAgo}, status, case status when 'failed' then 500 else 200 end,
           case status when 'failed' then 'HTTP 500 after 85 ms' end, 85
    from delivery where status <> 'pending'`
  await checkScreen('webhook', open(`/webhooks/${id}`), {
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

it('what someone watches', async () => {
  await db.sql`
    insert into watch (account_id, provider, resource, frequency, min_change, after_seq, created_at, updated_at)
    values (${accountId}, 'openai', 'gpt-5', 'daily', 5, 0, now(), now())`
  await checkScreen('watches', open('/account/watches'), {
    'Actions for gpt-5 at OPENAI': [['Edit'], ['Pause'], ['Resume'], ['Stop watching', 'Stop watching']],
  })
})

it('watching a model', async () => {
  await checkScreen('watch', open('/account/watch?provider=openai&resource=gpt-5'), {})
})

it('the audit log', async () => {
  const id = await addWebhook('Orders')
  await db.sql`truncate audit_entry`
  await createApiKey(db.sql, { workspaceId, name: 'Nightly import' })
  const url = `/v1/webhooks/${id}/pause`
  await server.inject({ method: 'POST', url, headers: { cookie: `pricetape=${session}` }, remoteAddress: '127.0.0.1' })
  await checkScreen('audit', open('/operator/audit'), {})
})

it('sign in', async () => {
  await checkScreen('sign-in', () => openScreen({ server }, '/sign-in'), {
    'Sign in': [
      [{ field: /^E-mail/, text: 'olga@example.com' }, { field: /^Password/, text: `${PASSWORD}.` }, 'Sign in'],
    ],
  })
  expect(PASSWORD).not.toBe('')
})
