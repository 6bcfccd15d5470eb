import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { foundWorkspace } from '../../../src/accounts/members/found-workspace.ts'
import { DAY, type Instant, plus } from '../../../src/lib/instant.ts'
import { openAttempt } from '../../../src/webhooks/attempts/attempt-store.ts'
import { recordFailure } from '../../../src/webhooks/attempts/record-failure.ts'
import { resumeWebhook } from '../../../src/webhooks/manage/resume-webhook.ts'
import { addAccount, addMember } from '../../support/accounts.ts'
import { testDatabase } from '../../support/database.ts'
import { testOutbox } from '../../support/outbox.ts'
import { startMailServer } from '../../support/servers/mail-server.ts'
import { addDeliveries, addWebhook } from '../../support/webhooks/deliveries.ts'
import { operator } from '../../support/webhooks/subscriptions.ts'

const at = '2026-11-21T10:00:00.000Z' as Instant

describe('the mail about a paused webhook', () => {
  const db = testDatabase()
  let server: Awaited<ReturnType<typeof startMailServer>>
  beforeAll(async () => {
    server = await startMailServer()
  })
  afterAll(() => server.stop())

  const outbox = () => testOutbox(db.sql, server)
  const send = () => outbox().send()
  const recipients = () => server.received.splice(0).map(({ to }) => to[0])

  /** A webhook that its fifth failure has paused, in a workspace with two admins and a member. */
  async function pausedWebhook(name: string) {
    const [admin, second, member] = await Promise.all(
      ['admin', 'second', 'member'].map((role) => addAccount(db.sql, `${role}.${name}@example.com`)),
    )
    const { workspaceId } = await foundWorkspace(db.sql, admin!, { name: 'Acme' })
    await addMember(db.sql, workspaceId, second!.accountId, 'admin')
    await addMember(db.sql, workspaceId, member!.accountId, 'member')
    const hook = await addWebhook(db.sql, { url: 'https://hooks.example.com/', at, workspaceId })
    await db.sql`
      update webhook set failures_in_row = 4, first_failure_at = ${plus(at, -DAY)} where webhook_id = ${hook.id}`
    const [deliveryId] = await addDeliveries(db.sql, hook, { at })
    const key = { deliveryId: deliveryId!, cycle: 1, number: 1, run: 1 }
    await openAttempt(db.sql, key, at)
    const failed = { kind: 'failed', text: 'HTTP 500 after 9 ms', durationMs: 9, status: 500 } as const
    expect(await recordFailure(db.sql, key, failed, at)).toEqual({ pausedWebhook: hook.id })
    return hook
  }

  it('goes to each admin once, also when two senders run at the same time', async () => {
    const hook = await pausedWebhook('once')
    // What was due since is kept for as long.
    expect(
      await db.sql`
        select extract(day from expires_at - created_at)::int as days from outbox_mail
        where facts ->> 'webhookId' = ${hook.id}`,
    ).toEqual([{ days: 30 }, { days: 30 }])
    await Promise.all([send(), send()])
    const mails = [...server.received]
    expect(recipients().sort()).toEqual(['admin.once@example.com', 'second.once@example.com'])
    expect(mails[0]!.headers.subject).toBe('Pricetape paused a webhook')
    expect(mails[0]!.text).toContain(`https://prices.example.com/webhooks/${hook.id}?workspace=${hook.workspaceId}`)
    expect(await send()).toEqual({ sent: 0, problems: [] })
  })

  it('is sent again only to whom it did not reach', async () => {
    await pausedWebhook('again')
    server.state.refuseRecipient = { code: 451, address: 'second.again@example.com' }
    const first = await send()
    expect(first).toMatchObject({ sent: 1, problems: [expect.stringContaining('did not take the message')] })
    expect(recipients()).toEqual(['admin.again@example.com'])
    server.state.refuseRecipient = undefined
    await outbox().later()
    expect(await send()).toEqual({ sent: 1, problems: [] })
    expect(recipients()).toEqual(['second.again@example.com'])
  })

  it('is sent again with the same Message-ID when its sender died before it recorded that it was taken', async () => {
    await pausedWebhook('died')
    await outbox().send(outbox().dies)
    await outbox().later()
    await send()
    const ids = server.received.splice(0).map(({ to, headers }) => `${to} ${headers['message-id']}`)
    expect([ids.length, new Set(ids).size]).toEqual([4, 2])
  })

  it('is not sent when the webhook was resumed before, and not tried again at an address that does not exist', async () => {
    const hook = await pausedWebhook('gone')
    server.state.refuseRecipient = { code: 550, address: 'admin.gone@example.com' }
    expect((await send()).problems).toHaveLength(1)
    await outbox().later()
    expect(await send()).toEqual({ sent: 0, problems: [] })
    await resumeWebhook(operator(db.sql), hook)
    server.received.length = 0
    await pausedWebhook('resumed').then((resumed) => resumeWebhook(operator(db.sql), resumed))
    await send()
    expect(recipients()).toEqual([])
  })

  it('is not sent to a person who is not an admin any more or is disabled by then, nor about a pause before the present one', async () => {
    await pausedWebhook('since')
    await db.sql`
      update workspace_member set role = 'member'
      where account_id = (select account_id from account where email = 'second.since@example.com')`
    await send()
    expect(recipients()).toEqual(['admin.since@example.com'])
    await pausedWebhook('off')
    await db.sql`update account set disabled_at = now() where email = 'admin.off@example.com'`
    await send()
    expect(recipients()).toEqual(['second.off@example.com'])
    // It was resumed, and has failed again since.
    const { id } = await pausedWebhook('twice')
    await db.sql`update webhook set paused_at = ${plus(at, DAY)} where webhook_id = ${id}`
    await send()
    expect(recipients()).toEqual([])
  })
})
