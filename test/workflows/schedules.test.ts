import type { Client } from '@temporalio/client'
import { describe, expect, it, vi } from 'vitest'
import { VERSION } from '../../src/lib/process/version.ts'
import { liveWorkers } from '../../src/monitoring/heartbeat-store.ts'
import { prepareTemporal } from '../../src/monitoring/prepare-temporal.ts'
import { assertSchedules, ensureSchedules } from '../../src/temporal/schedules.ts'
import { newNamespace } from '../monitoring/support.ts'
import { testDatabase } from '../support/database.ts'
import { localTemporal } from '../support/servers/temporal.ts'

const OURS = { checkIntervalMs: 300_000, installationId: '0197a8a0-0000-7000-8000-000000000001' }
const OTHERS = { ...OURS, installationId: '0197a8a0-0000-7000-8000-000000000002' }

describe('the schedules of an installation', () => {
  const temporal = localTemporal()
  const db = testDatabase()

  const describeCheck = (client: Client) => client.schedule.getHandle('check').describe()

  it('run a check every five minutes and retention at 03:00 UTC', async () => {
    const client = await newNamespace(temporal)
    await ensureSchedules(client, OURS)
    const check = await describeCheck(client)
    expect(check.spec.intervals).toMatchObject([{ every: 300_000 }])
    expect([check.policies.overlap, check.policies.catchupWindow]).toEqual(['SKIP', 60_000])
    const starts = { type: 'startWorkflow', taskQueue: 'checks', memo: { version: VERSION } }
    // One that is stuck ends after ten minutes, so that the next one can run.
    const limited = { workflowRunTimeout: 600_000 }
    expect(check.action).toMatchObject({ ...starts, ...limited, workflowType: 'check', workflowId: 'check' })
    expect(check.state.paused).toBe(false)
    const retention = await client.schedule.getHandle('retention').describe()
    expect(retention.spec.calendars).toMatchObject([
      { hour: [{ start: 3, end: 3 }], minute: [{ start: 0, end: 0 }], second: [{ start: 0, end: 0 }] },
    ])
    expect([retention.policies.overlap, retention.policies.catchupWindow]).toEqual(['SKIP', 12 * 3_600_000])
    expect(retention.action).toMatchObject({ ...starts, workflowType: 'retention', workflowId: 'retention' })
    expect(retention.state.paused).toBe(false)
  })

  it('are created again when they are missing, and a check runs at once', async () => {
    const client = await newNamespace(temporal)
    expect(await assertSchedules(client, OURS)).toEqual({ created: ['check', 'retention'], paused: [] })
    await vi.waitFor(async () => expect((await describeCheck(client)).info.numActionsTaken).toBe(1), 10_000)
    // Retention deletes, and runs at its hour alone.
    expect((await client.schedule.getHandle('retention').describe()).info.numActionsTaken).toBe(0)
    expect(await assertSchedules(client, OURS)).toEqual({ created: [], paused: [] })
  })

  it('stay paused where an operator paused them, when they are asserted and when the product starts again', async () => {
    const client = await newNamespace(temporal)
    await ensureSchedules(client, OURS)
    await client.schedule.getHandle('check').pause('Maintenance until noon.')
    expect(await assertSchedules(client, OURS)).toEqual({ created: [], paused: ['check'] })
    await ensureSchedules(client, { ...OURS, checkIntervalMs: 60_000 })
    const check = await describeCheck(client)
    expect(check.state).toMatchObject({ paused: true, note: 'Maintenance until noon.' })
    expect(check.spec.intervals).toMatchObject([{ every: 60_000 }])
  })

  it('are paused where the product is started so, made then or before, and no check runs at once', async () => {
    const client = await newNamespace(temporal)
    const paused = async () => [
      (await describeCheck(client)).state.paused,
      (await client.schedule.getHandle('retention').describe()).state.paused,
    ]
    await ensureSchedules(client, OURS)
    await ensureSchedules(client, OURS, true)
    expect(await paused()).toEqual([true, true])
    await client.schedule.getHandle('check').unpause()
    await ensureSchedules(client, OURS)
    expect(await paused()).toEqual([false, true])
    for (const schedule of ['check', 'retention']) await client.schedule.getHandle(schedule).delete()
    await ensureSchedules(client, OURS, true)
    expect(await paused()).toEqual([true, true])
    await client.schedule.getHandle('check').delete()
    expect(await assertSchedules(client, OURS, true)).toEqual({ created: ['check'], paused: ['retention'] })
    expect((await describeCheck(client)).info.numActionsTaken).toBe(0)
    expect(await paused()).toEqual([true, true])
  })

  it('are updated by the newest version alone: an older worker that starts later leaves them as they are', async () => {
    const client = await newNamespace(temporal)
    await ensureSchedules(client, { ...OURS, version: '1.1.0' })
    await ensureSchedules(client, { ...OURS, version: '1.2.0', checkIntervalMs: 120_000 })
    await ensureSchedules(client, { ...OURS, version: '1.1.0', checkIntervalMs: 60_000 })
    const check = await describeCheck(client)
    expect(check.spec.intervals).toMatchObject([{ every: 120_000 }])
    expect(check.action.memo).toEqual({ version: '1.2.0' })
    const retention = await client.schedule.getHandle('retention').describe()
    expect(retention.action.memo).toEqual({ version: '1.2.0' })
    await ensureSchedules(client, { ...OURS, version: '1.10.0', checkIntervalMs: 60_000 })
    expect((await describeCheck(client)).spec.intervals).toMatchObject([{ every: 60_000 }])
  })

  it('refuse a second installation in the same namespace, with one sentence that says what to do', async () => {
    const client = await newNamespace(temporal)
    await ensureSchedules(client, OURS)
    const refused = {
      name: 'OtherInstallation',
      message: expect.stringMatching(/Set TEMPORAL_NAMESPACE to a namespace/),
    }
    await expect(ensureSchedules(client, OTHERS)).rejects.toMatchObject(refused)
    await expect(assertSchedules(client, OTHERS)).rejects.toMatchObject(refused)
    expect((await describeCheck(client)).memo).toEqual({ installation: OURS.installationId })
  })

  it('are reported by a second installation that finds them, to those who look at its database', async () => {
    const client = await newNamespace(temporal)
    await ensureSchedules(client, OTHERS)
    const { connection } = temporal.env
    const ours = { sql: db.sql, connection, temporal: client, checkIntervalMs: 300_000 }
    await expect(prepareTemporal(ours as never)).rejects.toMatchObject({ name: 'OtherInstallation' })
    const [report] = await liveWorkers(db.sql)
    expect(report!.conditions).toMatchObject([{ code: 'two_installations' }])
  })

  it('let one of two installations have a namespace when both start at once', async () => {
    const client = await newNamespace(temporal)
    const starts = await Promise.allSettled([ensureSchedules(client, OURS), ensureSchedules(client, OTHERS)])
    expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('are refused where the schedule of checks names no installation', async () => {
    const client = await newNamespace(temporal)
    await ensureSchedules(client, OURS)
    const handle = client.schedule.getHandle('check')
    const { action } = await handle.describe()
    await handle.delete()
    await client.schedule.create({ scheduleId: 'check', spec: {}, action: { ...action, args: [] } as never })
    await expect(ensureSchedules(client, OURS)).rejects.toThrow('another installation of Pricetape (one without an id;')
  })
})
