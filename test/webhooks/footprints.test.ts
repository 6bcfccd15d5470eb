import { beforeAll, describe, it } from 'vitest'
import type { Instant } from '../../src/lib/instant.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { mailPause } from '../../src/webhooks/attempts/mail-pauses.ts'
import { dropNotices, nextNotices } from '../../src/webhooks/attempts/notice-store.ts'
import { failUnsent, recordFault, recordSuccess } from '../../src/webhooks/attempts/outcome-store.ts'
import { recordFailure } from '../../src/webhooks/attempts/record-failure.ts'
import { deleteWebhook } from '../../src/webhooks/manage/delete-webhook.ts'
import { editWebhook } from '../../src/webhooks/manage/edit-webhook.ts'
import { pauseWebhook } from '../../src/webhooks/manage/pause-webhook.ts'
import { resumeWebhook } from '../../src/webhooks/manage/resume-webhook.ts'
import { rotateSecret } from '../../src/webhooks/manage/rotate-secret.ts'
import { sendTestEvent } from '../../src/webhooks/manage/send-test-event.ts'
import { resendDelivery } from '../../src/webhooks/resend/resend-delivery.ts'
import { resendFailed } from '../../src/webhooks/resend/resend-failed.ts'
import { deleteOldDeliveries } from '../../src/webhooks/retention/delete-old-deliveries.ts'
import { deleteOldEvents } from '../../src/webhooks/retention/delete-old-events.ts'
import { deleteOldVersions } from '../../src/webhooks/retention/delete-old-versions.ts'
import { failPausedDue } from '../../src/webhooks/rounds/paused-store.ts'
import { noteNamespace, releaseClaims, takeWaiting } from '../../src/webhooks/rounds/reconcile-store.ts'
import { addAccount, addMember } from '../support/accounts.ts'
import { testDatabase } from '../support/database.ts'
import { footprint } from '../support/footprint.ts'
import { expectGolden } from '../support/suite/goldens.ts'
import { addWebhook, addWorkspace, operator, tools } from '../support/webhooks/subscriptions.ts'

/** Times are written as they are, so that what is due, claimed or old is so on any day. */
const NOW = '2026-11-21T10:00:00.000Z' as Instant
const LONG_AGO = '2026-11-21T09:00:00.000Z' as Instant

type Hook = { workspaceId: string; id: string }
/** In each, the columns of a delivery that differ. */
const DELIVERIES: Record<string, Record<string, string | number | null>> = {
  'that waits': { due_at: LONG_AGO },
  'that waits in its workflow': { due_at: LONG_AGO, started_cycle: 1, attempts: 1 },
  'due later': { due_at: '2027-01-01', started_cycle: 1 },
  'to be tried later': { due_at: '2026-11-23', attempts: 1 },
  'to be tried sooner': { due_at: '2026-11-22', attempts: 1 },
  'being sent for the last time': { due_at: LONG_AGO, started_cycle: 1, claimed_at: LONG_AGO, attempts: 5 },
  'being sent': { due_at: LONG_AGO, started_cycle: 1, claimed_at: LONG_AGO },
  'claimed and never sent': { due_at: LONG_AGO, started_cycle: 1, claimed_at: LONG_AGO },
  'claimed just now': { due_at: LONG_AGO, started_cycle: 1, claimed_at: NOW },
  failed: { status: 'failed', attempts: 6, finished_at: LONG_AGO, last_attempt_at: LONG_AGO, error: 'HTTP 500' },
  'not sent': { status: 'failed', not_sent: 'paused', finished_at: LONG_AGO },
  succeeded: { status: 'succeeded', attempts: 1, finished_at: LONG_AGO, last_attempt_at: LONG_AGO },
  'failed 30 days ago': {
    status: 'failed',
    attempts: 6,
    finished_at: '2026-10-22T10:00:00Z',
    last_attempt_at: '2026-10-22T10:00:00Z',
    created_at: '2026-10-20',
  },
  'resent since': {
    status: 'failed',
    attempts: 6,
    finished_at: '2026-10-22T10:00:00Z',
    last_attempt_at: '2026-10-22T10:00:00Z',
    resent_at: '2026-10-22T10:00:01Z',
    created_at: '2026-10-20',
  },
  'succeeded 30 days ago': {
    status: 'succeeded',
    attempts: 1,
    finished_at: '2026-10-22T10:00:00.001Z',
    last_attempt_at: '2026-10-22T10:00:00.001Z',
    created_at: '2026-10-20',
  },
  'waiting for 30 days': { due_at: '2026-10-20', created_at: '2026-10-20' },
}

