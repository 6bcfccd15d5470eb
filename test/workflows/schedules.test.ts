import type { Client } from '@temporalio/client'
import { describe, expect, it, vi } from 'vitest'
import { assertSchedules, ensureSchedules } from '../../src/temporal/schedules.ts'
import { newNamespace } from '../monitoring/support.ts'
import { localTemporal } from '../support/servers/temporal.ts'

const OURS = { checkIntervalMs: 300_000, installationId: '0197a8a0-0000-7000-8000-000000000001' }
const OTHERS = { ...OURS, installationId: '0197a8a0-0000-7000-8000-000000000002' }

describe('the schedules of an installation', () => {
  const temporal = localTemporal()

  const describeCheck = (client: Client) => client.schedule.getHandle('check').describe()

  it('run a check every five minutes and retention at 03:00 UTC', async () => {
    const client = await newNamespace(temporal)
    await ensureSchedules(client, OURS)
    const check = await describeCheck(client)
    expect(check.spec.intervals).toMatchObject([{ every: 300_000 }])
    expect([check.policies.overlap, check.policies.catchupWindow]).toEqual(['SKIP', 60_000])
    const retention = await client.schedule.getHandle('retention').describe()
    expect(retention.spec.calendars?.[0]?.hour).toMatchObject([{ start: 3 }])
  })

  it('are created again when they are missing, and a check runs at once', async () => {
    const client = await newNamespace(temporal)
    expect(await assertSchedules(client, OURS)).toEqual({ created: ['check', 'retention'], paused: [] })
    await vi.waitFor(async () => expect((await describeCheck(client)).info.numActionsTaken).toBe(1), 10_000)
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
