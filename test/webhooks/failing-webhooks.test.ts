import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { HOUR, type Instant, MINUTE, plus } from '../../src/lib/instant.ts'
import { listFailingWebhooks } from '../../src/webhooks/log/list-failing-webhooks.ts'
import { findWebhook, findWebhookOfDelivery } from '../../src/webhooks/manage/find-webhook.ts'
import { countWebhooks } from '../../src/webhooks/manage/operator-store.ts'
import { workspaceOfWebhook } from '../../src/webhooks/manage/workspace-of-webhook.ts'
import { testDatabase } from '../support/database.ts'
import { addDeliveries, addWebhook } from '../support/webhooks/deliveries.ts'

const AT = '2026-11-21T10:00:00.000Z' as Instant

describe('the webhooks that operators look at after an alert', () => {
  const db = testDatabase({ each: true })
  const hookWith = async (failures: number, since: Instant | null, more = {}) => {
    const { id, workspaceId } = await addWebhook(db.sql, { url: 'https://hooks.example.com/', at: AT })
    const columns = { failures_in_row: failures, first_failure_at: since, ...more }
    await db.sql`update webhook set ${db.sql(columns)} where webhook_id = ${id}`
    return { id, workspaceId }
  }
  const attempt = (deliveryId: string, number: number, minutes: number, outcome: string) => db.sql`
    insert into attempt (delivery_id, cycle, number, started_at, finished_at, outcome, error)
    values (${deliveryId}, 1, ${number}, ${plus(AT, minutes * MINUTE)}, ${AT}, ${outcome}, ${`${outcome} ${minutes}`})`
  const paused = { state: 'paused', paused_at: AT, paused_reason: 'by hand' }

  it('are those that fail most first, then those that have failed for longer, each with its own newest failure', async () => {
    const lately = await hookWith(2, AT)
    const longer = await hookWith(2, plus(AT, -HOUR))
    const most = await hookWith(5, plus(AT, -2 * HOUR), paused)
    const quiet = await hookWith(0, null, paused)
    const healthy = await hookWith(0, null)
    const newest = new Map<string, string>()
    for (const hook of [lately, longer, most, healthy]) {
      const [older, newer] = await addDeliveries(db.sql, hook, { at: AT, count: 2 })
      newest.set(hook.id, older!)
      await attempt(newer!, 1, 1, 'failed')
      await attempt(older!, 1, 2, 'failed')
      await attempt(older!, 2, hook === longer ? 4 : 3, hook === most ? 'unknown' : 'failed')
      await attempt(newer!, 2, 5, 'succeeded')
      await attempt(newer!, 3, 6, 'platform')
    }
    const shown = (await listFailingWebhooks(db.sql)).map(({ id, deliveryId, attemptedAt, reason, pausedReason }) => [
      ...[id, deliveryId, attemptedAt, reason, pausedReason],
    ])
    expect(shown).toEqual([
      [most.id, newest.get(most.id), plus(AT, 3 * MINUTE), 'unknown 3', 'by hand'],
      [longer.id, newest.get(longer.id), plus(AT, 4 * MINUTE), 'failed 4', null],
      [lately.id, newest.get(lately.id), plus(AT, 3 * MINUTE), 'failed 3', null],
      [quiet.id, null, null, null, 'by hand'],
    ])
  })

  it('are found by their id or by that of a delivery, in whatever workspace they are', async () => {
    const hooks = [await hookWith(0, null), await hookWith(0, null)]
    const deliveries = new Map<string, string>()
    for (const hook of hooks) deliveries.set(hook.id, (await addDeliveries(db.sql, hook, { at: AT, count: 2 }))[1]!)
    await db.sql`
      update delivery set status = 'succeeded', due_at = null, finished_at = ${AT}, last_attempt_at = ${AT}
      where delivery_id = ${deliveries.get(hooks[0]!.id)!}`
    for (const hook of hooks) {
      expect(await findWebhook(db.sql, hook.id)).toEqual(hook)
      expect(await workspaceOfWebhook(db.sql, hook.id)).toBe(hook.workspaceId)
      expect(await findWebhookOfDelivery(db.sql, deliveries.get(hook.id)!)).toEqual(hook)
    }
    expect(await countWebhooks(db.sql)).toEqual({ webhooks: 2, pending: 3 })
    for (const id of ['nope', randomUUID()]) {
      await expect(findWebhook(db.sql, id)).rejects.toThrow(`There is no webhook ${id}.`)
      await expect(findWebhookOfDelivery(db.sql, id)).rejects.toThrow(`There is no delivery ${id}.`)
      expect(await workspaceOfWebhook(db.sql, id)).toBeUndefined()
    }
  })

  it('are a hundred at most', async () => {
    const { workspaceId } = await hookWith(1, AT)
    await db.sql`
      insert into webhook (workspace_id, name, url, created_at, updated_at, failures_in_row, first_failure_at)
      select ${workspaceId}, 'Crowd', 'https://hooks.example.com/', ${AT}, ${AT}, 2, ${AT} from generate_series(1, 100)`
    const shown = await listFailingWebhooks(db.sql)
    expect(shown).toHaveLength(100)
    expect(shown.every(({ failuresInRow }) => failuresInRow === 2)).toBe(true)
  })
})
