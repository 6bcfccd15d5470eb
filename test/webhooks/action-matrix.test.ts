import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../src/lib/errors.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { connect, type Sql } from '../../src/lib/sql.ts'
import { testDatabase } from '../support/database.ts'
import { addDeliveries } from '../support/webhooks/deliveries.ts'
import { STATE_NAMES, STATES, type StateName } from '../support/webhooks/delivery-states.ts'
import { addWebhook, addWorkspace } from '../support/webhooks/subscriptions.ts'
import { ACTION_NAMES, ACTIONS, type ActionName, NEW_URL } from '../support/webhooks/webhook-actions.ts'

const AT = '2026-11-21T10:00:00.000Z' as Instant
const URL = 'https://hooks.example.com/'
/** The action first, the delivery first, and both at once. */
const REPEATS = 3
const DELIVERIES = 3

type Delivery = {
  id: string
  status: 'pending' | 'succeeded' | 'failed'
  notSent: boolean
  cycle: number
  attempts: number
  faults: number
  due: boolean
  claimed: boolean
  finished: boolean
  test: boolean
  /** Outcomes of the attempts of this cycle, by number, without faults of ours. */
  outcomes: (string | null)[]
}
type Webhook = { state: 'active' | 'paused'; failures: number; url: string; keys: number; newest: number }
type Result = { error?: AppError; resent?: number }

describe('every operator action beside every state of a delivery', () => {
  const db = testDatabase()

  it.each(ACTION_NAMES)('%s: no deadlock, no lost state', async (action) => {
    const sql = connect(db.url, { max: 24 })
    try {
      for (let repeat = 0; repeat < REPEATS; repeat++)
        await Promise.all(STATE_NAMES.map((state) => runCell(sql, action, state, repeat)))
    } finally {
      await sql.end()
    }
  })

  async function runCell(sql: Sql, action: ActionName, state: StateName, repeat: number) {
    const workspaceId = await addWorkspace(sql)
    const id = await addWebhook(sql, workspaceId, { url: URL })
    const webhook = { workspaceId, id }
    const ids = await addDeliveries(sql, webhook, { at: AT, count: DELIVERIES })
    const subject = { sql, webhookId: id, url: URL, ids, at: AT, roundId: `round of ${id}` }
    await STATES[state].prepare(subject)

    const head = [0, 3, 0][repeat]!
    const acting = sleep(head).then(() => act(action, { sql, webhook, ids, now: AT }))
    const advancing = sleep([0, 0, 3][repeat]!).then(() =>
      Promise.all(ids.map((deliveryId) => STATES[state].advance(subject, { deliveryId, cycle: 1, number: 1, run: 1 }))),
    )
    const [result] = await Promise.all([acting, advancing])
    const cell = `${action} beside ${state}`
    const after = await readWebhook(sql, id)
    const deliveries = await readDeliveries(sql, id)
    if (action === 'delete') {
      expect([after, deliveries], cell).toEqual([undefined, []])
      expect(await attemptsLeft(sql, ids), cell).toBe(0)
      return
    }
    expect(result.error?.code, cell).toBe(expectedError(action, after!, result))
    expectSound(deliveries, cell)
    expectNothingLost(state, deliveries, cell)
    expectAction(action, state, result, after!, deliveries, cell)
    expectStreak(action, state, after!, cell)
  }
})

async function act(action: ActionName, target: Parameters<(typeof ACTIONS)[ActionName]>[0]): Promise<Result> {
  try {
    const done = await ACTIONS[action](target)
    return { resent: (done as { resent?: number } | undefined)?.resent }
  } catch (error) {
    // Anything else, such as PostgreSQL's deadlock 40P01, fails the test.
    if (error instanceof AppError) return { error }
    throw error
  }
}

/** Only a resend and a test are refused, and only by a paused webhook. */
function expectedError(action: ActionName, webhook: Webhook, result: Result): string | undefined {
  if (action !== 'resend' && action !== 'send a test') return undefined
  return webhook.state === 'paused' && result.error ? 'webhook_paused' : undefined
}

/** What the specification's table of states says of any delivery at any time. */
function expectSound(deliveries: Delivery[], cell: string) {
  for (const delivery of deliveries) {
    const pending = delivery.status === 'pending'
    expect([delivery.due, delivery.finished], cell).toEqual([pending, !pending])
    if (!pending) expect(delivery.claimed, cell).toBe(false)
    const counted = delivery.outcomes.filter((outcome) => outcome !== null)
    expect(delivery.attempts, cell).toBe(counted.length)
    if (delivery.status === 'succeeded') expect(counted.at(-1), cell).toBe('succeeded')
    else expect(counted, cell).not.toContain('succeeded')
    if (delivery.status === 'failed' && !delivery.notSent) expect(delivery.attempts, cell).toBe(6)
    if (delivery.notSent) expect(delivery.status, cell).toBe('failed')
  }
}

