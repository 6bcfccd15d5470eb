import { expect } from 'vitest'
import { pauseWebhook } from '../../src/webhooks/manage/pause-webhook.ts'
import { resumeWebhook } from '../../src/webhooks/manage/resume-webhook.ts'
import { sendTestEvent } from '../../src/webhooks/manage/send-test-event.ts'
import { resendDelivery } from '../../src/webhooks/resend/resend-delivery.ts'
import { resumeAndResend } from '../../src/webhooks/resend/resume-and-resend.ts'
import { type Cell, cell } from './cell.ts'

import { AT, at, create, DUE, deliveriesOf, paused, stateOf, unsent, withDeliveries } from './webhook-setup.ts'

/** What is done to a webhook and its deliveries, while it is active and while it is paused. */
export const WEBHOOK_STATE_CELLS: Cell[] = [
  cell('pausing', 'while active', {
    prepare: withDeliveries,
    act: ({ sql }, { webhook }, n) => pauseWebhook(at(sql), webhook, `Paused by ${n}.`),
    expected: { ok: 50 },
    invariant: async ({ sql }, { webhook }) => {
      expect(await stateOf(sql, webhook)).toEqual(['paused', expect.stringMatching(/^Paused by \d+\.$/)])
      expect(await deliveriesOf(sql, webhook)).toEqual([['pending', 1, 0, DUE]])
    },
  }),
  cell('pausing', 'while paused', {
    prepare: paused,
    act: ({ sql }, { webhook }, n) => pauseWebhook(at(sql), webhook, `Paused by ${n}.`),
    expected: { ok: 50 },
    invariant: async ({ sql }, { webhook }) =>
      expect(await stateOf(sql, webhook)).toEqual(['paused', 'Paused by hand.']),
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
  cell('resuming', 'while active', {
    prepare: withDeliveries,
    act: ({ sql }, { webhook }) => resumeWebhook(at(sql), webhook),
    expected: { ok: 50 },
    invariant: async ({ sql }, { webhook }) => {
      expect(await stateOf(sql, webhook)).toEqual(['active', null])
      expect(await deliveriesOf(sql, webhook)).toEqual([['pending', 1, 0, DUE]])
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
  cell('resuming and resending', 'while active, with nothing that was not sent', {
    prepare: async (setting) => ({ ...(await withDeliveries(setting)), resent: [] as number[] }),
    act: async ({ sql }, { webhook, resent }) => resent.push((await resumeAndResend(at(sql), webhook)).resent),
    expected: { ok: 50 },
    invariant: async ({ sql }, { webhook, resent }) => {
      expect(resent).toEqual(Array.from({ length: 50 }, () => 0))
      expect(await deliveriesOf(sql, webhook)).toEqual([['pending', 1, 0, DUE]])
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
]
