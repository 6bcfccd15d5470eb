import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Instant } from '../../src/lib/instant.ts'
import { deleteCheckRunsBefore, insertCheckRun, newestCheckRun } from '../../src/monitoring/check-run-store.ts'
import { countWaiting } from '../../src/monitoring/count-waiting.ts'
import { deleteHeartbeat, liveWorkers, recordHeartbeat } from '../../src/monitoring/heartbeat-store.ts'
import { ensureInstallationId, installedAt } from '../../src/monitoring/installation-store.ts'
import { createMetrics } from '../../src/monitoring/metrics/metrics.ts'
import { lastCount, oldestUnmatched } from '../../src/monitoring/waiting-store.ts'
import { testDatabase } from '../support/database.ts'
import { footprint } from '../support/footprint.ts'
import { addDeliveries } from '../support/webhooks/deliveries.ts'
import { addWebhook, addWorkspace } from '../support/webhooks/subscriptions.ts'

describe('what is counted of deliveries that wait', () => {
  const db = testDatabase({ each: true })
  const ago = (ms: number) => new Date(Date.now() - ms).toISOString() as Instant
  const MINUTE = 60_000

  /** A webhook with deliveries that are due for so long; those of the future are later. */
  async function hook(workspaceId: string, dueForMs: number[], columns: object = {}) {
    const id = await addWebhook(db.sql, workspaceId)
    for (const ms of dueForMs) await addDeliveries(db.sql, { workspaceId, id }, { at: ago(ms) })
    if (Object.keys(columns).length > 0) await db.sql`update webhook set ${db.sql(columns)} where webhook_id = ${id}`
    return id
  }

  it('is what is due, later, paused or being sent, and the workspaces that wait although their endpoints work', async () => {
    const [one, two, three] = [await addWorkspace(db.sql), await addWorkspace(db.sql), await addWorkspace(db.sql)]
    const busy = await hook(one, [10 * MINUTE, 2 * MINUTE, -5 * MINUTE])
    await hook(one, [9 * MINUTE, 3 * MINUTE])
    await hook(two, [60 * MINUTE], { failures_in_row: 1 })
    await hook(two, [50 * MINUTE, -50 * MINUTE], { state: 'paused', paused_at: ago(0) })
    await hook(three, [8 * MINUTE])
    const [sent] = await addDeliveries(db.sql, { workspaceId: one, id: busy }, { at: ago(90 * MINUTE) })
    const [ended] = await addDeliveries(db.sql, { workspaceId: one, id: busy }, { at: ago(90 * MINUTE) })
    await db.sql`update delivery set claimed_at = now() where delivery_id = ${sent!}`
    await db.sql`update delivery set status = 'succeeded', due_at = null where delivery_id = ${ended!}`
    expect(await countWaiting(db.sql)).toBe(true)
    const count = (await lastCount(db.sql))!
    expect(count).toMatchObject({ due: 6, later: 2, paused: 1, inFlight: 1, workspaces: 3, lateWorkspaces: 1 })
    expect(Math.round((Date.now() - Date.parse(count.oldestDueAt!)) / MINUTE)).toBe(10)
    expect(Math.round(count.oldestDueSeconds / 60)).toBe(10)
  })

  it('is zero where nothing waits', async () => {
    await countWaiting(db.sql)
    expect(await lastCount(db.sql)).toMatchObject({
      ...{ due: 0, later: 0, paused: 0, inFlight: 0, workspaces: 0, lateWorkspaces: 0, oldestDueSeconds: 0 },
      oldestDueAt: undefined,
    })
  })

  it('is counted again after 15 seconds, or 20 times as long as it took but within two minutes, and holds for five', async () => {
    expect(await lastCount(db.sql)).toBeUndefined()
    expect([await countWaiting(db.sql), await countWaiting(db.sql)]).toEqual([true, false])
    const counted = async (seconds: number, tookMs: number) => {
      await db.sql`
        update waiting_deliveries
        set counted_at = clock_timestamp() - ${seconds} * interval '1 s', took_ms = ${tookMs}`
      return countWaiting(db.sql)
    }
    expect([await counted(5, 0), await counted(16, 0)]).toEqual([false, true])
    expect([await counted(30, 2_000), await counted(41, 2_000)]).toEqual([false, true])
    expect([await counted(100, 60_000), await counted(121, 60_000)]).toEqual([false, true])
    // A clock that was ahead must not keep it from being counted.
    expect([await counted(-50, 0), await counted(-90, 0)]).toEqual([false, true])
    const shown = async (seconds: number) => {
      await db.sql`update waiting_deliveries set counted_at = clock_timestamp() - ${seconds} * interval '1 s'`
      return (await lastCount(db.sql)) !== undefined
    }
    expect([await shown(280), await shown(301)]).toEqual([true, false])
  })

  it('has the oldest change that was not matched with webhooks yet', async () => {
    expect(await oldestUnmatched(db.sql)).toBeUndefined()
    const event = { type: 'price.changed', provider: 'acme', body: '{}' }
    const [first, second] = [ago(3 * MINUTE), ago(2 * MINUTE)]
    await db.sql`insert into event ${db.sql([
      { ...event, seq: 3, event_id: 'c', eligible_at: second, matched_at: null },
      { ...event, seq: 1, event_id: 'a', eligible_at: ago(9 * MINUTE), matched_at: ago(0) },
      { ...event, seq: 2, event_id: 'b', eligible_at: first, matched_at: null },
    ])}`
    expect(await oldestUnmatched(db.sql)).toBe(first)
  })
})

