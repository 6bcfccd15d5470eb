import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY, HOUR, type Instant, instantOf } from '../../src/lib/instant.ts'
import { createLog } from '../../src/lib/log.ts'
import { keyId, seal, sealedWith } from '../../src/lib/seal.ts'
import { createMailer } from '../../src/mail/create-mailer.ts'
import { deleteMailsTo } from '../../src/mail/outbox-store.ts'
import { readOutbox } from '../../src/mail/read-outbox.ts'
import { resealMails } from '../../src/mail/reseal-mails.ts'
import type { TextMail } from '../../src/mail/schema.ts'
import { sendMails } from '../../src/mail/send-mails.ts'
import { writeFacts, writeText } from '../../src/mail/write-mails.ts'
import { testDatabase } from '../support/database.ts'
import { testOutbox } from '../support/outbox.ts'
import { startMailServer } from '../support/servers/mail-server.ts'
import { addWebhook, TEST_KEY } from '../support/webhooks/deliveries.ts'

describe('the outbox', () => {
  const db = testDatabase({ each: true })
  let smtp: Awaited<ReturnType<typeof startMailServer>>
  beforeAll(async () => {
    smtp = await startMailServer()
  })
  afterAll(() => smtp.stop())
  beforeEach(() => {
    smtp.received.length = 0
    smtp.state.refuseRecipient = undefined
  })
  const outbox = () => testOutbox(db.sql, smtp)
  const reset = (given: Partial<TextMail> = {}): TextMail => ({
    kind: 'reset_password',
    to: 'ada@example.com',
    text: 'https://tape.example/x#token=secret',
    validMs: HOUR,
    ...given,
  })
  const write = (given: Partial<TextMail> = {}) => writeText(db.sql, TEST_KEY, reset(given))
  const messageIds = () => smtp.received.map(({ headers }) => headers['message-id'])
  const stored = async () => (await db.sql`select m::text as text from outbox_mail m`).map(({ text }) => text as string)

  it('has a mail once the transaction of what it is about has committed, and its text sealed', async () => {
    const failed = db.sql.begin(async (tx) => {
      await writeText(tx, TEST_KEY, reset())
      throw new Error('not changed')
    })
    await expect(failed).rejects.toThrow('not changed')
    expect(await outbox().send()).toEqual({ sent: 0, problems: [] })
    await write()
    expect((await stored())[0]).not.toContain(Buffer.from('token').toString('hex'))
    expect(await outbox().send()).toEqual({ sent: 1, problems: [] })
    expect(smtp.received[0]).toMatchObject({ to: ['ada@example.com'], text: 'https://tape.example/x#token=secret' })
    expect(smtp.received[0]!.headers.subject).toBe('Choose a new Pricetape password')
  })

  it('keeps of a mail that was sent neither what it said nor to whom, and forgets it after a day', async () => {
    await write()
    await outbox().send()
    expect(await outbox().mails('sent')).toMatchObject([{ kind: 'reset_password', to: null, attempts: 1 }])
    expect((await stored())[0]).not.toContain('example')
    await db.sql`update outbox_mail set ended_at = now() - interval '23 hours'`
    await readOutbox(db.sql)
    expect(await outbox().mails('sent')).toHaveLength(1)
    await db.sql`update outbox_mail set ended_at = now() - interval '25 hours'`
    await readOutbox(db.sql)
    expect(await stored()).toEqual([])
  })

  it('sends again, with the same Message-ID, what a process sent that was killed before it could record it', async () => {
    await write()
    const killed = outbox().send(async (mail) => {
      await outbox()
        .dies(mail)
        .catch(() => {})
      await new Promise(() => {})
    })
    await expect.poll(() => smtp.received.length, { timeout: 10_000, interval: 10 }).toBe(1)
    expect(await outbox().send()).toEqual({ sent: 0, problems: [] })
    await outbox().later()
    expect(await outbox().send()).toEqual({ sent: 1, problems: [] })
    const ids = messageIds()
    expect([ids.length, new Set(ids).size]).toEqual([2, 1])
    await outbox().later()
    expect(await outbox().send()).toEqual({ sent: 0, problems: [] })
    void killed
  })

  it('tries again with every check while the mail server is down, says so from the second time, and sends once', async () => {
    const away = await startMailServer()
    await away.stop()
    await write()
    const tries = testOutbox(db.sql, away)
    expect(await tries.send()).toEqual({ sent: 0, problems: [expect.stringContaining('ECONNREFUSED')] })
    expect(await readOutbox(db.sql)).toEqual({ due: 0 })
    for (let check = 2; check <= 12; check++) {
      await tries.later()
      expect((await tries.send()).sent).toBe(0)
      expect(await readOutbox(db.sql)).toEqual({
        due: 0,
        problem: expect.stringMatching(
          /^1 mail waits\. The mail server 127\.0\.0\.1:\d+ did not take the message: .*ECONNREFUSED/,
        ),
      })
    }
    expect(await tries.mails()).toMatchObject([{ attempts: 12, problem: expect.stringContaining('ECONNREFUSED') }])
    const back = await startMailServer({}, away.address.port)
    await tries.later()
    expect(await readOutbox(db.sql)).toMatchObject({ due: 1 })
    expect(await tries.send()).toEqual({ sent: 1, problems: [] })
    expect(await readOutbox(db.sql)).toEqual({ due: 0 })
    expect(back.received).toHaveLength(1)
    await back.stop()
  })

  it('ends a mail that the server will never take, with its reason and without the address in it', async () => {
    await write()
    smtp.state.refuseRecipient = { code: 550, address: 'ada@example.com', says: '<ada@example.com>: unknown' }
    const { sent, problems } = await outbox().send()
    expect([sent, problems]).toEqual([0, [expect.stringContaining('550 <[redacted]>: unknown')]])
    await outbox().later()
    expect(await outbox().send()).toEqual({ sent: 0, problems: [] })
    expect(await outbox().mails('refused')).toMatchObject([
      { attempts: 1, problem: problems[0], to: 'ada@example.com' },
    ])
    expect(await outbox().mails()).toEqual([])
  })

  it('logs of a mail that was not taken which it is and why, and not to whom', async () => {
    const mailId = await write()
    const lines: string[] = []
    const log = createLog('info', 'json', { write: (line) => void lines.push(line) })
    const mailer = createMailer({ server: smtp.address, from: { name: '', address: 'p@example.com' } })
    smtp.state.refuseRecipient = { code: 550, address: 'ada@example.com', says: '<ada@example.com>: unknown' }
    await sendMails({ sql: db.sql, log, secretKey: TEST_KEY, mailer })
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        ...{ mailId, kind: 'reset_password', permanent: true },
        msg: expect.stringMatching(
          /^"Choose a new Pricetape password" could not be mailed: .*550 <\[redacted\]>: unknown/,
        ),
      },
    ])
    expect(lines.join()).not.toContain('ada@example.com')
    await mailer[Symbol.asyncDispose]()
  })

  it('gives a mail up when its link has expired', async () => {
    await write()
    await db.sql`update outbox_mail set expires_at = now() - interval '1 s'`
    expect(await outbox().send()).toEqual({ sent: 0, problems: [] })
    expect(await readOutbox(db.sql)).toEqual({ due: 0 })
    expect(await outbox().mails('expired')).toHaveLength(1)
  })

  it('is emptied once by two workers', async () => {
    for (let n = 0; n < 50; n++) await write({ to: `p${n}@example.com` })
    const [one, other] = await Promise.all([outbox().send(), outbox().send()])
    expect(one.sent + other.sent).toBe(50)
    expect(new Set(smtp.received.map(({ to }) => to[0])).size).toBe(50)
    expect(smtp.received).toHaveLength(50)
  })

  it('is not held up by mails that the server does not take now', async () => {
    const busy = new Set(Array.from({ length: 20 }, (_, n) => `busy${n}@example.com`))
    for (const to of busy) await write({ to })
    // Mails of the same millisecond have no order.
    await db.sql`update outbox_mail set next_try_at = next_try_at - interval '1 s'`
    await write({ to: 'ada@example.com' })
    const refuses = (mail: { to: string }) =>
      busy.has(mail.to) ? Promise.reject(new Error('busy')) : Promise.resolve()
    expect(await outbox().send(refuses)).toEqual({ sent: 0, problems: ['busy'] })
    expect(await outbox().send(refuses)).toEqual({ sent: 1, problems: [] })
  })

  it('has one mail of a kind for an address, the newest, and one for each thing that it is about', async () => {
    await write({ text: 'old' })
    await write({ text: 'new' })
    for (const about of ['a', 'b', 'b']) await write({ kind: 'invitation', about, text: about })
    await outbox().send()
    expect(smtp.received.map(({ text }) => text).sort()).toEqual(['a', 'b', 'new'])
    await write({ text: 'later' })
    expect((await outbox().send()).sent).toBe(1)
  })

  it('loses the mails to an account with the account', async () => {
    const [gone, stays] = [randomUUID(), randomUUID()]
    for (const accountId of [gone, stays])
      await writeFacts(db.sql, [{ kind: 'watch', accountId, facts: { parts: [] }, validMs: DAY }])
    await db.sql.begin((tx) => deleteMailsTo(tx, gone))
    expect(await db.sql`select account_id as id from outbox_mail`).toEqual([{ id: stays }])
  })

  describe('of an installation that is updated', () => {
    /** What a process of 1.0.0 keeps until an instant. */
    const keep = (subject: string, at: string) => {
      const { sealed } = seal(TEST_KEY, `text of ${subject}`, `mail/ada@example.com/${subject}`)
      return db.sql`
        insert into account_mail (mail_id, to_address, subject, sealed, expires_at, next_try_at)
        values (${randomUUID()}, 'ada@example.com', ${subject}, ${sealed}, now() + interval '1 hour', ${at}::timestamptz)`
    }

    it('gets the mails that processes of 1.0.0 keep, but those that one of them is sending', async () => {
      await keep('Choose a new Pricetape password', '2026-01-01')
      await keep('Ada invites you to Acme on Pricetape', '2026-01-01')
      await keep('A passkey was added to your Pricetape account: Phone', '2026-01-01')
      await keep('Create your Pricetape account', '2999-01-01')
      expect(await readOutbox(db.sql)).toEqual({ due: 3 })
      expect(await outbox().send()).toEqual({ sent: 3, problems: [] })
      expect(smtp.received.map(({ headers, text }) => `${headers.subject}: ${text}`).sort()).toEqual([
        'A passkey was added to your Pricetape account: text of A passkey was added to your Pricetape account: Phone',
        'Choose a new Pricetape password: text of Choose a new Pricetape password',
        'You are invited to a workspace on Pricetape: text of Ada invites you to Acme on Pricetape',
      ])
      expect(await db.sql`select subject from account_mail`).toEqual([{ subject: 'Create your Pricetape account' }])
    })

    it('gets them with the others where the secret key is rotated', async () => {
      await keep('Choose a new Pricetape password', '2026-01-01')
      const next = randomBytes(32)
      expect(await db.sql.begin((tx) => resealMails(tx, [TEST_KEY], next))).toBe(1)
      const [mail] = await db.sql<{ sealed: Uint8Array }[]>`select sealed from outbox_mail`
      expect(sealedWith(mail!.sealed)).toBe(keyId(next))
    })

    it('gets what such a process has to say of a paused webhook, but what one of them is sending', async () => {
      const { id: webhookId } = await addWebhook(db.sql, {
        url: 'https://hooks.example.com/',
        at: instantOf(Date.now()),
      })
      const now = Date.now()
      const day = (n: number) => instantOf(now + n * DAY)
      const keepPause = (pausedAt: Instant, claimedUntil: Instant | null) => db.sql`
        insert into pause_mail (webhook_id, paused_at, account_id, claimed_until)
        values (${webhookId}, ${pausedAt}, ${randomUUID()}, ${claimedUntil})`
      await keepPause(day(-3), null)
      await keepPause(day(-2), day(-1))
      await keepPause(day(-1), day(1))
      await readOutbox(db.sql)
      const paused = await db.sql<{ facts: object; isKept: boolean }[]>`
        select facts, expires_at - created_at = interval '30 days' as "isKept" from outbox_mail
        where kind = 'webhook_paused' order by created_at`
      expect(paused.map(({ isKept }) => isKept)).toEqual([true, true])
      for (const { facts } of paused) expect(facts).toMatchObject({ webhookId, pausedAt: expect.any(String) })
      const left = await db.sql<{ pausedAt: Instant }[]>`select paused_at as "pausedAt" from pause_mail`
      expect(left).toEqual([{ pausedAt: day(-1) }])
    })
  })
})