let seq = 0
/** A webhook with a delivery in every state, three secrets and two notices. */
async function addBusyWebhook(sql: Sql, workspaceId: string, name: string): Promise<Hook> {
  const id = await addWebhook(sql, workspaceId, { name, url: 'https://hooks.example.com/' })
  await rotateSecret(sql, tools.secretKey, { workspaceId, id })
  await rotateSecret(sql, tools.secretKey, { workspaceId, id })
  for (const [state, columns] of Object.entries(DELIVERIES)) {
    const eventId = `${name} ${state}`
    await sql`
      insert into event (seq, event_id, type, provider, eligible_at, body, matched_at)
      values (${++seq}, ${eventId}, 'price.changed', 'openai', '2026-10-01', '{}', now())`
    const row = { webhook_id: id, workspace_id: workspaceId, event_id: eventId, created_at: LONG_AGO, ...columns }
    const [made] = await sql<{ id: string }[]>`insert into delivery ${sql(row)} returning delivery_id as id`
    const [closed, open] = [Number(columns.attempts ?? 0), state.startsWith('being sent')]
    for (let number = 1; number <= closed + (open ? 1 : 0); number++) {
      const outcome = number > closed ? null : state.startsWith('succeeded') ? 'succeeded' : 'failed'
      await sql`
        insert into attempt (delivery_id, cycle, number, started_at, outcome)
        values (${made!.id}, 1, ${number}, ${LONG_AGO}, ${outcome})`
    }
  }
  await sql`
    insert into delivery_notice (delivery_id, webhook_id, what, created_at)
    select delivery_id, webhook_id, event_id, created_at from delivery
    where webhook_id = ${id} and event_id like '%waits%'`
  return { workspaceId, id }
}

type Action = (sql: Sql) => Promise<unknown>
type Later = { given: (sql: Sql) => Promise<unknown>; does: Action }

