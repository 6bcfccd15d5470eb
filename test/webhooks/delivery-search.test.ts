import { describe, expect, it } from 'vitest'
import { v7 } from '../../src/lib/ids.ts'
import { DAY, HOUR, type Instant, instantOf, MINUTE, plus } from '../../src/lib/instant.ts'
import { sentBody } from '../../src/webhooks/log/delivery-log-store.ts'
import type { DeliveryFilter } from '../../src/webhooks/log/delivery-schema.ts'
import { searchDeliveries } from '../../src/webhooks/log/list-deliveries.ts'
import { readPayload } from '../../src/webhooks/log/read-payload.ts'
import { readWebhookStatistics } from '../../src/webhooks/log/read-statistics.ts'
import { resendFailed } from '../../src/webhooks/resend/resend-failed.ts'
import { testDatabase } from '../support/database.ts'
import { addDeliveries, addWebhook } from '../support/webhooks/deliveries.ts'

const AT = '2026-11-21T10:00:00.000Z' as Instant
const URL = 'https://example.com/'

describe('the log of a webhook at size', () => {
  const db = testDatabase({ each: true })
  const add = (webhook: { workspaceId: string; id: string }, body: string, at = AT, count = 1) =>
    addDeliveries(db.sql, webhook, { at, body, count })
  const describeEvent = (ids: string[], set: { type?: string; resources?: string[]; document?: string }) =>
    db.sql`
      update event set type = coalesce(${set.type ?? null}, type), resources = coalesce(${set.resources ?? null}, resources),
             document = coalesce(${set.document ?? null}, document)
      where event_id = any(select event_id from delivery where delivery_id = any(${ids}))`
  const end = (ids: string[], status: string, notSent = false) =>
    db.sql`
      update delivery set status = ${status}, not_sent = ${notSent ? 'paused' : null}, due_at = null, finished_at = ${AT},
             last_attempt_at = ${AT}, error = ${status === 'failed' ? 'HTTP 503 after 9 ms' : null}
      where delivery_id = any(${ids})`
  const attempt = (id: string, number: number, made: object) =>
    db.sql`insert into attempt ${db.sql({ delivery_id: id, cycle: 1, number, started_at: AT, ...made } as never)}`
  const newWebhook = () => addWebhook(db.sql, { url: URL, at: AT })
  const found = async (webhook: { workspaceId: string; id: string }, filter: DeliveryFilter) =>
    (await searchDeliveries(db.sql, webhook, filter, AT)).deliveries.map(({ id }) => id).sort()

  it('finds by event id, model, document, text of the body and answer, in any case of letters', async () => {
    const webhook = await newWebhook()
    const [model] = await add(webhook, '{"shown":{"current":"1.50"}}')
    const [document] = await add(webhook, '{"title":"Terms of Service, 100%"}')
    const [answered] = await add(webhook, '{}')
    await describeEvent([model!], { resources: ['GPT-5-mini', 'openai/gpt-5-mini'] })
    await describeEvent([document!], { type: 'tos.changed', document: 'terms-of-service' })
    await attempt(answered!, 1, { outcome: 'failed', status: 500, error: 'HTTP 500', response: 'Queue_full' })
    const [event] = await db.sql<{ id: string }[]>`select event_id as id from delivery where delivery_id = ${document!}`
    expect(await found(webhook, { search: 'gpt-5-MINI' })).toEqual([model])
    expect(await found(webhook, { search: '"1.50"' })).toEqual([model])
    expect(await found(webhook, { search: 'terms-of' })).toEqual([document])
    expect(await found(webhook, { search: event!.id })).toEqual([document])
    expect(await found(webhook, { search: 'queue_FULL' })).toEqual([answered])
    expect(await found(webhook, { search: 'http 500' })).toEqual([answered])
    expect(await found(webhook, { search: answered! })).toEqual([answered])
    // What means something in a pattern is searched for as it is typed.
    expect(await found(webhook, { search: '%' })).toEqual([document])
    expect(await found(webhook, { search: '1_50' })).toEqual([])
    expect(await found(webhook, { search: 'queue\\' })).toEqual([])
  })

  it('finds by why a delivery failed, and a large body by what it is about alone', async () => {
    const webhook = await newWebhook()
    const [failed] = await add(webhook, '{}')
    await end([failed!], 'failed')
    expect(await found(webhook, { search: '503 AFTER' })).toEqual([failed])
    const sized = (bytes: number) => `needle${'é'.repeat((bytes - 6) / 2)}`
    const [most] = await add(webhook, sized(16_384))
    const [larger] = await add(webhook, sized(16_386))
    await describeEvent([larger!], { resources: ['large-model'] })
    expect(await found(webhook, { search: 'NEEDLE' })).toEqual([most])
    expect(await found(webhook, { search: 'large-m' })).toEqual([larger])
    const [shown] = (await searchDeliveries(db.sql, webhook, { search: 'needle' }, AT)).deliveries
    expect(shown!.payload).toHaveLength(sized(16_384).length)
    const [read] = (await searchDeliveries(db.sql, webhook, { search: 'large-m' }, AT)).deliveries
    expect(read).not.toHaveProperty('payload')
  })

  it('counts nothing that has been over for 30 days', async () => {
    const webhook = await newWebhook()
    await end(await add(webhook, '{}'), 'failed')
    const last = plus(AT, 30 * DAY - 1)
    expect(await searchDeliveries(db.sql, webhook, {}, last)).toMatchObject({ matching: 1 })
    expect(await searchDeliveries(db.sql, webhook, {}, plus(last, 1))).toMatchObject({ deliveries: [], matching: 0 })
  })

  it('has the text of an event as it was sent to this webhook', async () => {
    const now = instantOf(Date.now())
    const webhook = await newWebhook()
    const { workspaceId, id } = await addWebhook(db.sql, { url: URL, at: AT, workspaceId: webhook.workspaceId })
    const [first] = await add(webhook, '{"price":"1"}', now)
    const [eventId] = (await db.sql`select event_id as id from delivery where delivery_id = ${first!}`).map((e) => e.id)
    await db.sql`update delivery set alias = '{"id":"g1"}' where delivery_id = ${first!}`
    await db.sql`
      insert into delivery (webhook_id, workspace_id, event_id, due_at, created_at, alias)
      values (${id}, ${workspaceId}, ${eventId}, ${now}, ${now}, '{"id":"g2"}')`
    expect(await sentBody(db.sql, webhook, eventId)).toBe('{"price":"1","alias":{"id":"g1"}}')
    expect(await sentBody(db.sql, { workspaceId, id }, eventId)).toBe('{"price":"1","alias":{"id":"g2"}}')
    expect(await sentBody(db.sql, await newWebhook(), eventId)).toBeUndefined()
    expect(await sentBody(db.sql, webhook, 'evt_another')).toBeUndefined()
    const over = plus(now, -30 * DAY)
    await db.sql`update delivery set status = 'succeeded', due_at = null, finished_at = ${over}, last_attempt_at = ${over}`
    expect(await sentBody(db.sql, webhook, eventId)).toBeUndefined()
  })

  it('has a payload by the ids of its workspace and webhook alone', async () => {
    const webhook = await newWebhook()
    const [deliveryId] = await addDeliveries(db.sql, webhook, { at: AT })
    expect(await readPayload(db.sql, webhook, deliveryId!)).toContain('{')
    for (const wrong of [{ workspaceId: 'x' }, { id: 'x' }, { workspaceId: v7() }, { id: v7() }])
      expect(await readPayload(db.sql, { ...webhook, ...wrong }, deliveryId!)).toBeUndefined()
    expect(await readPayload(db.sql, webhook, 'x')).toBeUndefined()
  })

  it('finds by status, type and time, all of them together', async () => {
    const webhook = await newWebhook()
    const old = await add(webhook, '{}', plus(AT, -2 * HOUR), 2)
    const young = await add(webhook, '{}', AT, 4)
    await end([old[0]!, young[0]!], 'failed')
    await end([young[1]!], 'failed', true)
    await end([young[2]!], 'succeeded')
    await describeEvent([young[0]!, young[3]!], { type: 'resource.added' })
    expect(await found(webhook, { status: 'failed' })).toEqual([old[0], young[0]].sort())
    expect(await found(webhook, { status: 'notSent' })).toEqual([young[1]])
    expect(await found(webhook, { status: 'succeeded' })).toEqual([young[2]])
    expect(await found(webhook, { status: 'pending' })).toEqual([old[1], young[3]].sort())
    expect(await found(webhook, { type: 'resource.added' })).toEqual([young[0], young[3]].sort())
    expect(await found(webhook, { since: AT })).toEqual([...young].sort())
    expect(await found(webhook, { until: AT })).toEqual([...old].sort())
    expect(await found(webhook, { status: 'failed', type: 'resource.added', since: AT })).toEqual([young[0]])
  })

  it('shows the newest 50 and counts up to 1,000', async () => {
    const webhook = await newWebhook()
    await add(webhook, '{}', AT, 1_000)
    expect(await searchDeliveries(db.sql, webhook, {}, AT)).toMatchObject({ matching: 1_000, more: false })
    const [newest] = await add(webhook, '{}', plus(AT, 1))
    const page = await searchDeliveries(db.sql, webhook, {}, AT)
    expect(page).toMatchObject({ matching: 1_000, more: true })
    expect(page.deliveries).toHaveLength(50)
    expect(page.deliveries[0]!.id).toBe(newest)
    const stranger = await newWebhook()
    expect(await searchDeliveries(db.sql, stranger, {}, AT)).toEqual({ deliveries: [], matching: 0, more: false })
    const mixed = { id: webhook.id, workspaceId: stranger.workspaceId }
    expect(await searchDeliveries(db.sql, mixed, {}, AT)).toEqual({ deliveries: [], matching: 0, more: false })
    const none = { deliveries: [], matching: 0, more: false }
    for (const wrong of [{ workspaceId: 'x' }, { id: 'x' }])
      expect(await searchDeliveries(db.sql, { ...webhook, ...wrong }, {})).toEqual(none)
  })

  it('resends what failed and meets a filter, with all six attempts, and nothing else', async () => {
    const webhook = await newWebhook()
    const other = await newWebhook()
    const old = await add(webhook, '{}', plus(AT, -HOUR))
    const failed = await add(webhook, '{}', AT, 2)
    const [unsent, done, waiting] = await add(webhook, '{}', AT, 3)
    const foreign = await add(other, '{}', AT)
    await end([...old, ...failed, ...foreign], 'failed')
    await end([unsent!], 'failed', true)
    await end([done!], 'succeeded')
    await db.sql`update delivery set attempts = 6 where delivery_id = any(${failed})`
    const now = plus(AT, MINUTE)
    const resend = (filter: DeliveryFilter) => resendFailed({ sql: db.sql, now }, webhook, filter)
    expect(await resend({ search: 'no such text' })).toEqual({ resent: 0 })
    expect(await resend({ since: AT, status: 'failed' })).toEqual({ resent: 2 })
    const rows = await db.sql`
      select delivery_id as id, status, cycle, attempts, due_at as "dueAt", error, resent_at as "resentAt" from delivery
      where cycle = 2`
    expect(rows.map(({ id }) => id).sort()).toEqual([...failed].sort())
    for (const row of rows)
      expect(row).toMatchObject({ status: 'pending', attempts: 0, dueAt: now, error: null, resentAt: now })
    expect(await resend({ since: AT })).toEqual({ resent: 1 })
    expect(await resend({})).toEqual({ resent: 1 })
    const after = await db.sql`select delivery_id as id from delivery where cycle = 1`
    expect(after.map(({ id }) => id).sort()).toEqual([done, waiting, ...foreign].sort())
  })

  it('resends at most the newest 1,000 at once, and nothing while it is paused or of another workspace', async () => {
    const webhook = await newWebhook()
    const [oldest] = await add(webhook, '{}', plus(AT, -MINUTE))
    const ids = await add(webhook, '{}', AT, 1_000)
    await end([oldest!, ...ids], 'failed')
    const stranger = { ...webhook, workspaceId: (await newWebhook()).workspaceId }
    await expect(resendFailed({ sql: db.sql, now: AT }, stranger, {})).rejects.toMatchObject({ code: 'not_found' })
    await db.sql`update webhook set state = 'paused', paused_at = ${AT}, paused_reason = 'x' where webhook_id = ${webhook.id}`
    await expect(resendFailed({ sql: db.sql, now: AT }, webhook, {})).rejects.toMatchObject({ code: 'webhook_paused' })
    await db.sql`update webhook set state = 'active', paused_at = null, paused_reason = null`
    expect(await resendFailed({ sql: db.sql, now: AT }, webhook, {})).toEqual({ resent: 1_000 })
    const [left] = await db.sql`select delivery_id as id from delivery where status = 'failed'`
    expect(left).toMatchObject({ id: oldest })
    expect(await resendFailed({ sql: db.sql, now: AT }, webhook, {})).toEqual({ resent: 1 })
    // What the log no longer keeps is not sent again.
    await end([oldest!], 'failed')
    await db.sql`update delivery set resent_at = null`
    const late = plus(AT, 30 * DAY)
    expect(await resendFailed({ sql: db.sql, now: late }, webhook, {})).toEqual({ resent: 0 })
  })

  it('has the last attempt of each webhook, also one of unknown outcome, with what came of it', async () => {
    const failing = await newWebhook()
    const { workspaceId } = failing
    const good = await addWebhook(db.sql, { url: URL, at: plus(AT, 1), workspaceId })
    const [lost] = await add(failing, '{}')
    const [taken] = await add(good, '{}')
    await db.sql`update delivery set last_attempt_at = ${AT}`
    await attempt(lost!, 1, { outcome: 'failed', status: 503, error: 'HTTP 503' })
    await attempt(taken!, 1, { outcome: 'succeeded', status: 204 })
    const last = async () =>
      (await readWebhookStatistics(db.sql, workspaceId, AT)).map(({ lastAttempt }) => lastAttempt)
    const succeeded = { deliveryId: taken, at: AT, succeeded: true, status: 204 }
    expect(await last()).toEqual([
      { deliveryId: lost, at: AT, succeeded: false, status: 503, error: 'HTTP 503' },
      succeeded,
    ])
    await attempt(lost!, 2, { started_at: plus(AT, 1), outcome: 'unknown', error: 'unknown' })
    await attempt(lost!, 3, { started_at: plus(AT, 2), outcome: 'platform', error: 'our fault' })
    expect(await last()).toEqual([{ deliveryId: lost, at: plus(AT, 1), succeeded: false, error: 'unknown' }, succeeded])
  })

  it('counts what became of deliveries over 24 hours and 30 days, and samples the times of their answers', async () => {
    const webhook = await newWebhook()
    const quiet = await addWebhook(db.sql, { url: URL, at: plus(AT, 1), workspaceId: webhook.workspaceId })
    const foreign = await newWebhook()
    const now = plus(AT, MINUTE)
    const made = async (before: number, status: string, ms: (number | null)[], notSent = false) => {
      const [id] = await add(webhook, '{}', plus(now, -before))
      await end([id!], status, notSent)
      const lastAt = plus(now, -before)
      await db.sql`update delivery set last_attempt_at = ${lastAt}, attempts = ${ms.length} where delivery_id = ${id!}`
      for (const [n, duration_ms] of ms.entries())
        await attempt(id!, n + 1, {
          started_at: plus(lastAt, n),
          outcome:
            duration_ms === null ? 'platform' : n === ms.length - 1 && status === 'succeeded' ? status : 'failed',
          duration_ms: duration_ms ?? 9_999,
        })
      return id!
    }
    await end(await add(foreign, '{}', AT), 'failed')
    await made(30 * DAY + 1, 'succeeded', [9_000])
    await made(2 * DAY, 'failed', [5_000])
    await made(DAY + 1, 'succeeded', [300])
    await made(DAY, 'failed', [], true)
    await made(HOUR, 'succeeded', [100, 20])
    const retrying = await made(0, 'succeeded', [40, null])
    await db.sql`update delivery set status = 'pending', due_at = ${now}, finished_at = null, created_at = ${plus(now, -2 * HOUR)} where delivery_id = ${retrying}`
    await add(webhook, '{}', now)
    const none = { succeeded: 0, failed: 0, retrying: 0, notSent: 0 }
    const stepsOf = (count: number, length: number, made: Record<number, object>) =>
      Array.from({ length: count }, (_, n) => ({ ...none, at: plus(now, (n - count) * length), ...made[n] }))
    expect(await readWebhookStatistics(db.sql, webhook.workspaceId, now)).toEqual([
      {
        webhookId: webhook.id,
        day: {
          succeeded: 1,
          failed: 0,
          retrying: 1,
          notSent: 1,
          medianMs: 40,
          p95Ms: 94,
          steps: stepsOf(24, HOUR, { 0: { notSent: 1 }, 22: { retrying: 1 }, 23: { succeeded: 1 } }),
        },
        month: {
          succeeded: 2,
          failed: 1,
          retrying: 1,
          notSent: 1,
          medianMs: 100,
          p95Ms: 4_060,
          steps: stepsOf(30, DAY, {
            28: { succeeded: 1, failed: 1 },
            29: { succeeded: 1, retrying: 1, notSent: 1 },
          }),
        },
        lastAttempt: { deliveryId: retrying, at: now, succeeded: false },
      },
      {
        webhookId: quiet.id,
        day: { ...none, steps: stepsOf(24, HOUR, {}) },
        month: { ...none, steps: stepsOf(30, DAY, {}) },
      },
    ])
  })
})