describe('what processes and checks leave for others to read', () => {
  const db = testDatabase({ each: true })
  const at = (seconds: number) => db.sql`clock_timestamp() + ${seconds} * interval '1 s'`

  it('is a heartbeat of each process with workers, by its id, that counts for a while', async () => {
    const workers = ['b', 'a', 'c'].map((letter) => ({
      ...{ workerId: `${letter.repeat(8)}-0000-7000-8000-000000000000`, host: `host ${letter}`, processId: 7 },
    }))
    for (const worker of workers) await recordHeartbeat(db.sql, worker, [])
    const away = { code: 'temporal_away', message: 'Temporal does not answer.' } as const
    await recordHeartbeat(db.sql, workers[0]!, [away])
    const live = async () => (await liveWorkers(db.sql)).map(({ host, conditions }) => [host, conditions.length])
    expect(await live()).toEqual([
      ['host a', 0],
      ['host b', 1],
      ['host c', 0],
    ])
    await deleteHeartbeat(db.sql, workers[2]!.workerId)
    expect(await live()).toHaveLength(2)
    const seen = (seconds: number) =>
      db.sql`update worker_heartbeat set seen_at = ${at(seconds)} where worker_id = ${workers[1]!.workerId}`
    for (const [seconds, count] of [
      [-35, 2],
      [-46, 1],
      [4, 2],
      [30, 1],
    ] as const) {
      await seen(seconds)
      expect([seconds, await live()]).toEqual([seconds, expect.objectContaining({ length: count })])
    }
    // Those that ended a day ago, or will be an hour from now, are forgotten with the next heartbeat.
    for (const [seconds, left] of [
      [-86_300, 2],
      [3_500, 2],
      [-86_401, 1],
    ] as const) {
      await seen(seconds)
      await recordHeartbeat(db.sql, workers[0]!, [])
      expect(await db.sql`select from worker_heartbeat`).toHaveLength(left)
    }
    await recordHeartbeat(db.sql, workers[1]!, [])
    await seen(3_700)
    await recordHeartbeat(db.sql, workers[0]!, [])
    expect(await db.sql`select from worker_heartbeat`).toHaveLength(1)
  })

  it('is each check once, the newest of which is shown, and none of the future', async () => {
    expect(await newestCheckRun(db.sql)).toBeUndefined()
    await insertCheckRun(db.sql, { runId: 'first', durationMs: 2_500, problems: ['p'] })
    // Both may end in one millisecond.
    await db.sql`update check_run set started_at = started_at - interval '5 s', finished_at = finished_at - interval '5 s'`
    await insertCheckRun(db.sql, { runId: 'second', durationMs: 0, problems: [] })
    await insertCheckRun(db.sql, { runId: 'first', durationMs: 0, problems: [] })
    const shown = async () => (await newestCheckRun(db.sql))?.runId
    expect(await shown()).toBe('second')
    await db.sql`update check_run set finished_at = ${at(-9)} where run_id = 'second'`
    expect(await newestCheckRun(db.sql)).toMatchObject({ runId: 'first', problems: ['p'] })
    const [run] = await db.sql`
      select extract(epoch from finished_at - started_at)::float8 as seconds from check_run where run_id = 'first'`
    expect(run).toEqual({ seconds: 2.5 })
    await db.sql`update check_run set finished_at = ${at(60)} where run_id = 'first'`
    expect(await shown()).toBe('second')
    await insertCheckRun(db.sql, { runId: randomUUID(), durationMs: 0, problems: [] })
    expect((await db.sql`select from check_run where run_id = 'first'`).length).toBe(0)
  })

  it('is each check also where many end within a few milliseconds, rounded to none of the future', async () => {
    for (let n = 0; n < 60; n++) await insertCheckRun(db.sql, { runId: `${n}`, durationMs: 0, problems: [] })
    expect(await db.sql`select from check_run`).toHaveLength(60)
  })

  it('is forgotten up to an instant, a few at once', async () => {
    const cutoff = '2026-11-21T10:00:00.000Z' as Instant
    await db.sql`
      insert into check_run (run_id, started_at, finished_at, problems) values
      ('older', '2026-11-01', '2026-11-01', '{}'), ('old', ${cutoff}, ${cutoff}, '{}'),
      ('kept', '2026-11-01', '2026-11-21T10:00:00.001Z', '{}')`
    expect(await footprint(db.sql, (sql) => deleteCheckRunsBefore(sql, cutoff, 9))).toEqual(['check_run: removed ×2'])
    expect(await deleteCheckRunsBefore(db.sql, cutoff, 1)).toBe(1)
    expect(await deleteCheckRunsBefore(db.sql, cutoff, 1)).toBe(1)
    expect(await deleteCheckRunsBefore(db.sql, cutoff, 1)).toBe(0)
  })

  it('is one id of the installation, made once', async () => {
    expect(await installedAt(db.sql)).toBeUndefined()
    const id = await ensureInstallationId(db.sql)
    const since = await installedAt(db.sql)
    expect([await ensureInstallationId(db.sql), await installedAt(db.sql)]).toEqual([id, since])
    expect(Date.now() - Date.parse(since!)).toBeLessThan(60_000)
  })
})

describe('counts of a process that has just started', () => {
  it('begin at 0 where an alert watches their increase', async () => {
    const text = await createMetrics('worker').registry.metrics()
    for (const result of ['succeeded', 'failed', 'platform', 'unknown'])
      expect(text).toContain(`pricetape_attempts_total{result="${result}"} 0`)
    for (const result of ['ok', 'problems']) expect(text).toContain(`pricetape_checks_total{result="${result}"} 0`)
  })
})