describe('what happens to one webhook, beside another of its workspace and one of another workspace', () => {
  const db = testDatabase({ isNew: true })
  let hook: Hook
  beforeAll(async () => {
    const acme = await addWorkspace(db.sql)
    hook = await addBusyWebhook(db.sql, acme, 'Orders')
    await addBusyWebhook(db.sql, acme, 'Second')
    const other = await addWorkspace(db.sql, 'Other')
    await addBusyWebhook(db.sql, other, 'Foreign')
    for (const [name, workspaceId, role] of [
      ['admin', acme, 'admin'],
      ['disabled', acme, 'admin'],
      ['member', acme, 'member'],
      ['foreign', other, 'admin'],
    ] as const)
      await addMember(db.sql, workspaceId, (await addAccount(db.sql, `${name}@example.com`)).accountId, role)
    await db.sql`update account set disabled_at = now() where name = 'disabled'`
    await db.sql`update publication_clock set last_seq = ${seq}`
    await db.sql`update webhook set failures_in_row = 3, first_failure_at = ${LONG_AGO}`
    await db.sql`update temporal_store set namespace_id = 'before'`
    // One was edited twice, the first time before the newest event that waits.
    await db.sql`update webhook_version set valid_from = '2026-01-01'`
  })

  async function expectFootprints(name: string, actions: Record<string, Action | Later>): Promise<void> {
    const found: Record<string, string[]> = {}
    for (const [action, one] of Object.entries(actions))
      found[action] = 'does' in one ? await footprint(db.sql, one.does, one.given) : await footprint(db.sql, one)
    await expectGolden(`footprints/${name}`, found)
  }
  const paused = (sql: Sql) => sql`update webhook set state = 'paused', paused_at = ${NOW}, paused_reason = 'a person'`
  const resent = (sql: Sql) => sql`update delivery set cycle = 2 where claimed_at is not null`
  const idOf = async (sql: Sql, state: string): Promise<string> =>
    (await sql<{ id: string }[]>`select delivery_id as id from delivery where event_id = ${`Orders ${state}`}`)[0]!.id
  const attempt = async (sql: Sql, state: string, number: number) => ({
    deliveryId: await idOf(sql, state),
    ...{ cycle: 1, number, run: 1 },
  })
  const failed = { kind: 'failed', text: 'HTTP 500', status: 500, durationMs: 7, response: 'no' } as const
  const answered = { text: 'HTTP 500', status: 500, durationMs: 7, response: 'no' }

  it('by people', () =>
    expectFootprints('webhooks', {
      pausing: (sql) => pauseWebhook({ ...operator(sql), now: NOW }, hook, 'a person'),
      'pausing again': { given: paused, does: (sql) => pauseWebhook({ ...operator(sql), now: NOW }, hook, 'a person') },
      resuming: { given: paused, does: (sql) => resumeWebhook({ ...operator(sql), now: NOW }, hook) },
      'resuming again': (sql) => resumeWebhook({ ...operator(sql), now: NOW }, hook),
      deleting: (sql) => deleteWebhook({ ...operator(sql), now: NOW }, hook),
      'another name': (sql) => editWebhook(operator(sql), tools, hook, { name: 'Renamed' }),
      'another URL': (sql) => editWebhook(operator(sql), tools, hook, { url: 'https://elsewhere.example.com/' }),
      'other events': (sql) => editWebhook(operator(sql), tools, hook, { eventTypes: ['tos.changed'] }),
      'another secret': (sql) => rotateSecret(sql, tools.secretKey, hook),
      'resending one': async (sql) =>
        resendDelivery({ ...operator(sql), now: NOW }, hook, await idOf(sql, 'succeeded')),
      'resending what failed': (sql) => resendFailed({ ...operator(sql), now: NOW }, hook, {}),
      'resending what was not sent': (sql) => resendFailed({ ...operator(sql), now: NOW }, hook, { status: 'notSent' }),
      'resending what failed after attempts': (sql) =>
        resendFailed({ ...operator(sql), now: NOW }, hook, { status: 'failed' }),
      'a test, twice': async (sql) => {
        await sendTestEvent({ sql, now: NOW }, hook)
        await sendTestEvent({ sql, now: NOW }, hook)
      },
      'a test that was not sent': {
        given: async (sql) => {
          await sendTestEvent({ sql, now: NOW }, hook)
          await sql`update delivery set status = 'failed', not_sent = 'paused' where event_id like 'test_%'`
        },
        does: (sql) => sendTestEvent({ sql, now: NOW }, hook),
      },
      'a mail about its pause': (sql) => sql.begin((tx) => mailPause(tx, hook.id, NOW)),
    }))

  it('by attempts', () =>
    expectFootprints('attempts', {
      'that succeed': async (sql) =>
        recordSuccess(sql, await attempt(sql, 'being sent', 1), { kind: 'succeeded', ...answered }, NOW),
      'that succeed after they were given up': {
        given: (sql) => sql`update attempt set outcome = 'unknown' where outcome = 'failed'`,
        does: async (sql) =>
          recordSuccess(sql, await attempt(sql, 'failed', 6), { kind: 'succeeded', ...answered }, NOW),
      },
      'that succeed after the webhook did': {
        given: (sql) => sql`update webhook set failures_in_row = 0, first_failure_at = null`,
        does: async (sql) =>
          recordSuccess(sql, await attempt(sql, 'being sent', 1), { kind: 'succeeded', ...answered }, NOW),
      },
      'that succeeded before': async (sql) =>
        recordSuccess(sql, await attempt(sql, 'succeeded', 1), { kind: 'succeeded', ...answered }, NOW),
      'that fail': async (sql) => recordFailure(sql, await attempt(sql, 'being sent', 1), failed, NOW),
      'that fail for the sixth time': async (sql) =>
        recordFailure(sql, await attempt(sql, 'being sent for the last time', 6), failed, NOW),
      'that fail so often that the webhook pauses': {
        given: (sql) => sql`update webhook set failures_in_row = 100, first_failure_at = '2026-11-01'`,
        does: async (sql) => recordFailure(sql, await attempt(sql, 'being sent', 1), failed, NOW),
      },
      'that fail at a paused webhook': {
        given: async (sql) => {
          await sql`update webhook set failures_in_row = 100, first_failure_at = '2026-11-01'`
          await paused(sql)
        },
        does: async (sql) => recordFailure(sql, await attempt(sql, 'being sent', 1), failed, NOW),
      },
      'that fail at the URL before': async (sql) =>
        recordFailure(sql, await attempt(sql, 'being sent', 1), { ...failed, url: 'https://before.example/' }, NOW),
      'of unknown outcome': async (sql) =>
        recordFailure(sql, await attempt(sql, 'being sent', 1), { ...failed, kind: 'unknown' }, NOW),
      'that failed before': async (sql) => recordFailure(sql, await attempt(sql, 'failed', 6), failed, NOW),
      'that end after a resend: succeeded': {
        given: resent,
        does: async (sql) =>
          recordSuccess(sql, await attempt(sql, 'being sent', 1), { kind: 'succeeded', ...answered }, NOW),
      },
      'that end after a resend: failed': {
        given: resent,
        does: async (sql) => recordFailure(sql, await attempt(sql, 'being sent', 1), failed, NOW),
      },
      'that end after a resend: spoiled by us': {
        given: resent,
        does: async (sql) =>
          recordFault(sql, await attempt(sql, 'being sent', 1), { kind: 'platform', ...answered }, NOW),
      },
      'that end after a resend: at a paused webhook': {
        given: async (sql) => {
          await paused(sql)
          await resent(sql)
        },
        does: async (sql) => failUnsent(sql, await attempt(sql, 'claimed and never sent', 1), NOW),
      },
      'spoiled by us': async (sql) =>
        recordFault(sql, await attempt(sql, 'being sent', 1), { kind: 'platform', ...answered }, NOW),
      'that find the webhook paused': {
        given: paused,
        does: async (sql) => failUnsent(sql, await attempt(sql, 'claimed and never sent', 1), NOW),
      },
      'that find the webhook resumed': async (sql) =>
        failUnsent(sql, await attempt(sql, 'claimed and never sent', 1), NOW),
      'that were begun': {
        given: paused,
        does: async (sql) => failUnsent(sql, await attempt(sql, 'being sent', 1), NOW),
      },
    }))

  it('by time', () =>
    expectFootprints('deliveries-in-time', {
      'paused with some due': { given: paused, does: (sql) => failPausedDue(sql, hook.id, NOW, 10) },
      'paused with two due, of which one is taken': {
        given: paused,
        does: (sql) => failPausedDue(sql, hook.id, NOW, 1),
      },
      'active with some due': (sql) => failPausedDue(sql, hook.id, NOW, 10),
      '30 days after the last attempt': (sql) => deleteOldDeliveries(sql, '2026-11-21T10:00:00.000Z' as Instant, 100),
      '30 days after the last attempt, one at once': (sql) => deleteOldDeliveries(sql, NOW, 1),
      'events that nothing needs': {
        given: async (sql) => {
          const event = { type: 'price.changed', provider: 'openai', body: '{}' }
          await sql`
            insert into event ${sql([
              { ...event, seq: 1_001, event_id: 'old', eligible_at: '2026-10-22T10:00:00Z', matched_at: NOW },
              { ...event, seq: 1_002, event_id: 'newer', eligible_at: '2026-10-22T10:00:00.001Z', matched_at: NOW },
              { ...event, seq: 1_003, event_id: 'not matched', eligible_at: '2026-10-01', matched_at: null },
            ])}`
        },
        does: (sql) => deleteOldEvents(sql, NOW, 100),
      },
      'versions that nothing is matched with': {
        given: (sql) => editWebhook(operator(sql), tools, hook, { eventTypes: ['tos.changed'] }),
        does: (sql) => deleteOldVersions(sql, 100),
      },
      'versions that an event waits for': {
        given: async (sql) => {
          await sql`
            insert into event (seq, event_id, type, provider, eligible_at, body)
            values (1001, 'waits', 'price.changed', 'openai', '2026-10-01', '{}')`
          await editWebhook(operator(sql), tools, hook, { eventTypes: ['tos.changed'] })
        },
        does: (sql) => deleteOldVersions(sql, 100),
      },
      'the same namespace': (sql) => noteNamespace(sql, 'before'),
      'another namespace': (sql) => noteNamespace(sql, 'after'),
      'claims that are old': (sql) => releaseClaims(sql, NOW),
      'those that wait without a workflow': (sql) => takeWaiting(sql, NOW, 2),
      'notices that were passed on': async (sql) =>
        dropNotices(sql, await nextNotices(sql, { webhookId: hook.id, limit: 1 })),
      'notices that are newer by then': async (sql) => {
        const notices = await nextNotices(sql, { webhookId: hook.id, limit: 1 })
        await dropNotices(
          sql,
          notices.map((notice) => ({ ...notice, createdAt: NOW })),
        )
        await dropNotices(
          sql,
          notices.map((notice) => ({ ...notice, what: 'something else' })),
        )
      },
    }))
})
