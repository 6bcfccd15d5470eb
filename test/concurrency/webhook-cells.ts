import { expect } from 'vitest'
import type { Instant } from '../../src/lib/instant.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { deleteWebhook } from '../../src/webhooks/manage/delete-webhook.ts'
import { editWebhook } from '../../src/webhooks/manage/edit-webhook.ts'
import { pauseWebhook } from '../../src/webhooks/manage/pause-webhook.ts'
import { resendDelivery } from '../../src/webhooks/manage/resend-delivery.ts'
import { resumeAndResend } from '../../src/webhooks/manage/resume-and-resend.ts'
import { resumeWebhook } from '../../src/webhooks/manage/resume-webhook.ts'
import { rotateSecret } from '../../src/webhooks/manage/rotate-secret.ts'
import { sendTestEvent } from '../../src/webhooks/manage/send-test-event.ts'
import { matchEvents } from '../../src/webhooks/matching/match-events.ts'
import { failPausedDue } from '../../src/webhooks/rounds/fail-paused-due.ts'
import type { WebhookRef } from '../../src/webhooks/schema.ts'
import { listWebhooks } from '../../src/webhooks/subscriptions/list-webhooks.ts'
import { addDeliveries } from '../support/deliveries.ts'
import { addWebhook, operator, record, tools } from '../support/subscriptions.ts'
import { type Cell, cell, type Setting } from './cell.ts'

const AT = '2026-11-21T10:00:00.000Z' as Instant
const DUE = 10

const create = async ({ sql, workspaceId }: Setting): Promise<WebhookRef> => ({
  workspaceId,
  id: await addWebhook(sql, workspaceId),
})
const at = (sql: Sql) => ({ ...operator(sql), now: AT })
async function withDeliveries(setting: Setting) {
  const webhook = await create(setting)
  return { webhook, ids: await addDeliveries(setting.sql, webhook, { at: AT, count: DUE }) }
}
async function paused(setting: Setting) {
  const made = await withDeliveries(setting)
  await pauseWebhook(at(setting.sql), made.webhook, 'Paused by hand.')
  return made
}
async function unsent(setting: Setting) {
  const made = await paused(setting)
  await failPausedDue(setting.sql, AT)
  return made
}
const stateOf = async (sql: Sql, { id }: WebhookRef) => {
  const [row] = await sql`select state, paused_reason as reason from webhook where webhook_id = ${id}`
  return row && [row.state, row.reason]
}
const deliveriesOf = async (sql: Sql, { id }: WebhookRef) => {
  const rows = await sql`
    select status, cycle, attempts, count(*)::int as n from delivery where webhook_id = ${id}
    group by 1, 2, 3 order by 1, 2`
  return rows.map(({ status, cycle, attempts, n }) => [status, cycle, attempts, n])
}
const webhooks = async ({ sql, workspaceId }: Setting) => (await listWebhooks(sql, workspaceId)).length

