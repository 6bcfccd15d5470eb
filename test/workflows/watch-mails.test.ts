import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testDatabase } from '../support/database.ts'
import { startMailServer } from '../support/servers/mail-server.ts'
import { timeSkipping } from '../support/servers/temporal.ts'
import { deliverySystem } from '../support/webhooks/delivery-system.ts'
import { record } from '../support/webhooks/subscriptions.ts'
import { addCatalogue, changed, watcher } from '../watches/support.ts'

const MODEL = { provider: 'openai', resource: 'gpt-5' }

describe('a check', () => {
  let held: Promise<void> | undefined
  let release = () => {}
  const hold = () => {
    held = new Promise((done) => {
      release = done
    })
  }
  const db = testDatabase()
  const server = startMailServer({ onConnect: (_session, done) => void Promise.resolve(held).then(() => done()) })
  let smtp: Awaited<typeof server>
  const env: Record<string, string> = {
    PRICETAPE_PUBLIC_URL: 'https://prices.example.com',
    PRICETAPE_MAIL_FROM: 'p@example.com',
  }
  beforeAll(async () => {
    smtp = await server
    env.SMTP_URL = `smtp://127.0.0.1:${smtp.address.port}`
    await addCatalogue(db.sql)
  })
  // After the mail server: its workers know the address.
  const system = deliverySystem(db, timeSkipping(), env)
  afterAll(() => smtp.stop())
  beforeEach(async () => {
    smtp.received.length = 0
    smtp.state.refuseRecipient = undefined
    await db.sql`delete from watch`
    await db.sql`delete from outbox_mail`
  })
  const mails = () => system.client.workflow.getHandle('mail')
  const recipients = () => smtp.received.map(({ to }) => to[0]).sort()

  it('mails what was published to everyone who watches it, once', async () => {
    const [ada, bob] = [await watcher(db.sql, MODEL), await watcher(db.sql, { provider: 'openai' })]
    await record(db.sql, changed('0.0000025', '0.000002'))
    expect((await system.check()).problems).toEqual([])
    expect(await mails().result()).toBe(2)
    expect(recipients()).toEqual([ada.email, bob.email].sort())
    expect(smtp.received[0]!.text).toContain('2.50 → 2.00 USD per million tokens (−20%)')
    expect((await system.check()).problems).toEqual([])
    expect(recipients()).toHaveLength(2)
  })

  it('ends while the mail server still does not answer, and so does the next; each change is mailed once', async () => {
    const nora = await watcher(db.sql, MODEL)
    hold()
    await record(db.sql, changed('2', '1'))
    expect((await system.check()).problems).toEqual([])
    await record(db.sql, changed('1', '3'))
    expect((await system.check()).problems).toEqual([])
    expect((await mails().describe()).status.name).toBe('RUNNING')
    expect(recipients()).toEqual([])
    release()
    await mails().result()
    expect(recipients()).toEqual([nora.email, nora.email])
    expect(smtp.received.map(({ text }) => /(fell|rose): /.exec(text)![1]).sort()).toEqual(['fell', 'rose'])
  })

  it('fails to mail with the reason and no address in its history, says so from the second time, and mails once', async () => {
    const { email } = await watcher(db.sql, MODEL)
    smtp.state.refuseRecipient = { code: 451, address: email, says: `<${email}>: later` }
    await record(db.sql, changed('2', '1'))
    const failing = async () => {
      const { problems } = await system.check()
      const reason = await mails()
        .result()
        .catch(({ cause }) => cause.cause.message)
      await db.sql`update outbox_mail set next_try_at = now() - interval '1 second'`
      return { problems, reason }
    }
    const reason = expect.stringMatching(/did not take the message: .*451 <\[redacted\]>: later/)
    expect(await failing()).toEqual({ problems: [], reason })
    expect(await failing()).toEqual({ problems: [], reason })
    expect(JSON.stringify(await mails().fetchHistory())).not.toContain(email)
    smtp.state.refuseRecipient = undefined
    const { problems } = await system.check()
    expect(problems).toEqual([expect.stringMatching(/^1 mail waits\. The mail server .*: later/)])
    expect(await mails().result()).toBe(1)
    expect((await system.check()).problems).toEqual([])
    expect(recipients()).toEqual([email])
  })
})
