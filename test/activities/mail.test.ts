import { MockActivityEnvironment } from '@temporalio/testing'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { mailActivities } from '../../activities/mail.ts'
import { operatorActivities } from '../../activities/notify-operators.ts'
import { DAY, HOUR, instantOf, plus } from '../../src/lib/instant.ts'
import { createSafeFetch } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { writeFacts, writeText } from '../../src/mail/write-mails.ts'
import { testDatabase } from '../support/database.ts'
import { startMailServer } from '../support/servers/mail-server.ts'
import { freePort } from '../support/servers/ports.ts'
import { startReceiver } from '../support/servers/receiver.ts'
import { TEST_KEY, testContext } from '../support/webhooks/deliveries.ts'
import { record } from '../support/webhooks/subscriptions.ts'
import { addCatalogue, changed, watcher } from '../watches/support.ts'

const NOW = instantOf(Date.now())
const db = testDatabase({ each: true })
const { post, close } = createSafeFetch({ allowPrivate: true })
let smtp: Awaited<ReturnType<typeof startMailServer>>
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  smtp = await startMailServer()
  receiver = await startReceiver()
})
afterAll(async () => {
  await close()
  await smtp.stop()
  await receiver.close()
})
afterEach(() => void vi.useRealTimers())
beforeEach(() => {
  smtp.state.refuseRecipient = undefined
})

const withMail = () => ({
  SMTP_URL: `smtp://127.0.0.1:${smtp.address.port}`,
  PRICETAPE_MAIL_FROM: 'Pricetape <p@example.com>',
})
const context = (env: Record<string, string>) => testContext(db.sql, undefined as never, env)
const write = (to: string) =>
  writeText(db.sql, TEST_KEY, { kind: 'reset_password', to, text: 'https://tape.example/x#token=s', validMs: HOUR })
/** Runs an activity. Returns what it returned or why it failed, and its heartbeats. */
async function run<T>(work: () => Promise<T>, isCancelled = false) {
  const heartbeats: unknown[] = []
  const environment = new MockActivityEnvironment()
  if (isCancelled) environment.cancel()
  environment.on('heartbeat', (details) => heartbeats.push(details))
  const result = await environment.run(work).catch((error: Error) => error.message)
  return { result, heartbeats }
}

it('sends what is due, says how far it is, and fails with the reason only where nothing could be sent', async () => {
  const { sendMails, readOutbox } = mailActivities(context(withMail()))
  expect(await run(sendMails)).toEqual({ result: 0, heartbeats: [0] })
  smtp.state.refuseRecipient = { code: 450, address: 'bo@example.com' }
  await write('ada@example.com')
  await write('bo@example.com')
  expect(await readOutbox()).toEqual({ due: 2 })
  // Cancelled before it has begun: what is due stays due.
  expect(await run(sendMails, true)).toEqual({ result: 0, heartbeats: [0] })
  expect(await readOutbox()).toEqual({ due: 2 })
  expect(await run(sendMails)).toEqual({ result: 1, heartbeats: [0, 1] })
  await db.sql`update outbox_mail set next_try_at = now() - interval '1 second' where state = 'waiting'`
  expect((await run(sendMails)).result).toMatch(/450 not here/)
})

it('leaves what it has not sent within a minute to the next call', async () => {
  for (let n = 0; n < 21; n++) await write(`ada${n}@example.com`)
  // The clock of this process stands still until twenty are sent.
  vi.useFakeTimers({ toFake: ['performance'] })
  const environment = new MockActivityEnvironment()
  environment.on('heartbeat', (sent) => sent === 20 && vi.advanceTimersByTime(60_001))
  const { sendMails, readOutbox } = mailActivities(context(withMail()))
  expect(await environment.run(sendMails)).toBe(20)
  vi.useRealTimers()
  expect(await readOutbox()).toEqual({ due: 1 })
})

it('leaves mails where they are without a mail server, and mails about watches without a public address', async () => {
  await write('ada@example.com')
  const without = mailActivities(context({}))
  expect((await run(without.sendMails)).result).toBe(0)
  expect(await without.readOutbox()).toEqual({ due: 0 })
  expect(await db.sql`select state from outbox_mail`).toEqual([{ state: 'waiting' }])
  // Of a version before there was one outbox.
  expect([await without.sendKeptMails(), await without.mailPauses()]).toEqual([0, 0])
  await addCatalogue(db.sql)
  await watcher(db.sql, { provider: 'openai' })
  await record(db.sql, changed('2', '1'))
  const plan = (env: Record<string, string>) => mailActivities(context(env)).planWatchMails({ now: NOW })
  const address = { PRICETAPE_PUBLIC_URL: 'https://prices.example.com' }
  expect([await plan({}), await plan(withMail()), await plan(address)]).toEqual([0, 0, 0])
  expect(await plan({ ...withMail(), ...address })).toBe(1)
})

it('says of a mail about a watch that its links need a public address', async () => {
  await writeFacts(db.sql, [{ kind: 'watch', to: 'ada@example.com', facts: {}, validMs: HOUR }])
  const { sendMails } = mailActivities(context(withMail()))
  expect((await run(sendMails)).result).toMatch(/^Links in mails about watches need PRICETAPE_PUBLIC_URL/)
})

it('notifies operators by webhook and by mail, as far as each is set, and says which did not arrive', async () => {
  await db.sql`
    insert into source (source, kind, format, interval_seconds, failing_since, problem)
    values ('down', 'prices', 'curated', 300, ${plus(NOW, -2 * DAY)}, 'it answered 500.')`
  const hook = {
    PRICETAPE_OPERATOR_WEBHOOK: `${receiver.url}/ops`,
    PRICETAPE_OPERATOR_SECRET: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
  }
  const notify = (env: Record<string, string>) =>
    operatorActivities(context(env), { post })
      .notifyOperators({ now: NOW })
      .catch((error: Error) => error.message)
  const notified = async () => {
    const rows = await db.sql<{ channel: string }[]>`select channel from source_notice order by 1`
    return rows.map(({ channel }) => channel)
  }
  receiver.answer({ status: 300 })
  expect(await notify(hook)).toMatch(/webhook did not get .*300/)
  const away = { ...hook, PRICETAPE_OPERATOR_WEBHOOK: `http://127.0.0.1:${await freePort()}/` }
  expect(await notify(away)).toMatch(/webhook did not get .*/)
  receiver.answer({ status: 299 })
  expect(await notify(hook)).toBe(1)
  const { headers, body } = receiver.requests.at(-1)!
  expect(headers['webhook-id']).toMatch(/^ops_[0-9a-f-]{36}$/)
  expect(new Webhook(hook.PRICETAPE_OPERATOR_SECRET).verify(body, headers as Record<string, string>)).toBeDefined()
  expect(await notified()).toEqual(['log', 'webhook'])
  expect(await notify(withMail())).toBe(0)
  expect(await notify({ ...withMail(), PRICETAPE_OPERATOR_EMAILS: 'ops@example.com' })).toBe(1)
  expect(await db.sql`select to_address as to from outbox_mail`).toEqual([{ to: 'ops@example.com' }])
  expect((await run(mailActivities(context(withMail())).sendMails)).result).toBe(1)
  expect(smtp.received.at(-1)).toMatchObject({ to: ['ops@example.com'], text: expect.stringMatching(/down.*500/s) })
})
