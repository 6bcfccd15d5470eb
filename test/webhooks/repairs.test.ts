import { describe, expect, it } from 'vitest'
import { DAY, HOUR, type Instant, MINUTE, plus } from '../../src/lib/instant.ts'
import { openAttempt } from '../../src/webhooks/attempts/attempt-store.ts'
import { recordFailure } from '../../src/webhooks/attempts/record-failure.ts'
import { failPausedDue } from '../../src/webhooks/rounds/fail-paused-due.ts'
import { reconcileDeliveries } from '../../src/webhooks/rounds/reconcile-deliveries.ts'
import { noteNamespace } from '../../src/webhooks/rounds/reconcile-store.ts'
import { claimDeliveries, finishedAttempts, loadDue, startedInRound } from '../../src/webhooks/rounds/round-store.ts'
import { slicesOf } from '../../src/webhooks/rounds/shard-rules.ts'
import { testDatabase } from '../support/database.ts'
import { someoneWaits } from '../support/locks.ts'
import { addDeliveries, addWebhook } from '../support/webhooks/deliveries.ts'

const AT = '2026-11-21T10:00:00.000Z' as Instant
const ROUND = { roundId: 'round', now: AT }
const FIRST = { cycle: 1, number: 1, run: 1 }
const db = testDatabase({ each: true })
const newWebhook = () => addWebhook(db.sql, { url: 'https://hooks.example.com/', at: AT })

describe('the repair of a check', () => {
  const repair = async (now: Instant) => {
    const started: string[] = []
    const workflows = {
      start: async ({ deliveryId }: { deliveryId: string }) => void started.push(deliveryId),
      changed: async () => {},
      grant: async () => ({ here: false }),
      notifyWebhook: async () => {},
    }
    const task = { sql: db.sql, workflows, now, namespaceId: 'n1', heartbeat: () => {} }
    return { report: await reconcileDeliveries(task), started }
  }

  it('closes every attempt that no one closed, and gives every delivery its workflow back, however many there are', async () => {
    const hook = await newWebhook()
    const open = await addDeliveries(db.sql, hook, { at: AT, count: 101 })
    await claimDeliveries(db.sql, ROUND, open)
    await db.sql`
      insert into attempt (delivery_id, cycle, number, run, started_at)
      select id, 1, 1, 1, ${AT} from unnest(${open}::uuid[]) as id`
    const lost = await addDeliveries(db.sql, hook, { at: plus(AT, DAY), count: 205 })
    await db.sql`update delivery set attempts = 1 where delivery_id = any(${lost}::uuid[])`
    const { report, started } = await repair(plus(AT, MINUTE + 1))
    expect(report).toMatchObject({ unknown: 101, restarted: 205 })
    expect(new Set(started)).toEqual(new Set(lost))
  })

  it('finds once that Temporal has lost its store, also where two checks look at the same time', async () => {
    const hook = await newWebhook()
    const [waiting] = await addDeliveries(db.sql, hook, { at: AT })
    await db.sql`update delivery set started_cycle = 1`
    expect(await noteNamespace(db.sql, 'n1')).toBe(false)
    let looking: Promise<boolean>[] = []
    await db.sql.begin(async (tx) => {
      await tx`select from temporal_store for update`
      looking = [noteNamespace(db.sql, 'n2'), noteNamespace(db.sql, 'n2')]
      await someoneWaits(db.sql, 2)
    })
    expect((await Promise.all(looking)).filter(Boolean)).toHaveLength(1)
    expect(await db.sql`select delivery_id as id from delivery where started_cycle = 0`).toEqual([{ id: waiting }])
  })

  it('leaves a claim of exactly a minute ago to who holds it', async () => {
    const hook = await newWebhook()
    const [claimed] = await addDeliveries(db.sql, hook, { at: AT })
    await claimDeliveries(db.sql, ROUND, [claimed!])
    expect((await repair(plus(AT, MINUTE))).report).toMatchObject({ released: 0 })
    expect((await repair(plus(AT, MINUTE + 1))).report).toMatchObject({ released: 1 })
  })
})

