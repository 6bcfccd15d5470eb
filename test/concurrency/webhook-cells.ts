import { expect } from 'vitest'
import { deleteWebhook } from '../../src/webhooks/manage/delete-webhook.ts'
import { editWebhook } from '../../src/webhooks/manage/edit-webhook.ts'
import { rotateSecret } from '../../src/webhooks/manage/rotate-secret.ts'
import { matchEvents } from '../../src/webhooks/matching/match-events.ts'
import { listWebhooks } from '../../src/webhooks/subscriptions/list-webhooks.ts'
import { operator, record, tools } from '../support/webhooks/subscriptions.ts'
import { type Cell, cell } from './cell.ts'

import { AT, at, create, deliveriesOf, paused, stateOf, unsent, webhooks, withDeliveries } from './webhook-setup.ts'

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
  cell('editing a webhook', 'while paused', {
    prepare: async (setting) => ({
      ...(await paused(setting)),
      ifUpdatedAt: (await listWebhooks(setting.sql, setting.workspaceId))[0]!.updatedAt,
    }),
    act: ({ sql }, { webhook, ifUpdatedAt }, n) =>
      editWebhook(operator(sql), tools, webhook, { name: `name ${n}`, ifUpdatedAt }),
    expected: { ok: 1, webhook_changed: 49 },
    invariant: async ({ sql }, { webhook }) =>
      expect(await stateOf(sql, webhook)).toEqual(['paused', 'Paused by hand.']),
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
  cell('deleting a webhook', 'while paused', {
    prepare: unsent,
    act: ({ sql }, { webhook }) => deleteWebhook(at(sql), webhook),
    expected: { ok: 1, not_found: 49 },
    invariant: async ({ sql }, { webhook }) => expect(await deliveriesOf(sql, webhook)).toEqual([]),
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
