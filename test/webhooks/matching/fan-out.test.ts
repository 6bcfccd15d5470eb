import { beforeEach, describe, expect, it } from 'vitest'
import { deleteGroup } from '../../../src/aliases/delete-group.ts'
import { saveGroup } from '../../../src/aliases/save-group.ts'
import type { EventDraft } from '../../../src/events/schema.ts'
import { editWebhook } from '../../../src/webhooks/manage/edit-webhook.ts'
import { matchEvents } from '../../../src/webhooks/matching/match-events.ts'
import { testDatabase } from '../../support/database.ts'
import { someoneWaits } from '../../support/locks.ts'
import {
  addProviders,
  addWebhook,
  addWorkspace,
  matchAll,
  operator,
  receivers,
  record,
  tools,
} from '../../support/webhooks/subscriptions.ts'

const NOW = '2027-01-01T00:00:00.000Z' as never
const m1 = { provider: 'acme', resource: 'm1' }
const change = (resource = 'm1', provider = 'acme'): EventDraft => ({
  type: 'price.changed',
  provider,
  payload: { resource },
  resources: [resource],
  members: [resource],
})

describe('fan-out', () => {
  const db = testDatabase({ each: true })
  let workspace = ''
  beforeEach(async () => {
    await addProviders(db.sql, ['acme', 'resale'])
    workspace = await addWorkspace(db.sql)
  })
  const matched = async (eventId: string | undefined) => {
    await matchAll(db.sql)
    return receivers(db.sql, eventId!)
  }

  it('makes deliveries that are due now, in the workspace of the webhook', async () => {
    const hook = await addWebhook(db.sql, workspace, { providers: ['acme'] })
    const [event] = await record(db.sql, change())
    expect(await matchEvents(db.sql, { now: NOW })).toEqual({ events: 1, deliveries: 1 })
    const rows = await db.sql`
      select webhook_id, workspace_id, status, due_at, created_at, attempts from delivery where event_id = ${event!}`
    expect([...rows]).toEqual([
      { webhook_id: hook, workspace_id: workspace, status: 'pending', due_at: NOW, created_at: NOW, attempts: 0 },
    ])
  })

  it('matches every event once, however many run at once', async () => {
    const hook = await addWebhook(db.sql, workspace, { providers: ['resale'] })
    const events = await record(db.sql, ...Array.from({ length: 40 }, () => change('x', 'resale')))
    const runs = await Promise.all(Array.from({ length: 6 }, () => matchEvents(db.sql, { now: NOW, limit: 10 })))
    await matchAll(db.sql)
    expect(runs.reduce((sum, run) => sum + (run?.events ?? 0), 0)).toBeLessThanOrEqual(40)
    for (const event of events) expect([...(await receivers(db.sql, event)).keys()]).toEqual([hook])
    expect(await matchEvents(db.sql, { now: NOW })).toBeUndefined()
  })

  it('takes events in commit order', async () => {
    await addWebhook(db.sql, workspace, { providers: ['resale'] })
    const [first, second] = await record(db.sql, change('a', 'resale'), change('b', 'resale'))
    await matchEvents(db.sql, { now: NOW, limit: 1 })
    expect((await receivers(db.sql, first!)).size).toBe(1)
    expect((await receivers(db.sql, second!)).size).toBe(0)
    await matchAll(db.sql)
  })

  it('receives only what is published after it was created', async () => {
    const [before] = await record(db.sql, change())
    const hook = await addWebhook(db.sql, workspace)
    const [after] = await record(db.sql, change())
    expect((await matched(before)).has(hook)).toBe(false)
    expect((await matched(after)).has(hook)).toBe(true)
  })

  it('matches an event with the webhook as it stood at its eligibleAt: an edit affects later events only', async () => {
    const hook = await addWebhook(db.sql, workspace, { filters: { acme: { resources: ['m1'] } } })
    const [before] = await record(db.sql, change('m1'))
    const ref = { workspaceId: workspace, id: hook }
    await editWebhook(operator(db.sql), tools, ref, { filters: { acme: { resources: ['m2'] } } })
    const [old, wanted] = await record(db.sql, change('m1'), change('m2'))
    expect((await matched(before)).has(hook)).toBe(true)
    expect((await matched(old)).has(hook)).toBe(false)
    expect((await matched(wanted)).has(hook)).toBe(true)
  })

  it('matches an event of the instant of an edit with the edited webhook alone, and one of its creation too', async () => {
    const hook = await addWebhook(db.sql, workspace, { filters: { acme: { resources: ['m1'] } } })
    const ref = { workspaceId: workspace, id: hook }
    await editWebhook(operator(db.sql), tools, ref, { filters: { acme: { resources: ['m2'] } } })
    const [created, old, wanted] = await record(db.sql, change('m1'), change('m1'), change('m2'))
    const at = (edge: 'min' | 'max', events: (string | undefined)[]) => db.sql`
      update event set eligible_at = (select ${db.sql(edge)}(valid_from) from webhook_version where webhook_id = ${hook})
      where event_id = any (${events as string[]})`
    await at('min', [created])
    await at('max', [old, wanted])
    await matchAll(db.sql)
    const sent = await Promise.all(
      [created, old, wanted].map(async (event) => (await receivers(db.sql, event!)).has(hook)),
    )
    expect(sent).toEqual([true, false, true])
  })

  it('matches with the groups as their members stood at its eligibleAt', async () => {
    const { id } = await saveGroup(db.sql, { name: 'g1', members: [m1], actor: 'test' })
    const hook = await addWebhook(db.sql, workspace, { aliases: [id] })
    const [member] = await record(db.sql, change('m1'))
    await saveGroup(db.sql, { id, name: 'g1', members: [{ ...m1, resource: 'm2' }], actor: 'test' })
    const [left, joined] = await record(db.sql, change('m1'), change('m2'))
    expect((await matched(member)).has(hook)).toBe(true)
    expect((await matched(left)).has(hook)).toBe(false)
    expect((await matched(joined)).has(hook)).toBe(true)
  })

  it('matches an event of the instant at which a member joins or leaves with the group as it is then', async () => {
    const { id } = await saveGroup(db.sql, { name: 'g4', members: [m1], actor: 'test' })
    const hook = await addWebhook(db.sql, workspace, { aliases: [id] })
    await saveGroup(db.sql, { id, name: 'g4', members: [{ ...m1, resource: 'm2' }], actor: 'test' })
    const [left, joined] = await record(db.sql, change('m1'), change('m2'))
    await db.sql`
      update event set eligible_at = (select joined_at from alias_member where group_id = ${id} and resource = 'm2')
      where event_id = any (${[left!, joined!]})`
    expect((await matched(left)).has(hook)).toBe(false)
    expect((await matched(joined)).has(hook)).toBe(true)
  })

  it('covers a provider that starts selling the resource of a group later (rule 6)', async () => {
    const { id } = await saveGroup(db.sql, { name: 'g2', members: [m1], actor: 'test' })
    const hook = await addWebhook(db.sql, workspace, { aliases: [id] })
    await addProviders(db.sql, ['later'])
    await saveGroup(db.sql, { id, name: 'g2', members: [m1, { provider: 'later', resource: 'm1' }], actor: 'test' })
    const [sold] = await record(db.sql, change('m1', 'later'))
    expect((await matched(sold)).has(hook)).toBe(true)
  })

  it('sends the removals that the deletion of a group causes to webhooks that list it, and nothing after (rule 9)', async () => {
    const { id } = await saveGroup(db.sql, { name: 'g3', members: [m1], actor: 'test' })
    const hook = await addWebhook(db.sql, workspace, { aliases: [id] })
    await deleteGroup(db.sql, { id, actor: 'test' })
    const [later] = await record(db.sql, change('m1'))
    expect((await matched(later)).has(hook)).toBe(false)
    const types = await db.sql`
      select e.type, e.body::json -> 'groupDeleted' as deleted from delivery d join event e using (event_id)
      where d.webhook_id = ${hook}`
    expect([...types]).toEqual([{ type: 'alias.member_removed', deleted: true }])
  })

  it('names the first matching group in the webhook’s own order, and sends one delivery', async () => {
    const b = await saveGroup(db.sql, { name: 'bbb', members: [m1], actor: 'test' })
    const a = await saveGroup(db.sql, { name: 'aaa "quoted" – ü', members: [m1], actor: 'test' })
    const hook = await addWebhook(db.sql, workspace, { aliases: ['bbb', a.id] })
    const turned = await addWebhook(db.sql, workspace, { aliases: [a.id, b.id] })
    const [event] = await record(db.sql, change('m1'))
    const got = await matched(event)
    expect(JSON.parse(got.get(hook)!)).toEqual({ id: b.id, name: 'bbb' })
    expect(got.get(turned)).toBe(`{"id":"${a.id}","name":"aaa \\"quoted\\" – ü"}`)
  })

  it('makes deliveries for a paused webhook too: what becomes of them is decided when they are due', async () => {
    const hook = await addWebhook(db.sql, workspace)
    await db.sql`update webhook set state = 'paused', paused_at = ${NOW} where webhook_id = ${hook}`
    const [event] = await record(db.sql, change())
    expect((await matched(event)).has(hook)).toBe(true)
  })

  describe('with many webhooks', () => {
    const SOME = { now: NOW, pairs: 3 }
    const parts = async (task = SOME) => {
      const made: number[] = []
      for (let done = await matchEvents(db.sql, task); done; done = await matchEvents(db.sql, task))
        made.push(done.deliveries)
      return made
    }
    const addWebhooks = (count: number) =>
      Promise.all(Array.from({ length: count }, () => addWebhook(db.sql, workspace)))

    it('meets a part of them in each transaction, and every one once', async () => {
      const hooks = await addWebhooks(8)
      const [first, second] = await record(db.sql, change(), change())
      expect(await matchEvents(db.sql, SOME)).toEqual({ events: 0, deliveries: 3 })
      expect(await matchEvents(db.sql, SOME)).toEqual({ events: 0, deliveries: 3 })
      expect(await matchEvents(db.sql, SOME)).toEqual({ events: 1, deliveries: 2 })
      expect(await parts()).toEqual([3, 3, 2])
      for (const event of [first, second])
        expect(new Set((await receivers(db.sql, event!)).keys())).toEqual(new Set(hooks))
    })

    it('goes on after the last part when a worker is killed in the next one', async () => {
      const hooks = await addWebhooks(8)
      const [event] = await record(db.sql, change())
      await matchEvents(db.sql, SOME)
      await db.sql.begin(async (tx) => {
        // The foreign key of a delivery waits for this lock.
        await tx`select from webhook where webhook_id = any (${hooks}) for update`
        const killed = matchEvents(db.sql, SOME)
        killed.catch(() => {})
        await someoneWaits(db.sql)
        await db.sql`select pg_terminate_backend(pid) from pg_stat_activity
                     where wait_event_type = 'Lock' and datname = current_database()`
        await expect(killed).rejects.toThrow()
      })
      expect((await receivers(db.sql, event!)).size).toBe(3)
      expect(await parts()).toEqual([3, 2])
      expect(new Set((await receivers(db.sql, event!)).keys())).toEqual(new Set(hooks))
    })

    it('makes no delivery twice where workers, also of 1.0.0, match beside each other and webhooks come and go', async () => {
      const hooks = await addWebhooks(12)
      const events = await record(db.sql, ...Array.from({ length: 6 }, () => change()))
      const [later] = await Promise.all([
        addWebhooks(5),
        db.sql`delete from webhook where webhook_id = ${hooks[7]!}`,
        ...Array.from({ length: 4 }, () => parts()),
        // As 1.0.0 matched: every webhook at once.
        parts({ now: NOW, pairs: 100_000 }),
      ])
      const kept = new Set(hooks.filter((hook) => hook !== hooks[7]))
      for (const event of events) expect(new Set((await receivers(db.sql, event)).keys())).toEqual(kept)
      expect(later).toHaveLength(5)
      const [row] = await db.sql`select count(*)::integer as count from event where matched_at is null`
      expect(row).toEqual({ count: 0 })
    })
  })

  it('goes on when webhooks are deleted while it matches', async () => {
    const others = await addWorkspace(db.sql)
    await addWebhook(db.sql, workspace)
    const hooks = await Promise.all(Array.from({ length: 10 }, () => addWebhook(db.sql, others)))
    const events = await record(db.sql, ...Array.from({ length: 30 }, () => change()))
    const deleting = (async () => {
      for (const hook of hooks) await db.sql`delete from webhook where webhook_id = ${hook}`
    })()
    await Promise.all([deleting, matchAll(db.sql), matchAll(db.sql)])
    await matchAll(db.sql)
    const [row] = await db.sql`select count(*)::integer as unmatched from event where matched_at is null`
    expect(row).toEqual({ unmatched: 0 })
    expect((await receivers(db.sql, events[29]!)).size).toBeGreaterThan(0)
  })
})
