import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Instant, instantOf, plus } from '../../src/lib/instant.ts'
import { createSafeFetch } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { connect } from '../../src/lib/sql.ts'
import { attemptDelivery } from '../../src/webhooks/attempts/attempt-delivery.ts'
import { deleteWebhook } from '../../src/webhooks/manage/delete-webhook.ts'
import { rotateSecret } from '../../src/webhooks/manage/rotate-secret.ts'
import { resendDelivery } from '../../src/webhooks/resend/resend-delivery.ts'
import { resumeAndResend } from '../../src/webhooks/resend/resume-and-resend.ts'
import { failPausedDue } from '../../src/webhooks/rounds/fail-paused-due.ts'
import type { ClaimedDelivery } from '../../src/webhooks/rounds/round-store.ts'
import { clockFrom, createRounds } from '../../src/webhooks/rounds/run-round.ts'
import { ALL as ALL_SHARDS } from '../../src/webhooks/rounds/shard-rules.ts'
import { testDatabase } from '../support/database.ts'
import { type Receiver, startReceiver } from '../support/servers/receiver.ts'
import { addDeliveries, addWebhook, TEST_KEY } from '../support/webhooks/deliveries.ts'
import { operator } from '../support/webhooks/subscriptions.ts'

const ALL = 20_000