/** Webhooks, their secrets and their deliveries. */
export const WEBHOOK_CELLS: Cell[] = [
  cell('creating a webhook', 'of none', {
    prepare: async () => {},
    act: create,
    expected: { ok: 20, webhook_limit: 30 },
    invariant: async (setting) => expect(await webhooks(setting)).toBe(20),
  }),
  cell('creating a webhook', 'of 19', {
    prepare: async (setting) => {
      for (let n = 0; n < 19; n++) await create(setting)
    },
    act: create,
    expected: { ok: 1, webhook_limit: 49 },
    invariant: async (setting) => expect(await webhooks(setting)).toBe(20),
  }),
  cell('editing a webhook', 'that each of them has loaded', {
    prepare: async (setting) => ({
      webhook: await create(setting),
      ifUpdatedAt: (await listWebhooks(setting.sql, setting.workspaceId))[0]!.updatedAt,
    }),
    act: ({ sql }, { webhook, ifUpdatedAt }, n) =>
      editWebhook(operator(sql), tools, webhook, { name: `name ${n}`, providers: ['acme'], ifUpdatedAt }),
    expected: { ok: 1, webhook_changed: 49 },
    invariant: async ({ sql }, { webhook }) => {
      const versions = await sql`select valid_to from webhook_version where webhook_id = ${webhook.id}`
      expect(versions.filter(({ valid_to }) => valid_to === null)).toHaveLength(1)
      expect(versions).toHaveLength(2)
    },
  }),
  cell('pausing', 'while active', {
    prepare: withDeliveries,
    act: ({ sql }, { webhook }, n) => pauseWebhook(at(sql), webhook, `Paused by ${n}.`),
    expected: { ok: 50 },
    invariant: async ({ sql }, { webhook }) => {
      expect(await stateOf(sql, webhook)).toEqual(['paused', expect.stringMatching(/^Paused by \d+\.$/)])
      expect(await deliveriesOf(sql, webhook)).toEqual([['pending', 1, 0, DUE]])
    },
  }),
  cell('resuming', 'while paused', {
    prepare: unsent,
    act: ({ sql }, { webhook }) => resumeWebhook(at(sql), webhook),
    expected: { ok: 50 },
    invariant: async ({ sql }, { webhook }) => {
      expect(await stateOf(sql, webhook)).toEqual(['active', null])
      expect(await deliveriesOf(sql, webhook)).toEqual([['failed', 1, 0, DUE]])
    },
  }),
  cell('resuming and resending', 'while paused, with deliveries that were not sent', {
    prepare: async (setting) => ({ ...(await unsent(setting)), resent: [] as number[] }),
    act: async ({ sql }, { webhook, resent }) => resent.push((await resumeAndResend(at(sql), webhook)).resent),
    expected: { ok: 50 },
    invariant: async ({ sql }, { webhook, resent }) => {
      expect(resent.sort((a, b) => b - a).slice(0, 2)).toEqual([DUE, 0])
      expect(await deliveriesOf(sql, webhook)).toEqual([['pending', 2, 0, DUE]])
    },
  }),
  cell('resending a delivery', 'while active', {
    prepare: withDeliveries,
    act: ({ sql }, { webhook, ids }) => resendDelivery(at(sql), webhook, ids[0]!),
    expected: { ok: 50 },
    invariant: async ({ sql }, { webhook }) =>
      expect(await deliveriesOf(sql, webhook)).toEqual([
        ['pending', 1, 0, DUE - 1],
        ['pending', 51, 0, 1],
      ]),
  }),
  cell('resending a delivery', 'while paused', {
    prepare: unsent,
    act: ({ sql }, { webhook, ids }) => resendDelivery(at(sql), webhook, ids[0]!),
    expected: { webhook_paused: 50 },
    invariant: async ({ sql }, { webhook }) =>
      expect(await deliveriesOf(sql, webhook)).toEqual([['failed', 1, 0, DUE]]),
  }),
  cell('sending a test', 'while active', {
    prepare: create,
    act: ({ sql }, webhook) => sendTestEvent({ sql, now: AT }, webhook),
    expected: { ok: 50 },
    invariant: async ({ sql }, webhook) => expect(await deliveriesOf(sql, webhook)).toEqual([['pending', 1, 0, 1]]),
  }),
  cell('sending a test', 'while paused', {
    prepare: async (setting) => (await paused(setting)).webhook,
    act: ({ sql }, webhook) => sendTestEvent({ sql, now: AT }, webhook),
    expected: { webhook_paused: 50 },
    invariant: async ({ sql }, webhook) => expect(await deliveriesOf(sql, webhook)).toEqual([['pending', 1, 0, DUE]]),
  }),
  cell('rotating the secret', 'of one key', {
    prepare: create,
    act: ({ sql }, webhook) => rotateSecret(sql, tools.secretKey, webhook, AT),
    expected: { ok: 50 },
    invariant: async ({ sql }, { id }) => {
      const keys = await sql`select signs_until as until from webhook_secret where webhook_id = ${id}`
      expect(keys.map(({ until }) => until).sort()).toEqual(['2026-11-22T10:00:00.000Z', null])
    },
  }),
  cell('deleting a webhook', 'with pending deliveries', {
    prepare: withDeliveries,
    act: ({ sql }, { webhook }) => deleteWebhook(at(sql), webhook),
    expected: { ok: 1, not_found: 49 },
    invariant: async ({ sql }, { webhook }) => {
      expect(await stateOf(sql, webhook)).toBeUndefined()
      expect(await deliveriesOf(sql, webhook)).toEqual([])
    },
  }),
  cell('matching events', 'of which 20 are new', {
    prepare: async (setting) => {
      const webhook = await create(setting)
      const draft = { type: 'price.changed' as const, provider: 'acme', payload: {} }
      await record(setting.sql, ...Array.from({ length: 20 }, () => draft))
      return webhook
    },
    act: ({ sql }) => matchEvents(sql, { now: AT, limit: 3 }),
    expected: { ok: 50 },
    invariant: async ({ sql }, webhook) => {
      expect((await sql`select from event where matched_at is null`).count).toBe(0)
      expect(await deliveriesOf(sql, webhook)).toEqual([['pending', 1, 0, 20]])
    },
  }),
]
