import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { HOUR, type Instant, instantOf, MINUTE, plus } from '../../../src/lib/instant.ts'
import { createSafeFetch } from '../../../src/lib/safe-fetch/safe-fetch.ts'
import { type AttemptResult, attemptDelivery, endOf } from '../../../src/webhooks/attempts/attempt-delivery.ts'
import { deliveryState } from '../../../src/webhooks/attempts/delivery-state-store.ts'
import { newSecret } from '../../../src/webhooks/attempts/signing.ts'
import { explainDelivery, listDeliveries } from '../../../src/webhooks/log/list-deliveries.ts'
import { rotateSecret } from '../../../src/webhooks/manage/rotate-secret.ts'
import { createWebhook } from '../../../src/webhooks/subscriptions/create-webhook.ts'
import { checkPastedRequest } from '../../../src/webhooks/verification/check-request.ts'
import { testDatabase } from '../../support/database.ts'
import { testReceiver } from '../../support/servers/receiver.ts'
import { addDeliveries, addWebhook, TEST_KEY, TEST_SECRET } from '../../support/webhooks/deliveries.ts'
import { addWorkspace } from '../../support/webhooks/subscriptions.ts'

const at = instantOf(Math.floor(Date.now() / 1_000) * 1_000 - HOUR)

describe('what an attempt leaves behind', () => {
  const db = testDatabase({ each: true })
  const receiver = testReceiver()

  const tools = () => ({ sql: db.sql, post: createSafeFetch({ allowPrivate: true }).post, secretKey: TEST_KEY })
  async function newDelivery() {
    const hook = await addWebhook(db.sql, { url: receiver.url, at })
    const [id] = await addDeliveries(db.sql, hook, { at })
    return { hook, id: id!, key: { deliveryId: id!, cycle: 1, number: 1, run: 1 } }
  }

  it('waits for its retry from the end of what failed, not from its beginning', async () => {
    const { hook, key } = await newDelivery()
    receiver.answerNext({ status: 500, delayMs: 300 })
    const { state } = await attemptDelivery(tools(), key, at)
    expect(Date.parse(state.dueAt!) - Date.parse(at)).toBeGreaterThanOrEqual(5 * MINUTE + 290)
    const [row] = await db.sql<{ since: Instant }[]>`
      select first_failure_at as since from webhook where webhook_id = ${hook.id}`
    expect(row!.since).toBe(plus(state.dueAt!, -5 * MINUTE))
  })

  it('says of a success what its row says of it ever after', async () => {
    const { hook, id, key } = await newDelivery()
    const { state } = await attemptDelivery(tools(), key, at)
    const [row] = await db.sql<{ at: Instant }[]>`select finished_at as at from attempt`
    expect((await listDeliveries(db.sql, hook))[0]).toMatchObject({ finishedAt: row!.at, attempts: [{ at }] })
    const last = { number: 1, at, text: expect.stringMatching(/^HTTP 200 after \d+ ms$/) }
    expect(state).toEqual({ status: 'succeeded', attempts: 1, last })
    expect(await deliveryState(db.sql, id)).toEqual(state)
  })

  it('is a success with 200 and 299, and a failure with 300', async () => {
    const outcomes: unknown[] = []
    for (const status of [200, 299, 300]) {
      const { key } = await newDelivery()
      receiver.answerNext({ status })
      outcomes.push((await attemptDelivery(tools(), key, at)).made?.result)
    }
    expect(outcomes).toEqual(['succeeded', 'succeeded', 'failed'])
  })

  it('has the headers of a failure as they were sent, where one delivery is looked at, and not in the list', async () => {
    const { hook, id, key } = await newDelivery()
    receiver.answerNext({ status: 500 })
    await attemptDelivery(tools(), key, at)
    const { delivery } = await explainDelivery(db.sql, hook, id)
    const sent = receiver.requests.find(({ headers }) => headers['webhook-id'] === delivery.eventId)!
    expect(Object.keys(delivery.attempts[0]!.headers!)).toHaveLength(8)
    expect(sent.headers).toMatchObject(delivery.attempts[0]!.headers!)
    expect((await listDeliveries(db.sql, hook))[0]!.attempts[0]).not.toHaveProperty('headers')
  })

  it('is signed with the newest secret first after a rotation', async () => {
    const { hook, key } = await newDelivery()
    const { secret } = await rotateSecret(db.sql, TEST_KEY, hook, at)
    await attemptDelivery(tools(), key, at)
    const { headers, body } = receiver.requests.at(-1)!
    const signedAt = new Date(Number(headers['webhook-timestamp']) * 1_000)
    const signatures = [secret, TEST_SECRET].map((one) =>
      new Webhook(one).sign(String(headers['webhook-id']), signedAt, body),
    )
    expect(headers['webhook-signature']).toBe(signatures.join(' '))
    // Receivers compare it with their clock, whatever the time of the workflow is.
    expect(Math.abs(Date.now() - signedAt.getTime())).toBeLessThan(5 * MINUTE)
  })

  it('can be verified as a receiver got it, and says what is wrong where that cannot', async () => {
    const workspaceId = await addWorkspace(db.sql)
    const saved = { secretKey: TEST_KEY, checkUrl: async () => {} }
    const wanted = { name: 'Orders', url: receiver.url, eventTypes: ['price.changed' as const], providers: ['*'] }
    const { webhook, secret } = await createWebhook(db.sql, saved, workspaceId, wanted)
    const hook = { workspaceId, id: webhook.id }
    const [deliveryId] = await addDeliveries(db.sql, hook, { at })
    await attemptDelivery(tools(), { deliveryId: deliveryId!, cycle: 1, number: 1, run: 1 }, at)
    const { headers, body } = receiver.requests.at(-1)!
    const pasted = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    const check = (more: object = {}, webhook = hook) =>
      checkPastedRequest(db.sql, TEST_KEY, webhook, { headers: pasted.join('\n'), body, ...more })
    const problems = async (more: object) => {
      const { verifies, findings } = await check(more)
      return [verifies, ...findings.flatMap(({ kind, text }) => (kind === 'problem' ? [text] : []))]
    }
    expect(await problems({})).toEqual([true])
    expect(await problems({ secret })).toEqual([true])
    expect(await problems({ secret: newSecret() })).toEqual([false, expect.stringMatching(/has another secret/)])
    expect(await problems({ body: `[${body.slice(1)}` })).toEqual([
      false,
      expect.stringMatching(/differs from what was sent at character 1\./),
    ])
    const other = { workspaceId, id: (await createWebhook(db.sql, saved, workspaceId, wanted)).webhook.id }
    expect((await check({}, other)).findings[0]!.text).toMatch(/of another webhook/)
    const foreign = { ...hook, workspaceId: await addWorkspace(db.sql) }
    await expect(check({}, foreign)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('is recorded although the database refuses that at first', async () => {
    await db.sql.unsafe(`
      create sequence tries;
      create function refuse_first() returns trigger language plpgsql as $$ begin
        if nextval('tries') < 3 then raise 'not now'; end if;
        return new;
      end $$;
      create trigger refused before update on attempt for each row execute function refuse_first()`)
    for (const status of [200, 500]) {
      await db.sql`select setval('tries', 1)`
      const { id, key } = await newDelivery()
      receiver.answerNext({ status })
      await attemptDelivery(tools(), key, at)
      expect(await db.sql`select outcome, status from attempt where delivery_id = ${id}`).toEqual([
        { outcome: status === 200 ? 'succeeded' : 'failed', status },
      ])
    }
  })

  it('names the workflow that makes it, also one that was started under an older naming', async () => {
    const [older, newer] = [await newDelivery(), await newDelivery()]
    await db.sql`update delivery set workflow_id = ${`delivery/${older.id}`} where delivery_id = ${older.id}`
    const nameOf = async ({ hook, id }: typeof newer) => (await explainDelivery(db.sql, hook, id)).workflowId
    expect(await nameOf(newer)).toBe(`delivery/price.changed/${newer.id}`)
    expect(await nameOf(older)).toBe(`delivery/${older.id}`)
  })
})

const text = 'HTTP 500 after 9 ms'
it.each<[what: string, result: AttemptResult, end: object | undefined]>([
  [
    'succeeded',
    { state: { status: 'succeeded', attempts: 1 }, made: { result: 'succeeded', durationMs: 7, text } },
    { outcome: 'succeeded', tookMs: 7 },
  ],
  [
    'succeeded after a resend began',
    { state: { status: 'pending', attempts: 0 }, made: { result: 'succeeded', durationMs: 7, text } },
    undefined,
  ],
  [
    'failed',
    { state: { status: 'pending', attempts: 1 }, made: { result: 'failed', durationMs: 9, text } },
    { outcome: 'failed', tookMs: 9 },
  ],
  [
    'was prevented by an internal error',
    { state: { status: 'pending', attempts: 0 }, made: { result: 'platform', durationMs: 0, text: 'no DNS' } },
    { outcome: 'unclear', fault: 'no DNS' },
  ],
  ['has no known outcome', { state: { status: 'pending', attempts: 1 }, made: { result: 'unknown', text } }, undefined],
  ['found the webhook paused', { state: { status: 'failed', attempts: 0, notSent: true } }, { outcome: 'unclear' }],
  ['found the delivery deleted', { state: { status: 'gone', attempts: 0 } }, { outcome: 'unclear' }],
  ['was made before', { state: { status: 'succeeded', attempts: 1 } }, undefined],
  ['found that it is not its turn', { state: { status: 'pending', attempts: 0 } }, undefined],
])('a round learns from an attempt that %s how it ended, or looks at the row', (_what, result, end) => {
  expect(endOf(result)).toEqual(end)
})
