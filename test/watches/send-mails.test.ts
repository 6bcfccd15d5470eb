import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { saveGroup } from '../../src/aliases/save-group.ts'
import { readOutbox } from '../../src/mail/read-outbox.ts'
import type { Mail } from '../../src/mail/schema.ts'
import { deleteOldLinks } from '../../src/watches/delete-old-links.ts'
import { deleteWatch } from '../../src/watches/delete-watch.ts'
import { editWatch } from '../../src/watches/edit-watch.ts'
import { insertLink } from '../../src/watches/link-store.ts'
import { testApp } from '../support/app/app.ts'
import { testDatabase } from '../support/database.ts'
import { testOutbox } from '../support/outbox.ts'
import { startMailServer } from '../support/servers/mail-server.ts'
import { record } from '../support/webhooks/subscriptions.ts'
import { addCatalogue, changed, documentChanged, MONDAY, plan, watcher } from './support.ts'

const ORIGIN = 'https://prices.example.com'
const MODEL = { provider: 'openai', resource: 'gpt-5' }

describe('mails about what is watched', () => {
  const db = testDatabase({ each: true })
  const app = testApp(db)
  let smtp: Awaited<ReturnType<typeof startMailServer>>
  beforeAll(async () => {
    smtp = await startMailServer()
  })
  afterAll(() => smtp.stop())
  beforeEach(async () => {
    smtp.received.length = 0
    smtp.state.refuseRecipient = undefined
    await addCatalogue(db.sql)
  })

  const outbox = () => testOutbox(db.sql, smtp)
  const send = (deliver?: (mail: Mail) => Promise<void>) => outbox().send(deliver)
  const planAndSend = async () => {
    await plan(db.sql)
    return send()
  }
  const linkIn = (text: string): string => /https:\/\/prices\.example\.com(\/unsubscribe\/\S+)/.exec(text)![1]!

  it('say what changed from what to what, by how much and since when, and where it is shown', async () => {
    const { email } = await watcher(db.sql, { ...MODEL, minChange: 5 })
    await record(db.sql, changed('0.0000025', '0.000002'))
    expect(await planAndSend()).toEqual({ sent: 1, problems: [] })
    const [mail] = smtp.received
    expect(mail!.to).toEqual([email])
    expect(mail!.headers.subject).toBe('Pricetape: what you watch changed')
    expect(mail!.text.replace(/since .* UTC/, 'since NOW').replace(/\/unsubscribe\/\S+/, '/unsubscribe/TOKEN')).toBe(
      `gpt-5 at Openai (price changes of at least 5%)

- gpt-5 at Openai fell: input tokens 2.50 → 2.00 USD per million tokens (−20%), since NOW

https://prices.example.com/prices/openai/gpt-5

You watch gpt-5 at Openai on Pricetape. Change what you watch:
https://prices.example.com/account/watches

Unsubscribe from this watch, without signing in:
https://prices.example.com/unsubscribe/TOKEN`,
    )
    expect(mail!.headers['list-unsubscribe']).toBe(`<${ORIGIN}${linkIn(mail!.text)}>`)
    expect(mail!.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    expect(await planAndSend()).toEqual({ sent: 0, problems: [] })
  })

  it('show the first 20 changes and how many more there are, and lead to the models of a seller', async () => {
    await watcher(db.sql, { provider: 'openai' })
    await record(db.sql, ...Array.from({ length: 1_000 }, (_, n) => changed('2', '1', { resources: [`m${n}`] })))
    await planAndSend()
    const { text } = smtp.received[0]!
    expect(text.match(/^- m\d+ at Openai fell/gm)).toHaveLength(20)
    expect(text).toContain('… and 980 more changes.')
    expect(text).toContain(`since`)
    expect(text).toContain(`\n  ${ORIGIN}/prices/openai/m19\n`)
    expect(smtp.received).toHaveLength(1)
  })

  it('have everything of the day or week in one, with the differences of documents', async () => {
    const members = [MODEL, { provider: 'azure', resource: 'gpt-5' }]
    const group = await saveGroup(db.sql, { name: 'GPT-5', members, actor: 'a test' })
    await watcher(
      db.sql,
      { provider: 'openai', document: 'terms-of-use', frequency: 'daily' },
      { group: group.id, frequency: 'daily' },
    )
    await watcher(db.sql, { ...MODEL, frequency: 'weekly' })
    await record(db.sql, documentChanged, changed('2', '1', { provider: 'azure' }), changed('2', '1'))
    await plan(db.sql, MONDAY)
    await send()
    const subjectOf = ({ headers }: (typeof smtp.received)[0]) => headers.subject
    const subjects = ['Pricetape: what changed this week', 'Pricetape: what changed today']
    expect(smtp.received.map(subjectOf).sort()).toEqual(subjects)
    const [weekly, daily] = subjects.map((subject) => smtp.received.find((mail) => subjectOf(mail) === subject)!)
    expect(weekly!.text).toContain('Unsubscribe from your weekly mails, without signing in:')
    const { text } = daily!
    expect(text).toContain(`${ORIGIN}/documents/openai/terms-of-use?from=a1&to=b2`)
    expect(text).toContain('- gpt-5 at Azure fell: ')
    // In the order in which they are watched since.
    expect(text).toMatch(/^Terms of use of Openai\n[\s\S]*\n\nGPT-5\n[\s\S]*\n\nYou watch these on Pricetape\./)
    expect(text).toContain(`${ORIGIN}/compare/${group.id}`)
    expect(text).toContain('Unsubscribe from your daily mails, without signing in:')
  })

  it('have no addresses that a source put into a name', async () => {
    await watcher(db.sql, { provider: 'openai' })
    const resources = ['gpt-3.5 https://evil.example/x\nBcc: all']
    await record(db.sql, changed('2', '1', { resources }))
    await planAndSend()
    expect(smtp.received[0]!.text).toContain('- gpt-3.5 [address removed] Bcc: all at Openai fell')
  })

  it('are sent again with the same Message-ID when their sender died before it recorded that they were taken', async () => {
    await watcher(db.sql, MODEL)
    await record(db.sql, changed('2', '1'))
    await plan(db.sql)
    expect(await send(outbox().dies)).toEqual({ sent: 0, problems: ['the process ended here'] })
    expect(await send()).toEqual({ sent: 0, problems: [] })
    await outbox().later()
    expect(await send()).toEqual({ sent: 1, problems: [] })
    const ids = smtp.received.map(({ headers }) => headers['message-id'])
    expect([ids.length, new Set(ids).size]).toEqual([2, 1])
    // Both links work: no one knows which copy is read.
    for (const { text } of smtp.received) expect((await app.send(`GET ${linkIn(text)}`)).status).toBe(200)
  })

  it('are sent once by senders that run at the same time', async () => {
    for (let n = 0; n < 30; n++) await watcher(db.sql, MODEL)
    await record(db.sql, changed('2', '1'))
    await plan(db.sql)
    const reports = await Promise.all([send(), send()])
    expect(reports.reduce((sum, { sent }) => sum + sent, 0)).toBe(30)
    expect(new Set(smtp.received.map(({ to }) => to[0])).size).toBe(30)
  })

  it('wait where the mail server does not take them now, and are given up where it never will', async () => {
    const [slow, gone] = [await watcher(db.sql, MODEL), await watcher(db.sql, MODEL)]
    await record(db.sql, changed('2', '1'))
    await plan(db.sql)
    smtp.state.refuseRecipient = { code: 451, address: slow.email }
    expect(await send()).toEqual({ sent: 1, problems: [expect.stringContaining('did not take the message')] })
    expect(smtp.received.splice(0).map(({ to }) => to[0])).toEqual([gone.email])
    smtp.state.refuseRecipient = { code: 550, address: slow.email }
    await outbox().later()
    expect((await send()).problems).toHaveLength(1)
    expect(await outbox().mails()).toEqual([])
  })

  it('are given up after a week', async () => {
    const { email } = await watcher(db.sql, MODEL)
    await record(db.sql, changed('2', '1'))
    await plan(db.sql)
    smtp.state.refuseRecipient = { code: 451, address: email }
    await send()
    expect(await outbox().mails()).toHaveLength(1)
    await db.sql`update outbox_mail set expires_at = expires_at - interval '7 days'`
    expect(await readOutbox(db.sql)).toEqual({ due: 0 })
    expect(await outbox().mails()).toEqual([])
  })

  it('go to the address that the account has when they are sent, and to none that is disabled, unconfirmed or stopped meanwhile', async () => {
    const [moved, disabled, unconfirmed, paused, deleted] = [
      await watcher(db.sql, MODEL),
      await watcher(db.sql, MODEL),
      await watcher(db.sql, MODEL),
      await watcher(db.sql, MODEL),
      await watcher(db.sql, MODEL),
    ]
    await record(db.sql, changed('2', '1'))
    expect(await plan(db.sql)).toBe(5)
    await db.sql`update account set email = 'new@example.com', email_key = 'new@example.com' where account_id = ${moved.accountId}`
    await db.sql`update account set disabled_at = now() where account_id = ${disabled.accountId}`
    await db.sql`update account set email_verified_at = null where account_id = ${unconfirmed.accountId}`
    await editWatch(db.sql, { accountId: paused.accountId, watchId: paused.ids[0]! }, { paused: true })
    await deleteWatch(db.sql, { accountId: deleted.accountId, watchId: deleted.ids[0]! })
    await send()
    expect(smtp.received.map(({ to }) => to[0])).toEqual(['new@example.com'])
    expect(await outbox().mails()).toEqual([])
  })

  describe('unsubscribing', () => {
    const watchedBy = (accountId: string) =>
      db.sql<
        { paused: boolean }[]
      >`select paused_at is not null as paused from watch where account_id = ${accountId} order by watch_id`

    it('takes one POST without a session, as mail programs send it, and no GET does it', async () => {
      const { accountId } = await watcher(db.sql, MODEL, { provider: 'azure' })
      await record(db.sql, changed('2', '1'))
      await planAndSend()
      const link = linkIn(smtp.received[0]!.text)
      for (let n = 0; n < 3; n++) {
        const page = await app.send(`GET ${link}`)
        expect(page.text).toContain('<button type="submit">Unsubscribe</button>')
        expect(page.text).toContain('gpt-5 at Openai')
        expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      }
      expect(await watchedBy(accountId)).toEqual([{ paused: false }, { paused: false }])
      for (const [type, body] of [
        ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
        [
          'multipart/form-data; boundary=b',
          '--b\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--',
        ],
      ] as const) {
        const done = await app.send(`POST ${link}`, { body, headers: { 'content-type': type } })
        expect([done.status, done.text.includes('You are unsubscribed')]).toEqual([200, true])
        expect(await watchedBy(accountId)).toEqual([{ paused: true }, { paused: false }])
        // Only the first time changes anything.
        const actions = await db.sql`select action from audit_entry where action = 'watch_unsubscribed'`
        expect(actions).toHaveLength(1)
      }
      expect((await app.send(`GET ${link}`)).text).toContain('You are unsubscribed')
      await record(db.sql, changed('1', '2'))
      expect(await planAndSend()).toEqual({ sent: 0, problems: [] })
    })

    it('from a digest ends all watches of its frequency, and no other', async () => {
      const daily = { frequency: 'daily' }
      const someoneElse = await watcher(db.sql, { provider: 'azure', ...daily })
      const { accountId } = await watcher(
        db.sql,
        { ...MODEL, ...daily },
        { provider: 'azure', ...daily },
        { provider: 'openai' },
      )
      await record(db.sql, changed('2', '1'))
      await plan(db.sql, MONDAY)
      await send()
      const digest = smtp.received.find(({ headers }) => headers.subject === 'Pricetape: what changed today')!
      const page = await app.send(`GET ${linkIn(digest.text)}`)
      expect(page.text).toContain('<button type="submit">Unsubscribe</button>')
      expect(page.text.match(/<li>.*?<\/li>/g)).toEqual(['<li>Azure</li>', '<li>gpt-5 at Openai</li>'])
      expect((await app.send(`POST ${linkIn(digest.text)}`)).status).toBe(200)
      expect(await watchedBy(accountId)).toEqual([{ paused: true }, { paused: true }, { paused: false }])
      expect(await watchedBy(someoneElse.accountId)).toEqual([{ paused: false }])
      const actions = await db.sql`select subject from audit_entry where action = 'watch_unsubscribed'`
      expect(actions).toEqual([{ subject: 'daily' }])
    })

    it('is shown on a page that no one keeps, loads nothing from elsewhere and counts against the address', async () => {
      const page = await app.send('GET /unsubscribe/x')
      expect([page.status, page.headers['cache-control']]).toEqual([404, 'no-store'])
      expect(page.headers['content-security-policy']).toContain("default-src 'none'")
      await db.sql`insert into rate_bucket (key, full_at) values ('address:203.0.113.7', 'infinity')`
      const refused = await app.send('GET /unsubscribe/x', { address: '203.0.113.7' })
      expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1'])
      expect(refused.text).toContain('Wait 1 s, then load this page again.')
    })

    it('needs the token of a mail, of which only a hash is kept, for a year', async () => {
      const { accountId } = await watcher(db.sql, MODEL)
      await record(db.sql, changed('2', '1'))
      await planAndSend()
      const link = linkIn(smtp.received[0]!.text)
      const token = link.split('/').at(-1)!
      const [row] = await db.sql<{ text: string }[]>`select l::text as text from unsubscribe_link l`
      expect(row!.text).not.toContain(token)
      for (const wrong of ['x', 'A'.repeat(43), `${token}A`])
        expect((await app.send(`POST /unsubscribe/${wrong}`)).status).toBe(404)
      expect(await watchedBy(accountId)).toEqual([{ paused: false }])
      expect(await deleteOldLinks(db.sql, 10)).toBe(0)
      await db.sql`update unsubscribe_link set created_at = now() - interval '366 days'`
      expect(await deleteOldLinks(db.sql, 10)).toBe(1)
      const gone = await app.send(`POST ${link}`)
      expect([gone.status, gone.text.includes('Link not known')]).toEqual([404, true])
    })

    it('forgets as many old links at once as asked for', async () => {
      const { accountId } = await watcher(db.sql)
      const digest = { accountId, watchId: null, frequency: 'daily' as const }
      for (const token of ['one', 'two', 'three']) await insertLink(db.sql, token, digest)
      await db.sql`update unsubscribe_link set created_at = now() - interval '366 days'`
      for (const deleted of [2, 1, 0]) expect(await deleteOldLinks(db.sql, 2)).toBe(deleted)
    })
  })
})
