import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '@temporalio/client'
import { pino } from 'pino'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { connect } from '../../src/lib/sql.ts'
import { liveWorkers } from '../../src/monitoring/heartbeat-store.ts'
import { ensureInstallationId } from '../../src/monitoring/installation-store.ts'
import { createMetrics } from '../../src/monitoring/metrics/metrics.ts'
import { recordCheckRun } from '../../src/monitoring/record-check-run.ts'
import { type Watch, watchWork } from '../../src/monitoring/watch-work.ts'
import { lazyConnection } from '../../src/temporal/connect.ts'
import { ensureSchedules } from '../../src/temporal/schedules.ts'
import { testDatabase } from '../support/database.ts'
import { freePort } from '../support/servers/ports.ts'
import { localTemporal } from '../support/servers/temporal.ts'
import { newNamespace } from './support.ts'

describe('watching the work of an installation', () => {
  const db = testDatabase({ each: true })
  const temporal = localTemporal()
  let watch: Watch | undefined
  const lines: { level: number; msg: string; codes?: string[] }[] = []
  const log = pino(
    { level: 'info' },
    new Writable({
      write(chunk, _, done) {
        lines.push(JSON.parse(String(chunk)))
        done()
      },
    }),
  )
  afterEach(async () => {
    await watch?.[Symbol.asyncDispose]()
    lines.length = 0
  })

  it('logs once that Temporal does not answer, reports it to every node, and leaves no heartbeat', async () => {
    const installationId = await ensureInstallationId(db.sql)
    const connection = lazyConnection({ connection: { address: `127.0.0.1:${await freePort()}` } })
    const client = new Client({ connection })
    const schedules = { checkIntervalMs: 300_000, installationId }
    watch = watchWork({ sql: db.sql, log, client, connection, schedules, everyMs: 100, answerWithinMs: 2_000 })
    await vi.waitFor(() => expect(lines.at(-1)?.codes).toContain('temporal_away'), 40_000)
    expect(await liveWorkers(db.sql)).toMatchObject([{ conditions: [{ code: 'temporal_away' }] }])
    await watch[Symbol.asyncDispose]()
    // A stop waits two seconds for a look that is under way, which then goes on.
    await expect.poll(() => liveWorkers(db.sql)).toEqual([])
    expect(lines.filter(({ msg }) => msg.includes('Temporal does not answer'))).toHaveLength(1)
    await connection.close()
  })

  it('looks once in the time that it is given', async () => {
    const client = await newNamespace(temporal)
    const { connection } = temporal.env
    const schedules = { checkIntervalMs: 300_000, installationId: await ensureInstallationId(db.sql) }
    await ensureSchedules(client, schedules)
    watch = watchWork({ sql: db.sql, log, client, connection, schedules, everyMs: 60_000 })
    await expect.poll(() => liveWorkers(db.sql)).toHaveLength(1)
    const [first] = await liveWorkers(db.sql)
    await sleep(1_000)
    expect(await liveWorkers(db.sql)).toEqual([first])
  })

  it('logs once that a part has stopped, and once that it works again', async () => {
    const client = await newNamespace(temporal)
    const { connection } = temporal.env
    const schedules = { checkIntervalMs: 300_000, installationId: await ensureInstallationId(db.sql) }
    await ensureSchedules(client, schedules)
    await recordCheckRun(db.sql, { runId: randomUUID(), durationMs: 0, problems: [] })
    const sql = connect(db.url, { max: 3, name: 'watched' })
    /** For the sessions that begin from here on, which all of them then do. */
    const setReadOnly = async (setting: 'on' | 'off') => {
      await db.sql.unsafe(`alter database ${db.name} set default_transaction_read_only = ${setting}`)
      await db.sql`select pg_terminate_backend(pid) from pg_stat_activity
                   where application_name = 'watched' and datname = ${db.name}`
    }
    const metrics = createMetrics('worker')
    const shown = async () => {
      const { values } = await metrics.conditions.get()
      return values.find(({ labels }) => labels.code === 'database_read_only')?.value
    }
    await setReadOnly('on')
    watch = watchWork({ sql, log, client, connection, schedules, metrics, everyMs: 100 })
    await vi.waitFor(() => expect(lines.at(-1)?.codes).toContain('database_read_only'), 20_000)
    await expect.poll(shown).toBe(1)
    await setReadOnly('off')
    await vi.waitFor(() => expect(lines.at(-1)?.msg).toBe('Ready again.'), 20_000)
    await expect.poll(shown).toBe(0)
    await watch[Symbol.asyncDispose]()
    await sql.end()
    const readOnly = lines.filter(({ codes }) => codes?.includes('database_read_only'))
    expect(readOnly.map(({ msg }) => msg.slice(0, 38))).toEqual(['Not ready. The database is read-only. '])
  })

  it.each([false, true])('checks soon after Temporal lost its data, unless checks are paused (%s)', async (paused) => {
    const client = await newNamespace(temporal)
    const installationId = await ensureInstallationId(db.sql)
    const { connection } = temporal.env
    const schedules = { checkIntervalMs: 300_000, installationId }
    watch = watchWork({ sql: db.sql, log, client, connection, schedules, paused, everyMs: 100 })
    const triggered = async () => (await client.schedule.getHandle('check').describe()).info.numActionsTaken
    if (!paused) return expect.poll(() => triggered().catch(() => 0), { timeout: 30_000 }).toBeGreaterThan(0)
    const lookedAt = new Set<string>()
    await expect
      .poll(
        async () => {
          for (const { seenAt } of await liveWorkers(db.sql)) lookedAt.add(seenAt)
          return lookedAt.size
        },
        { timeout: 30_000 },
      )
      .toBeGreaterThan(5)
    expect(await triggered()).toBe(0)
  })

  it('ends the workers when another installation has the namespace, and says so to every node', async () => {
    const client = await newNamespace(temporal)
    await ensureSchedules(client, { checkIntervalMs: 300_000, installationId: randomUUID() })
    const installationId = await ensureInstallationId(db.sql)
    const { connection } = temporal.env
    watch = watchWork({
      ...{ sql: db.sql, log, client, connection, everyMs: 100 },
      schedules: { checkIntervalMs: 300_000, installationId },
    })
    await expect(watch.failed).rejects.toThrow(/belongs to another installation of Pricetape/)
    expect(await liveWorkers(db.sql)).toMatchObject([{ conditions: [{ code: 'two_installations' }] }])
  })
})
