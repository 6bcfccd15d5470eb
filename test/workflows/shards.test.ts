import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { instantOf, plus } from '../../src/lib/instant.ts'
import { ensureSearchAttributes } from '../../src/temporal/search-attributes.ts'
import { testDatabase } from '../support/database.ts'
import { localTemporal } from '../support/servers/temporal.ts'
import { addDeliveries, addWebhook } from '../support/webhooks/deliveries.ts'
import { deliverySystem } from '../support/webhooks/delivery-system.ts'

describe('the round of a check', () => {
  const db = testDatabase()
  const temporal = localTemporal()
  const system = deliverySystem(db, temporal, { PRICETAPE_ROUND_SHARDS: '8' })

  async function due(workspaces: number, url = system.receiver.url) {
    const at = instantOf(Date.now() - 1_000)
    const hooks = []
    for (let n = 0; n < workspaces; n++) {
      const hook = await addWebhook(db.sql, { url, at })
      await addDeliveries(db.sql, hook, { count: 2, at })
      hooks.push(hook)
    }
    return hooks
  }
  async function check() {
    const workflowId = `check/${randomUUID()}`
    const handle = await system.client.workflow.start('check', { taskQueue: system.queues.checks, workflowId })
    const report = await handle.result()
    const { events } = await handle.fetchHistory()
    const scheduled = events!.flatMap(({ activityTaskScheduledEventAttributes: activity, userMetadata }) =>
      activity ? [{ name: activity.activityType!.name, summary: String(userMetadata?.summary?.data ?? '') }] : [],
    )
    const shown = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata')
    return { report, scheduled, details: shown.currentDetails }
  }

  it('is one activity for each shard with something due, named for operators, and one line sums them', async () => {
    const hooks = await due(6)
    const [row] = await db.sql`
      select array_agg(distinct (uuid_hash(workspace_id) & 255) % 8 order by (uuid_hash(workspace_id) & 255) % 8) as shards
      from unnest(${hooks.map(({ workspaceId }) => workspaceId)}::uuid[]) as workspace_id`
    const { report, scheduled, details } = await check()
    expect(report.delivered).toMatchObject({ started: 12, succeeded: 12, failed: 0, cutShort: 0 })
    const names = scheduled.filter(({ name }) => name === 'deliverDue').map(({ summary }) => JSON.parse(summary))
    expect(names.sort()).toEqual(row!.shards.map((shard: number) => `shard ${shard} of 8`))
    expect(details).toMatch(/^Done\.$/m)
    expect(details).toContain(
      `**Round** in ${names.length} of 8 shards. Of those that ended: 12 started, 12 succeeded, 0 failed, 0 unclear, 0 not sent.`,
    )
  })

  it('starts no shard where nothing is due', async () => {
    const { report, scheduled } = await check()
    expect(report.delivered).toMatchObject({ started: 0 })
    expect(scheduled.map(({ name }) => name).filter((name) => name === 'deliverDue' || name === 'dueShards')).toEqual([
      'dueShards',
    ])
  })

  it('sends what becomes due in a shard that was over, while another still runs', async () => {
    const [first] = await due(1)
    const shardOf = async (workspaceId: string) =>
      (await db.sql`select (uuid_hash(${workspaceId}::uuid) & 255) % 8 as shard`)[0]!.shard
    let slow = first!
    while ((await shardOf(slow.workspaceId)) === (await shardOf(first!.workspaceId)))
      [slow] = (await due(1, `${system.receiver.url}/slow`)) as [typeof slow]
    await addDeliveries(db.sql, slow, { count: 20, at: instantOf(Date.now() - 1_000) })
    system.receiver.answer(({ path }) => ({ delayMs: path.includes('slow') ? 2_000 : 0 }))
    const earlier = system.receiver.requests.length
    const checking = check()
    await system.eventually(async () => expect(system.receiver.requests.length).toBeGreaterThan(earlier + 3))
    await addDeliveries(db.sql, first!, { at: plus(instantOf(Date.now()), 500) })
    const { report } = await checking
    system.receiver.answer({ status: 200 })
    const [row] = await db.sql`select count(*)::int as left from delivery where status <> 'succeeded'`
    expect(row).toEqual({ left: 0 })
    expect(report.delivered!.started).toBe(system.receiver.requests.length - earlier)
  }, 90_000)

  it('leaves deliveries that an operator finds in the list as documented: succeeded at once, and waiting for a retry', async () => {
    const { connection } = temporal.env
    await ensureSearchAttributes(connection, 'default')
    system.receiver.answer(({ path }) => ({ status: path.includes('dead') ? 500 : 200 }))
    const [good, dead] = [...(await due(1)), ...(await due(1, `${system.receiver.url}/dead`))]
    await check()
    const list = async (query: string) => {
      let count = 0
      for await (const _ of system.client.workflow.list({ query })) count += 1
      return count
    }
    const of = (hook: { id: string }) => `WorkflowType="delivery" and WebhookId="${hook.id}"`
    await system.eventually(async () => {
      expect(await list(`${of(good!)} and ExecutionStatus="Completed" and DeliveryStatus is null`)).toBe(2)
      expect(await list(`${of(dead!)} and DeliveryStatus="retrying"`)).toBe(2)
      expect(await list(`${of(dead!)} and DeliveryStatus is null`)).toBe(0)
    })
    system.receiver.answer({ status: 200 })
  })
})