describe('a shard of a round', () => {
  const slices = async ({ workspaceId }: { workspaceId: string }) => {
    const [row] = await db.sql`select uuid_hash(${workspaceId}::uuid) & 255 as slice`
    const own = slicesOf({ shard: row!.slice, of: 256 })
    return { own, others: slicesOf({ shard: 0, of: 1 }).filter((slice) => !own.includes(slice)) }
  }

  it('fails what is due on paused webhooks of its own workspaces alone', async () => {
    const hook = await newWebhook()
    await addDeliveries(db.sql, hook, { at: AT, count: 2 })
    await db.sql`update webhook set state = 'paused'`
    const { own, others } = await slices(hook)
    expect(await failPausedDue(db.sql, AT, others)).toBe(0)
    expect(await failPausedDue(db.sql, AT, own)).toBe(2)
  })

  it('counts what this round has started in its own workspaces alone', async () => {
    const hook = await newWebhook()
    const ids = await addDeliveries(db.sql, hook, { at: AT, count: 3 })
    await claimDeliveries(db.sql, ROUND, ids.slice(0, 2))
    await claimDeliveries(db.sql, { ...ROUND, roundId: 'another' }, ids.slice(2))
    const { own, others } = await slices(hook)
    expect(await startedInRound(db.sql, { ...ROUND, slices: own })).toEqual([[hook.workspaceId, 2]])
    expect(await startedInRound(db.sql, { ...ROUND, slices: others })).toEqual([])
  })

  it('claims deliveries with what people find their workflows by', async () => {
    const hook = await newWebhook()
    const ids = await addDeliveries(db.sql, hook, { at: AT, count: 3 })
    const describeEvent = (n: number, set: object) => db.sql`
      update event set ${db.sql(set as Record<string, string>)}
      where event_id = (select event_id from delivery where delivery_id = ${ids[n]!})`
    await describeEvent(0, { resources: ['gpt-5', 'openai/gpt-5'] })
    await describeEvent(1, { type: 'tos.changed', document: 'terms' })
    await describeEvent(2, { type: 'webhook.test', provider: null })
    await db.sql`update delivery set workflow_id = 'older', attempts = 2, faults = 1 where delivery_id = ${ids[2]!}`
    const claimed = await claimDeliveries(db.sql, ROUND, ids)
    const of = (n: number) => {
      const { eventId: _, ...label } = claimed.find(({ deliveryId }) => deliveryId === ids[n])!
      return label
    }
    const common = (n: number) => ({
      ...{ deliveryId: ids[n], webhookId: hook.id, webhookName: 'Orders', workspaceName: 'Acme' },
      ...{ waiting: false, grant: FIRST },
    })
    expect(of(0)).toEqual({ ...common(0), eventType: 'price.changed', provider: 'openai', subject: 'gpt-5' })
    expect(of(1)).toEqual({ ...common(1), eventType: 'tos.changed', provider: 'openai', subject: 'terms' })
    const grant = { cycle: 1, number: 3, run: 2 }
    expect(of(2)).toEqual({ ...common(2), eventType: 'webhook.test', workflowId: 'older', grant })
  })

  it('loads the fifty oldest of a webhook that fails', async () => {
    const hook = await newWebhook()
    const ids = await addDeliveries(db.sql, hook, { at: plus(AT, -HOUR), count: 51 })
    await db.sql`update webhook set failures_in_row = 1, first_failure_at = ${AT}`
    await db.sql`update delivery set due_at = ${AT} where delivery_id = ${ids[0]!}`
    const loaded = (await loadDue(db.sql, ROUND)).map(({ deliveryId }) => deliveryId)
    expect(new Set(loaded)).toEqual(new Set(ids.slice(1)))
  })

  it('takes what was not sent while paused for no failure of the endpoint, also after an attempt that failed', async () => {
    const hook = await newWebhook()
    const [id] = await addDeliveries(db.sql, hook, { at: AT })
    await openAttempt(db.sql, { deliveryId: id!, ...FIRST }, AT)
    await recordFailure(
      db.sql,
      { deliveryId: id!, ...FIRST },
      { kind: 'failed', text: 'HTTP 500', durationMs: 1 },
      plus(AT, -HOUR),
    )
    const outcome = async () => (await finishedAttempts(db.sql, [id!]))[0]!.outcome
    expect(await outcome()).toBe('failed')
    await db.sql`update webhook set state = 'paused'`
    expect(await failPausedDue(db.sql, AT)).toBe(1)
    expect(await outcome()).toBe('unclear')
  })
})