/** What operators do while a round of 20,000 deliveries runs, on real Postgres and a real receiver. */
describe('during a round of 20,000 deliveries', () => {
  const db = testDatabase()
  const { post, close } = createSafeFetch({ allowPrivate: true })
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(async () => {
    await Promise.all([receiver.close(), close()])
  })
  const at = (): Instant => instantOf(Date.now())
  const attempts = new Set<Promise<unknown>>()

  /** Runs a round until it is stopped; the attempt is made where a workflow would make it. */
  function startRound(roundId: string) {
    const stop = new AbortController()
    const start = at()
    const rounds = createRounds({
      sql: db.sql,
      log: pino({ level: 'silent' }),
      workflows: {
        grant: async ({ deliveryId, grant }: ClaimedDelivery) => {
          const attempt = attemptDelivery({ sql: db.sql, post, secretKey: TEST_KEY }, { deliveryId, ...grant }, at())
          attempts.add(attempt)
          void attempt.finally(() => attempts.delete(attempt))
          return { here: false }
        },
      },
      limits: { all: 64, perWebhook: 8 },
    })
    const running = rounds.run({
      roundId,
      shard: ALL_SHARDS,
      now: clockFrom(start),
      stopAt: plus(start, 200_000),
      resumed: false,
      heartbeat: () => {},
      signal: stop.signal,
    })
    const end = async () => {
      stop.abort()
      await running
      await Promise.all(attempts)
    }
    // Also after a failed expectation: the round would go on with the deliveries of the next test.
    onTestFinished(end)
    return end
  }
  const hookAt = (path: string, since: Instant) => addWebhook(db.sql, { url: `${receiver.url}/${path}`, at: since })
  const requestsTo = (path: string) => receiver.requests.filter((request) => request.path.endsWith(path))

  it('delete, resend and rotate are exact', async () => {
    const since = plus(at(), -1_000)
    const [resent, deleted, rotated] = [
      await hookAt('resent', since),
      await hookAt('deleted', since),
      await hookAt('rotated', since),
    ]
    const ids = await addDeliveries(db.sql, resent, { count: ALL / 2, at: since })
    const deletedIds = await addDeliveries(db.sql, deleted, { count: ALL / 4, at: since })
    await addDeliveries(db.sql, rotated, { count: ALL / 4, at: since })
    const stopRound = startRound('round of actions')
    await receiver.received(200)

    // Some have been sent, some are in flight, most are waiting.
    const again = ids.slice(0, 120)
    const sent = new Set(requestsTo('rotated').map((request) => request.headers['webhook-id']))
    await Promise.all([
      deleteWebhook(operator(db.sql), deleted),
      rotateSecret(db.sql, TEST_KEY, rotated),
      ...again.map((id) => resendDelivery({ sql: db.sql }, resent, id)),
    ])
    const seenOfDeleted = requestsTo('deleted').length
    const seenOfRotated = requestsTo('rotated').length
    await receiver.received(receiver.requests.length + 200)
    await stopRound()

    expect(await db.sql`select 1 from webhook where webhook_id = ${deleted.id}`).toHaveLength(0)
    expect(await db.sql`select 1 from delivery where webhook_id = ${deleted.id}`).toHaveLength(0)
    const [orphans] = await db.sql`
      select count(*)::int as count from attempt where delivery_id = any(${deletedIds}::uuid[])`
    expect(orphans).toEqual({ count: 0 })
    // Only what was in flight when it was deleted may still arrive: eight at most.
    expect(requestsTo('deleted').length - seenOfDeleted).toBeLessThanOrEqual(8)

    const cycles = await db.sql`
      select cycle, count(*)::int as count from delivery where webhook_id = ${resent.id} group by cycle order by cycle`
    expect([...cycles]).toEqual([
      { cycle: 1, count: ids.length - again.length },
      { cycle: 2, count: again.length },
    ])
    const wrong = await db.sql`
      select d.delivery_id from delivery d
      where d.webhook_id = ${resent.id}
        and d.attempts <> (select count(*) from attempt a where a.delivery_id = d.delivery_id and a.cycle = d.cycle
                             and a.outcome is not null)`
    expect([...wrong]).toEqual([])

    expect(sent.size).toBeGreaterThan(0)
    const later = requestsTo('rotated').slice(seenOfRotated + 8)
    expect(later.length).toBeGreaterThan(0)
    for (const request of later) expect(String(request.headers['webhook-signature']).split(' ')).toHaveLength(2)
    await db.sql`delete from webhook`
  })

  it('resume-and-resend leaves nothing unsent behind it, and its count is exact', async () => {
    const since = plus(at(), -1_000)
    const hook = await hookAt('paused', since)
    await addDeliveries(db.sql, hook, { count: ALL, at: since })
    const unsent = async () => {
      const [row] = await db.sql`
        select count(*) filter (where not_sent is not null)::int as unsent, count(*) filter (where cycle = 2)::int as resent
        from delivery where webhook_id = ${hook.id}`
      return row as { unsent: number; resent: number }
    }
    await db.sql`update webhook set state = 'paused' where webhook_id = ${hook.id}`
    // Two rounds fail what is due; the webhook is resumed when a part of it has been failed.
    const failing = Promise.all([failPausedDue(db.sql, at()), failPausedDue(db.sql, at())])
    while ((await unsent()).unsent < 3_000) await sleep(5)
    const { resent } = await resumeAndResend(operator(db.sql), hook)
    const behind = await unsent()
    const failed = (await failing).reduce((sum, count) => sum + count, 0)
    expect(resent).toBe(1_000)
    expect(behind.resent).toBe(1_000)
    expect(await unsent()).toEqual(behind)
    expect(failed).toBe(behind.unsent + resent)
    expect(failed).toBeLessThan(ALL)

    // The rest of what was not sent, 1,000 at a time, to the last one.
    let total = resent
    for (let more = 1_000; more === 1_000; total += more) more = (await resumeAndResend(operator(db.sql), hook)).resent
    expect(total).toBe(failed)
    expect((await unsent()).unsent).toBe(0)
    await db.sql`delete from webhook`
  })

  it('an attempt that meets the pause, and a resume beside it, never leave an unsent delivery on an active webhook', async () => {
    const since = plus(at(), -1_000)
    // A connection of its own, so that resuming does not queue behind the attempts.
    const own = connect(db.url, { max: 1 })
    await own`select 1`
    for (let n = 0; n < 12; n++) {
      const hook = await hookAt(`flip-${n}`, since)
      await addDeliveries(db.sql, hook, { count: 60, at: since })
      await db.sql`update webhook set state = 'paused' where webhook_id = ${hook.id}`
      const ids = await db.sql<{ id: string }[]>`select delivery_id as id from delivery where webhook_id = ${hook.id}`
      await db.sql`update delivery set claimed_at = ${since} where webhook_id = ${hook.id}`
      const tools = { sql: db.sql, post, secretKey: TEST_KEY }
      const racing = ids.map(({ id }) => attemptDelivery(tools, { deliveryId: id, cycle: 1, number: 1, run: 1 }, at()))
      await sleep(n)
      const { resent } = await resumeAndResend(operator(own), hook)
      await Promise.all(racing)
      const [row] = await db.sql`
        select count(*) filter (where not_sent is not null)::int as unsent, count(*) filter (where cycle = 2)::int as resent
        from delivery where webhook_id = ${hook.id}`
      expect(row).toEqual({ unsent: 0, resent })
    }
    await own.end()
    await db.sql`delete from webhook`
  })
})
