import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Instant, instantOf, plus } from '../../src/lib/instant.ts'
import { createSafeFetch } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { type AttemptResult, attemptDelivery, endOf } from '../../src/webhooks/attempts/attempt-delivery.ts'
import { findDueShards } from '../../src/webhooks/rounds/find-due-shards.ts'
import { type ClaimedDelivery, loadDue } from '../../src/webhooks/rounds/round-store.ts'
import { clockFrom, createRounds, type Rounds } from '../../src/webhooks/rounds/run-round.ts'
import { slicesOf } from '../../src/webhooks/rounds/shard-rules.ts'
import { testDatabase } from '../support/database.ts'
import { type Receiver, startReceiver } from '../support/servers/receiver.ts'
import { addDeliveries, addWebhook, TEST_KEY } from '../support/webhooks/deliveries.ts'

const OF = 16
const ALL_SHARDS = Array.from({ length: OF }, (_, shard) => ({ shard, of: OF }))

describe('a round in shards', () => {
  const db = testDatabase({ each: true })
  const { post, close } = createSafeFetch({ allowPrivate: true })
  let receiver: Receiver
  /** How many requests are open, and how many were at most, by the path's last part. */
  const open = new Map<string, number>()
  const most = new Map<string, number>()
  let answerMs = 10
  const attempts: Promise<unknown>[] = []
  beforeAll(async () => {
    receiver = await startReceiver()
    receiver.answer(({ path }, response) => {
      const names = [path.split('/').at(-1)!, 'all']
      for (const name of names) {
        open.set(name, (open.get(name) ?? 0) + 1)
        most.set(name, Math.max(most.get(name) ?? 0, open.get(name)!))
      }
      setTimeout(() => {
        for (const name of names) open.set(name, open.get(name)! - 1)
        response.writeHead(path.includes('dead') ? 500 : 200).end()
      }, answerMs)
      return undefined
    })
  })
  afterEach(async () => {
    await Promise.allSettled(attempts.splice(0))
    receiver.requests.length = 0
    most.clear()
    answerMs = 10
  })
  afterAll(() => Promise.all([receiver.close(), close()]))

  const at = (): Instant => instantOf(Date.now())
  /** The rounds of one process, whose own worker makes the attempts. */
  function newProcess(all = 64): Rounds {
    const rounds: Rounds = createRounds({
      sql: db.sql,
      log: pino({ level: 'silent' }),
      limits: { all, perWebhook: 8 },
      workflows: {
        grant: async ({ deliveryId, grant }: ClaimedDelivery) => {
          const key = { deliveryId, ...grant }
          const made = attemptDelivery({ sql: db.sql, post, secretKey: TEST_KEY }, key, at())
          const report = (result: AttemptResult) => {
            const ended = endOf(result)
            if (ended) rounds.attemptEnded({ ...key, ...ended })
          }
          attempts.push(made.then(report))
          return { here: true }
        },
      },
    })
    return rounds
  }
  function run(rounds: Rounds, shard = { shard: 0, of: 1 }, given: { roundId?: string; signal?: AbortSignal } = {}) {
    const now = at()
    const times = { now: clockFrom(now), stopAt: plus(now, 200_000), resumed: false }
    return rounds.run({ roundId: 'round', shard, ...times, heartbeat: () => {}, ...given })
  }
  const runAll = (rounds: Rounds, shards = ALL_SHARDS) => Promise.all(shards.map((shard) => run(rounds, shard)))
  async function workspace(path: string, count: number) {
    const since = plus(at(), -1_000)
    const hook = await addWebhook(db.sql, { url: `${receiver.url}/${path}`, at: since })
    return { hook, ids: await addDeliveries(db.sql, hook, { count, at: since }) }
  }
  /** In which shard a workspace is. */
  async function shardOf({ hook }: { hook: { workspaceId: string } }): Promise<number> {
    const [row] = await db.sql`select (uuid_hash(${hook.workspaceId}::uuid) & 255) % ${OF}::integer as shard`
    return row!.shard
  }
  const eventsSent = () => receiver.requests.map(({ headers }) => headers['webhook-id'])
  const sum = (reports: { started: number }[]) => reports.reduce((all, { started }) => all + started, 0)

  it('has every workspace in exactly one shard, whatever their number, and none is crowded', async () => {
    for (let n = 0; n < 200; n++) await workspace('a', 1)
    for (const of of [1, 3, 16, 256]) {
      const loaded: string[] = []
      const sizes: number[] = []
      for (let shard = 0; shard < of; shard++) {
        const due = await loadDue(db.sql, { roundId: 'r', now: at(), slices: slicesOf({ shard, of }) })
        loaded.push(...due.map(({ workspaceId }) => workspaceId))
        sizes.push(due.length)
      }
      expect(loaded).toHaveLength(200)
      expect(new Set(loaded).size).toBe(200)
      if (of <= 16) expect(Math.max(...sizes)).toBeLessThan((200 / of) * 3)
    }
  })

  it('runs only shards with something due: nothing that is claimed, later, or over', async () => {
    const states = ['due', 'claimed', 'later', 'over'] as const
    const made = Object.fromEntries(
      await Promise.all(states.map(async (state) => [state, await workspace(state, 2)] as const)),
    )
    await db.sql`update delivery set claimed_at = ${at()} where delivery_id = any(${made.claimed!.ids}::uuid[])`
    await db.sql`update delivery set due_at = ${plus(at(), 60_000)} where delivery_id = any(${made.later!.ids}::uuid[])`
    await db.sql`
      update delivery set status = 'succeeded', due_at = null where delivery_id = any(${made.over!.ids}::uuid[])`
    expect(await findDueShards(db.sql, at(), OF)).toEqual({ shards: [await shardOf(made.due!)], of: OF })
    await db.sql`delete from webhook where webhook_id = ${made.due!.hook.id}`
    expect(await findDueShards(db.sql, at(), OF)).toEqual({ shards: [], of: OF })
  })

  it('finds a due webhook behind others of its slice that wait, and what is due on paused ones', async () => {
    const workspaceId = randomUUID()
    const now = at()
    for (let n = 0; n < 20; n++) {
      const hook = await addWebhook(db.sql, { url: receiver.url, at: now, workspaceId })
      await addDeliveries(db.sql, hook, { count: 3, at: plus(now, 60_000) })
    }
    expect((await findDueShards(db.sql, at(), OF)).shards).toEqual([])
    const hook = { workspaceId, id: '' }
    const [last] = await db.sql`select webhook_id as id from webhook order by webhook_id desc limit 1`
    await db.sql`update delivery set due_at = ${now} where webhook_id = ${last!.id}`
    await db.sql`update webhook set state = 'paused'`
    expect((await findDueShards(db.sql, plus(now, -1), OF)).shards).toEqual([])
    expect((await findDueShards(db.sql, now, OF)).shards).toEqual([await shardOf({ hook })])
  })

  it('names every shard where all have something due', async () => {
    for (let n = 0; n < 150; n++) await workspace('a', 2)
    expect((await findDueShards(db.sql, at(), 4)).shards).toEqual([0, 1, 2, 3])
    expect((await findDueShards(db.sql, at(), 1)).shards).toEqual([0])
  })

  it('is one round where one process runs all shards: its slots, and its order over all workspaces', async () => {
    await workspace('dead', 2_000)
    await workspace('live', 10)
    const rounds = newProcess()
    const stop = new AbortController()
    const running = Promise.all(ALL_SHARDS.map((shard) => run(rounds, shard, { signal: stop.signal })))
    const live = () => receiver.requests.flatMap((item, place) => (item.path.endsWith('live') ? [place] : []))
    await vi.waitFor(() => expect(live()).toHaveLength(10), { timeout: 30_000, interval: 5 })
    stop.abort()
    await running
    for (const [turn, place] of live().entries()) expect(place).toBeLessThanOrEqual(2 * turn + 8)
  })

  it('has the slots of each process, shared by the shards in it, and never more per endpoint than one has', async () => {
    answerMs = 60
    for (let n = 0; n < 12; n++) await workspace(`hook-${n}`, 20)
    const [a, b] = [newProcess(6), newProcess(6)]
    const [first, second] = await Promise.all([
      runAll(
        a,
        ALL_SHARDS.filter(({ shard }) => shard % 2 === 0),
      ),
      runAll(
        b,
        ALL_SHARDS.filter(({ shard }) => shard % 2 === 1),
      ),
    ])
    expect(sum(first) + sum(second)).toBe(240)
    expect(new Set(eventsSent()).size).toBe(240)
    expect(receiver.requests).toHaveLength(240)
    expect(most.get('all')).toBeGreaterThan(6)
    expect(most.get('all')).toBeLessThanOrEqual(12)
    for (let n = 0; n < 12; n++) expect(most.get(`hook-${n}`)).toBeLessThanOrEqual(8)
  })

  it('sends each delivery once where two processes run the same shards', async () => {
    for (let n = 0; n < 6; n++) await workspace(`hook-${n}`, 30)
    const reports = await Promise.all([runAll(newProcess(8)), runAll(newProcess(8))])
    expect(sum(reports.flat())).toBe(180)
    expect(receiver.requests).toHaveLength(180)
    expect(new Set(eventsSent()).size).toBe(180)
    const [row] = await db.sql`select count(*) filter (where status = 'succeeded')::int as succeeded from delivery`
    expect(row).toEqual({ succeeded: 180 })
  })

  it('starts what a workspace has due in the order it was due, also where two processes share its shard', async () => {
    const { ids } = await workspace('a', 60)
    for (const [n, id] of ids.entries())
      await db.sql`update delivery set due_at = ${plus(at(), n - 10_000)} where delivery_id = ${id}`
    const order = await db.sql<{ eventId: string }[]>`select event_id as "eventId" from delivery order by due_at`
    await Promise.all([runAll(newProcess(3)), runAll(newProcess(3))])
    const place = new Map(order.map(({ eventId }, n) => [eventId, n]))
    // Each process may be ahead by what it has in flight.
    for (const [n, id] of eventsSent().entries()) expect(Math.abs(place.get(id as string)! - n)).toBeLessThan(12)
  })

  it('goes on in the same process when its activity is tried again there: the run before ends', async () => {
    answerMs = 30
    const made = await workspace('a', 80)
    const shard = { shard: await shardOf(made), of: OF }
    const rounds = newProcess(8)
    const first = run(rounds, shard)
    await vi.waitFor(() => expect(receiver.requests.length).toBeGreaterThan(5), { timeout: 30_000, interval: 2 })
    const second = await run(rounds, shard)
    expect((await first).started).toBeGreaterThan(5)
    expect((await first).started + second.started).toBe(80)
    expect(receiver.requests).toHaveLength(80)
    expect(most.get('all')).toBeLessThanOrEqual(8)
  })

  it('leaves a shard that was taken away, and goes on with the others', async () => {
    answerMs = 30
    const lost = await workspace('lost', 100)
    // Only what has deliveries runs, so one that fell into the same shard does not matter.
    let kept = await workspace('kept', 0)
    while ((await shardOf(lost)) === (await shardOf(kept))) kept = await workspace('kept', 0)
    await addDeliveries(db.sql, kept.hook, { count: 100, at: plus(at(), -1_000) })
    const rounds = newProcess(8)
    const stop = new AbortController()
    const leaving = run(rounds, { shard: await shardOf(lost), of: OF }, { signal: stop.signal })
    const staying = run(rounds, { shard: await shardOf(kept), of: OF })
    await vi.waitFor(() => expect(receiver.requests.length).toBeGreaterThan(10), { timeout: 30_000, interval: 2 })
    stop.abort()
    const left = await leaving
    const sentThen = receiver.requests.filter(({ path }) => path.endsWith('lost')).length
    expect((await staying).succeeded).toBe(100)
    expect(left.started).toBeLessThan(100)
    expect(receiver.requests.filter(({ path }) => path.endsWith('lost')).length).toBeLessThanOrEqual(
      Math.max(sentThen, left.started),
    )
    expect((await run(newProcess(8), { shard: await shardOf(lost), of: OF })).started).toBe(100 - left.started)
    expect(receiver.requests).toHaveLength(200)
  })

  it('sends what becomes due meanwhile before it is through with the rest', async () => {
    answerMs = 500
    await workspace('busy', 200)
    const stop = new AbortController()
    const running = run(newProcess(8), { shard: 0, of: 1 }, { signal: stop.signal })
    const until = (what: () => boolean) =>
      vi.waitFor(() => expect(what()).toBe(true), { timeout: 60_000, interval: 20 })
    const paths = () => receiver.requests.map(({ path }) => path.split('/').at(-1))
    await until(() => paths().length > 0)
    await workspace('late', 1)
    await until(() => paths().includes('late') || paths().length >= 200)
    stop.abort()
    await running
    expect(paths()).toContain('late')
  }, 120_000)

  it('sends nothing more of a webhook that is paused meanwhile, and goes on when it is resumed', async () => {
    answerMs = 40
    const { hook } = await workspace('a', 120)
    const running = runAll(newProcess(8))
    await vi.waitFor(() => expect(receiver.requests.length).toBeGreaterThan(10), { timeout: 30_000, interval: 2 })
    await db.sql`update webhook set state = 'paused' where webhook_id = ${hook.id}`
    const opened = await db.sql`select from attempt`
    const reports = await running
    // Each was over before the webhook was resumed: what is decided at that moment is left to the next round.
    const [row] = await db.sql`
      select count(*) filter (where status = 'succeeded')::int as succeeded,
             count(*) filter (where not_sent = 'paused')::int as unsent from delivery`
    expect(row!.succeeded).toBe(receiver.requests.length)
    // An attempt that saw the webhook active may be opened a moment after the pause: one per slot.
    expect(row!.succeeded).toBeLessThanOrEqual(opened.length + 8)
    expect(row!.succeeded + row!.unsent).toBe(120)
    expect(row!.unsent).toBeGreaterThan(0)
    expect(sum(reports)).toBeGreaterThanOrEqual(row!.succeeded)

    await db.sql`update webhook set state = 'active' where webhook_id = ${hook.id}`
    await addDeliveries(db.sql, hook, { count: 5, at: plus(at(), -1) })
    expect(sum(await runAll(newProcess(8)))).toBe(5)
    expect(receiver.requests).toHaveLength(row!.succeeded + 5)
  })
})
