import { DAY, type Instant, plus } from '../../../src/lib/instant.ts'
import type { Sql } from '../../../src/lib/sql.ts'
import { openAttempt } from '../../../src/webhooks/attempts/attempt-store.ts'
import { failUnsent, recordFault, recordSuccess } from '../../../src/webhooks/attempts/outcome-store.ts'
import { recordFailure, recordUnknown } from '../../../src/webhooks/attempts/record-failure.ts'
import { deleteOldDeliveries } from '../../../src/webhooks/retention/delete-old-deliveries.ts'
import { failPausedDue } from '../../../src/webhooks/rounds/paused-store.ts'
import { releaseClaims } from '../../../src/webhooks/rounds/reconcile-store.ts'
import { claimDeliveries } from '../../../src/webhooks/rounds/round-store.ts'
import type { AttemptKey } from '../../../src/webhooks/workflow-schema.ts'

export type StateSubject = { sql: Sql; webhookId: string; url: string; ids: string[]; at: Instant; roundId: string }

type State = {
  /** Brings fresh pending deliveries into the state. */
  prepare: (subject: StateSubject) => Promise<unknown>
  /** What the system does with deliveries in that state, for each of them at once. */
  advance: (subject: StateSubject, key: AttemptKey) => Promise<unknown>
}

const succeeded = { kind: 'succeeded', text: 'HTTP 200 after 1 ms', status: 200, durationMs: 1 } as const
const failed = (url: string) =>
  ({ kind: 'failed', text: 'HTTP 500 after 1 ms', status: 500, durationMs: 1, url }) as const

const claimAll = ({ sql, ids, at, roundId }: StateSubject) => claimDeliveries(sql, { roundId, now: at }, ids)
async function openAll(subject: StateSubject, number = 1) {
  await claimAll(subject)
  for (const deliveryId of subject.ids)
    await openAttempt(subject.sql, { deliveryId, cycle: 1, number, run: 1 }, subject.at)
}
const streak = ({ sql, webhookId }: StateSubject, failures: number, since: Instant) =>
  sql`update webhook set failures_in_row = ${failures}, first_failure_at = ${since} where webhook_id = ${webhookId}`

/** One attempt without its POST: what `attemptDelivery` does around it. */
async function attempt({ sql, at }: StateSubject, key: AttemptKey) {
  const opened = await openAttempt(sql, key, at)
  if (opened.request) await recordSuccess(sql, key, succeeded, at)
  else if (opened.refusal === 'paused') await failUnsent(sql, key, at)
}
async function usedUp({ sql, ids, at }: StateSubject, attempts: number) {
  await sql`update delivery set attempts = ${attempts} where delivery_id = any(${ids}::uuid[])`
  await sql`
    insert into attempt (delivery_id, cycle, number, started_at, finished_at, outcome, error)
    select id, 1, n, ${at}, ${at}, 'failed', 'HTTP 500' from unnest(${ids}::uuid[]) as id, generate_series(1, ${attempts}) as n`
}
const late = async ({ sql, at }: StateSubject, key: AttemptKey) => {
  await recordSuccess(sql, key, succeeded, at)
  await deleteOldDeliveries(sql, plus(at, DAY), 100)
}

/** Every state a delivery can be in when an operator acts, and what happens to it at that moment. */
export const STATES = {
  'pending and due': {
    prepare: async () => {},
    advance: async (subject, { deliveryId }) => {
      const [claimed] = await claimDeliveries(subject.sql, { roundId: subject.roundId, now: subject.at }, [deliveryId])
      if (claimed) await attempt(subject, { deliveryId, ...claimed.grant })
    },
  },
  claimed: { prepare: claimAll, advance: attempt },
  'attempt open': {
    prepare: openAll,
    advance: async ({ sql, at }, key) => {
      await releaseClaims(sql, plus(at, DAY))
      await recordFault(sql, key, { kind: 'platform', text: 'An internal error.', durationMs: 0 }, at)
    },
  },
  succeeding: {
    prepare: async (subject) => {
      await streak(subject, 2, subject.at)
      await openAll(subject)
    },
    advance: ({ sql, at }, key) => recordSuccess(sql, key, succeeded, at),
  },
  failing: {
    prepare: async (subject) => {
      await streak(subject, 2, subject.at)
      await openAll(subject)
    },
    advance: ({ sql, url, at }, key) => recordFailure(sql, key, failed(url), at),
  },
  'failing for the sixth time': {
    prepare: async (subject) => {
      await streak(subject, 2, subject.at)
      await usedUp(subject, 5)
      await openAll(subject, 6)
    },
    advance: ({ sql, url, at }, key) => recordFailure(sql, { ...key, number: 6 }, failed(url), at),
  },
  'failing so that the webhook pauses': {
    prepare: async (subject) => {
      await streak(subject, 4, plus(subject.at, -DAY))
      await openAll(subject)
    },
    advance: ({ sql, url, at }, key) => recordFailure(sql, key, failed(url), at),
  },
  'due while paused': {
    prepare: async (subject) => {
      // One of them is on its way: it finds the webhook paused when its attempt opens.
      await claimDeliveries(subject.sql, { roundId: subject.roundId, now: subject.at }, subject.ids.slice(0, 1))
      await subject.sql`update webhook set state = 'paused' where webhook_id = ${subject.webhookId}`
    },
    advance: async (subject, key) => {
      if (key.deliveryId === subject.ids[0]) await attempt(subject, key)
      else await failPausedDue(subject.sql, subject.webhookId, subject.at, 1)
    },
  },
  'not sent while paused': {
    prepare: async ({ sql, webhookId, at }) => {
      await sql`update webhook set state = 'paused' where webhook_id = ${webhookId}`
      await failPausedDue(sql, webhookId, at, 100)
    },
    advance: late,
  },
  'of unknown outcome': { prepare: openAll, advance: ({ sql }, key) => recordUnknown(sql, key, 5_000) },
  succeeded: {
    prepare: async (subject) => {
      await openAll(subject)
      for (const deliveryId of subject.ids)
        await recordSuccess(subject.sql, { deliveryId, cycle: 1, number: 1, run: 1 }, succeeded, subject.at)
    },
    advance: late,
  },
  failed: {
    prepare: async (subject) => {
      await usedUp(subject, 5)
      await openAll(subject, 6)
      for (const deliveryId of subject.ids) {
        const outcome = { ...failed('https://elsewhere.example'), kind: 'failed' as const }
        await recordFailure(subject.sql, { deliveryId, cycle: 1, number: 6, run: 1 }, outcome, subject.at)
      }
    },
    advance: late,
  },
} satisfies Record<string, State>

export type StateName = keyof typeof STATES
export const STATE_NAMES = Object.keys(STATES) as StateName[]