/** An outcome that was recorded shows, unless a resend started another cycle. */
function expectNothingLost(state: StateName, deliveries: Delivery[], cell: string) {
  const first = deliveries.filter((delivery) => delivery.cycle === 1 && !delivery.test)
  for (const { status, attempts, faults, notSent } of first) {
    if (state === 'succeeding' || state === 'succeeded') expect([status, attempts], cell).toEqual(['succeeded', 1])
    if (state === 'failing' || state === 'of unknown outcome') expect([status, attempts], cell).toEqual(['pending', 1])
    if (state === 'failing so that the webhook pauses') expect([status, attempts], cell).toEqual(['pending', 1])
    if (state === 'failing for the sixth time' || state === 'failed')
      expect([status, attempts, notSent], cell).toEqual(['failed', 6, false])
    if (state === 'attempt open') expect([status, attempts, faults], cell).toEqual(['pending', 0, 1])
  }
}

const PAUSED_STATES: StateName[] = ['due while paused', 'not sent while paused']
/** A delivery may be due while its webhook is paused. */
const MAY_BE_DUE: StateName[] = ['due while paused', 'failing so that the webhook pauses']

function expectAction(
  action: ActionName,
  state: StateName,
  { error, resent }: Result,
  webhook: Webhook,
  deliveries: Delivery[],
  cell: string,
) {
  const restarted = deliveries.filter((delivery) => delivery.cycle === 2)
  const unsent = deliveries.filter((delivery) => delivery.notSent)
  const wasPaused = PAUSED_STATES.includes(state)
  if (!wasPaused && action !== 'pause') expect(unsent, cell).toEqual([])
  if (action === 'resume and resend') {
    expect(unsent, cell).toEqual([])
    // What was due, under way in no round and not yet marked as unsent, counts too: it goes out as it is. The cells of open
    // attempts release the claims of all others.
    const most = MAY_BE_DUE.includes(state) ? DELIVERIES : restarted.length
    expect(resent, cell).toBeGreaterThanOrEqual(restarted.length)
    expect(resent, cell).toBeLessThanOrEqual(most)
    if (state === 'not sent while paused') expect(resent, cell).toBe(DELIVERIES)
  } else {
    expect(restarted.length, cell).toBe(action === 'resend' && !error ? 1 : 0)
  }
  if (action === 'resume' || action === 'resume and resend') {
    if (state !== 'failing so that the webhook pauses') expect(webhook.state, cell).toBe('active')
  } else if (action === 'pause' || wasPaused) {
    expect(webhook.state, cell).toBe('paused')
  }
  expect(webhook.url, cell).toBe(action === 'edit the URL' ? NEW_URL : URL)
  expect([webhook.keys, webhook.newest], cell).toEqual([action === 'rotate' ? 2 : 1, 1])
  expect(deliveries.filter((delivery) => delivery.test).length, cell).toBe(action === 'send a test' && !error ? 1 : 0)
}

/** The failures in a row, whichever of the two came first. */
function expectStreak(action: ActionName, state: StateName, { state: now, failures }: Webhook, cell: string) {
  const edited = action === 'edit the URL'
  const resumed = action === 'resume' || action === 'resume and resend'
  const before = ['failing', 'failing for the sixth time'].includes(state) ? 2 : 0
  if (state === 'succeeding') return expect(failures, cell).toBe(0)
  if (before === 2) {
    // A failure at the old URL never counts for the new one.
    return expect([now, failures], cell).toEqual([
      action === 'pause' ? 'paused' : 'active',
      edited ? 0 : 2 + DELIVERIES,
    ])
  }
  if (state !== 'failing so that the webhook pauses') return expect(failures, cell).toBe(0)
  // The fifth failure in a row pauses, and each one after it again: which came last, it or the resume, is open.
  if (resumed) return expect(failures, cell).toBe(4 + DELIVERIES)
  if (edited) return expect(failures, cell).toBe(0)
  return expect([now, failures], cell).toEqual(['paused', 4 + DELIVERIES])
}

async function readWebhook(sql: Sql, id: string): Promise<Webhook | undefined> {
  const [row] = await sql<Webhook[]>`
    select state, failures_in_row as failures, url,
           (select count(*)::int from webhook_secret s
            where s.webhook_id = w.webhook_id and (signs_until is null or signs_until > ${AT})) as keys,
           (select count(*)::int from webhook_secret s where s.webhook_id = w.webhook_id and signs_until is null) as newest
    from webhook w where webhook_id = ${id}`
  return row
}

const readDeliveries = (sql: Sql, webhookId: string): Promise<Delivery[]> => sql<Delivery[]>`
  select delivery_id as id, d.status, not_sent is not null as "notSent", cycle, attempts, faults,
         due_at is not null as due, claimed_at is not null as claimed, finished_at is not null as finished,
         e.type = 'webhook.test' as test,
         array(select a.outcome from attempt a
               where a.delivery_id = d.delivery_id and a.cycle = d.cycle and a.outcome is distinct from 'platform'
               order by a.number, a.run) as outcomes
  from delivery d join event e using (event_id) where webhook_id = ${webhookId}`

async function attemptsLeft(sql: Sql, ids: string[]): Promise<number> {
  const [row] = await sql`select count(*)::int as count from attempt where delivery_id = any(${ids}::uuid[])`
  return row!.count
}
