import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Instant, instantOf, plus } from '../../src/lib/instant.ts'
import { createSafeFetch } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { connect } from '../../src/lib/sql.ts'
import { attemptDelivery } from '../../src/webhooks/attempts/attempt-delivery.ts'
import type { RoundTools } from '../../src/webhooks/rounds/round-flights.ts'
import { STOP_STARTING_AFTER_MS } from '../../src/webhooks/rounds/round-rules.ts'
import type { RoundReport } from '../../src/webhooks/rounds/round-schema.ts'
import type { ClaimedDelivery } from '../../src/webhooks/rounds/round-store.ts'
import { clockFrom, createRounds, type RoundTask } from '../../src/webhooks/rounds/run-round.ts'
import { ALL } from '../../src/webhooks/rounds/shard-rules.ts'
import { testDatabase } from '../support/database.ts'
import { type Receiver, startReceiver } from '../support/servers/receiver.ts'
import { addDeliveries, addWebhook, TEST_KEY } from '../support/webhooks/deliveries.ts'

const LIMITS = { all: 64, perWebhook: 8 }

/** Rounds on real Postgres and a real receiver; the attempt is made where a workflow would make it. */
describe('a delivery round', () => {
  const db = testDatabase()
  let receiver: Receiver
  let rounds = 0
  let most = 0
  beforeAll(async () => {
    let open = 0
    receiver = await startReceiver()
    receiver.answer((request, response) => {
      open++
      most = Math.max(most, open)
      setTimeout(() => {
        open--
        response.writeHead(request.path.includes('dead') ? 500 : 200).end()
      }, 20)
      return undefined
    })
  })
  const attempts: Promise<unknown>[] = []
  // A round that is ended early leaves attempts that still write to the database.
  afterEach(async () => {
    await Promise.allSettled(attempts.splice(0))
    receiver.requests.length = 0
    most = 0
    await db.sql`delete from webhook`
  })
  afterAll(() => receiver.close())

  const post = createSafeFetch({ allowPrivate: true }).post
  async function grant({ deliveryId, grant }: ClaimedDelivery) {
    const now = instantOf(Date.now())
    attempts.push(attemptDelivery({ sql: db.sql, post, secretKey: TEST_KEY }, { deliveryId, ...grant }, now))
    return { here: false }
  }
  const silent = pino({ level: 'silent' })
  /** The rounds of one process. */
  const newProcess = (tools: Partial<RoundTools> = {}) =>
    createRounds({ sql: db.sql, log: silent, workflows: { grant }, limits: LIMITS, ...tools })
  /** A whole round, or the shard that is asked for. */
  function task(options: Partial<RoundTask> = {}): RoundTask {
    const start = instantOf(Date.now())
    return {
      roundId: `round-${++rounds}`,
      shard: ALL,
      now: clockFrom(start),
      stopAt: plus(start, STOP_STARTING_AFTER_MS),
      resumed: false,
      heartbeat: () => {},
      ...options,
    }
  }
  const run = ({ log, workflows, limits, ...options }: Partial<RoundTask & RoundTools> = {}) =>
    newProcess({ ...(log && { log }), ...(workflows && { workflows }), ...(limits && { limits }) }).run(task(options))
  async function workspace(path: string, count: number) {
    const at = instantOf(Date.now() - 1_000)
    const hook = await addWebhook(db.sql, { url: `${receiver.url}/${path}`, at })
    await addDeliveries(db.sql, hook, { count, at })
    return hook
  }

  it('delivers everything that is due, each once, and ends', async () => {
    await workspace('a', 60)
    await workspace('b', 5)
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line) => lines.push(line) })
    expect(await run({ log })).toMatchObject({ started: 65, succeeded: 65, failed: 0, unclear: 0, cutShort: 0 })
    expect(lines).toEqual([])
    expect(new Set(receiver.requests.map((request) => request.headers['webhook-id'])).size).toBe(65)
    expect(await run()).toMatchObject({ started: 0 })
  })

  it('has at most 8 in flight to one endpoint', async () => {
    await workspace('a', 80)
    await run()
    expect(most).toBeGreaterThan(2)
    expect(most).toBeLessThanOrEqual(8)
  })

  it('delays ten deliveries by at most one turn each, though another workspace has 5,000 to a dead endpoint', async () => {
    await workspace('dead', 5_000)
    await workspace('live', 10)
    const stop = new AbortController()
    const running = run({ signal: stop.signal })
    const live = () => receiver.requests.flatMap((item, place) => (item.path.endsWith('live') ? [place] : []))
    while (live().length < 10) await new Promise((done) => setTimeout(done, 5))
    stop.abort()
    await running
    for (const [turn, place] of live().entries()) expect(place).toBeLessThanOrEqual(2 * turn + LIMITS.perWebhook)
  })

  it('starts what is due of a healthy webhook beside thousands due of a hundred failing ones', async () => {
    const at = instantOf(Date.now() - 2_000)
    for (let n = 0; n < 100; n++) {
      const hook = await addWebhook(db.sql, { url: `${receiver.url}/dead`, at })
      await addDeliveries(db.sql, hook, { count: 80, at })
    }
    await db.sql`update webhook set failures_in_row = 1, first_failure_at = ${at}`
    await workspace('live', 400)
    const stop = new AbortController()
    const running = run({ signal: stop.signal })
    const live = () => receiver.requests.filter(({ path }) => path.endsWith('live')).length
    await vi.waitFor(() => expect(live()).toBe(400), { timeout: 100_000, interval: 5 })
    const dead = receiver.requests.length - live()
    stop.abort()
    await running
    // Of 64 slots the failing ones hold 16 at most, and the healthy one 8.
    expect(dead).toBeGreaterThan(0)
    expect(dead).toBeLessThan(400 * 4)
  })

  it('stops starting 200 seconds after its check began, and leaves the rest to the next', async () => {
    await workspace('a', 400)
    const start = instantOf(Date.now())
    // A second passes with each request.
    const now = () => plus(start, receiver.requests.length * 1_000)
    const report = await run({ now, stopAt: plus(start, STOP_STARTING_AFTER_MS) })
    expect(report.started).toBeGreaterThan(0)
    expect(report.started).toBeLessThan(400)
    expect(report.succeeded).toBe(report.started)
    expect((await run()).started).toBe(400 - report.started)
  })

  it('sends a change whose turn does not come before the 200 seconds are over with the next check, within 18 minutes of its eligibleAt', async () => {
    const minutes = (from: Instant, count: number) => plus(from, count * 60_000)
    const eligibleAt = instantOf(Date.now())
    // It just missed a check: the next one finds it, behind 400 others.
    const found = minutes(eligibleAt, 5)
    const hook = await workspace('a', 400)
    const [change] = await addDeliveries(db.sql, hook, { at: found })
    let sentAt: Instant | undefined
    const check = (start: Instant, timesAsFast: number) => {
      const real = clockFrom(start)
      const now = () => plus(start, (Date.parse(real()) - Date.parse(start)) * timesAsFast)
      const noted = async (claimed: ClaimedDelivery) => {
        if (claimed.deliveryId === change) sentAt = now()
        return grant(claimed)
      }
      return run({ now, stopAt: plus(start, 200_000), workflows: { grant: noted } })
    }
    await check(found, 400)
    expect(sentAt).toBeUndefined()
    // On a busy machine the 400 before it take seconds.
    await check(minutes(found, 5), 3)
    expect(sentAt! > minutes(eligibleAt, 10)).toBe(true)
    expect(sentAt! < minutes(eligibleAt, 18)).toBe(true)
  })

  it('started at or after its end sends nothing', async () => {
    await workspace('a', 1)
    const end = instantOf(Date.now())
    expect(await run({ now: () => end, stopAt: end })).toMatchObject({ started: 0 })
    expect(await run({ stopAt: instantOf(Date.now() - 1) })).toMatchObject({ started: 0 })
  })

  it('says of each shard whether its time ended while something of it was due', async () => {
    const { workspaceId } = await workspace('a', 1)
    const [row] = await db.sql`select (uuid_hash(${workspaceId}::uuid) & 255) % 2 as shard`
    const rounds = newProcess()
    const { roundId } = task()
    const stopAt = instantOf(Date.now() - 1)
    const shards = [0, 1].map((shard) => rounds.run(task({ roundId, stopAt, shard: { shard, of: 2 } })))
    const cutShort = (await Promise.all(shards)).map((report) => report.cutShort)
    expect(cutShort).toEqual(row!.shard === 0 ? [1, 0] : [0, 1])
  })

  it('that goes on after a crash begins with the workspace of which it started fewer before', async () => {
    const first = await workspace('first', 3)
    await workspace('second', 2)
    await db.sql`
      update delivery set round_id = 'crashed' where delivery_id in (
        select delivery_id from delivery where webhook_id = ${first.id} limit 2)`
    await run({ roundId: 'crashed', resumed: true, limits: { all: 1, perWebhook: 1 } })
    expect(receiver.requests.map(({ path }) => path.split('/').at(-1))).toEqual(['second', 'second', 'first'])
  })

  it('fails what is due on a paused webhook as not sent, and says how much', async () => {
    const hook = await workspace('a', 3)
    await db.sql`update webhook set state = 'paused' where webhook_id = ${hook.id}`
    expect(await run()).toMatchObject({ started: 0, unsent: 3 })
  })

  it('gives back what it could not hand to a workflow, uses nothing up, and goes on with the others', async () => {
    await workspace('a', 3)
    let refused = 0
    const refuseFirst = async (claimed: ClaimedDelivery) => {
      if (refused++ === 0) throw new Error('Temporal is away')
      return grant(claimed)
    }
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line) => lines.push(line) })
    const refusing = { log, workflows: { grant: refuseFirst } }
    expect(await run(refusing)).toMatchObject({ started: 3, succeeded: 2, unclear: 1, faults: 0 })
    expect(lines.join()).toMatch(/a delivery workflow could not be reached/)
    expect(await run()).toMatchObject({ started: 1, succeeded: 1 })
  })

  /** A round whose workflows have taken what it granted, and say nothing until the test does. */
  async function granting() {
    await workspace('a', 1)
    const granted: ClaimedDelivery[] = []
    const grantAlone = async (claimed: ClaimedDelivery) => {
      granted.push(claimed)
      return { here: true }
    }
    const rounds = newProcess({ workflows: { grant: grantAlone } })
    let report: RoundReport | undefined
    const running = rounds.run(task()).then((ended) => {
      report = ended
      return ended
    })
    await vi.waitFor(() => expect(granted).toHaveLength(1), { timeout: 60_000, interval: 5 })
    return { rounds, running, granted: granted[0]!, isOver: () => report !== undefined }
  }

  it('waits for the attempt that it granted: one of another cycle, number or run is not that', async () => {
    const { rounds, running, granted } = await granting()
    const { deliveryId, grant } = granted
    const ended = (of: object) => rounds.attemptEnded({ deliveryId, ...grant, outcome: 'failed', ...of })
    for (const of of [{ cycle: 2 }, { number: 2 }, { run: 2 }, { deliveryId: randomUUID() }]) ended(of)
    ended({ outcome: 'succeeded', tookMs: 1 })
    expect(await running).toMatchObject({ started: 1, succeeded: 1, failed: 0, unclear: 0 })
  })

  it('waits 30 seconds for an attempt of which nothing is heard, and leaves it to the repair of the next check', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const { running, isOver } = await granting()
      vi.advanceTimersByTime(29_900)
      await new Promise((done) => setTimeout(done, 200))
      expect(isOver()).toBe(false)
      vi.advanceTimersByTime(200)
      expect(await running).toMatchObject({ started: 1, succeeded: 0, failed: 0, unclear: 1 })
    } finally {
      vi.useRealTimers()
    }
  })

  it('reports what our fault kept from being sent, and uses nothing up', async () => {
    const hook = await addWebhook(db.sql, { url: 'https://hooks.example.com/hook', at: instantOf(Date.now()) })
    await addDeliveries(db.sql, hook, { count: 3, at: instantOf(Date.now() - 1_000) })
    // No one answers on this port, so that no name can be looked up.
    const unable = createSafeFetch({ dnsServers: ['127.0.0.1:9'] })
    const grantUnable = async ({ deliveryId, grant: turn }: ClaimedDelivery) => {
      const tools = { sql: db.sql, post: unable.post, secretKey: TEST_KEY }
      await attemptDelivery(tools, { deliveryId, ...turn }, instantOf(Date.now()))
      return { here: false }
    }
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line) => lines.push(line) })
    expect(await run({ log, workflows: { grant: grantUnable } })).toMatchObject({ started: 3, unclear: 3, faults: 3 })
    expect(lines.join()).toMatch(/Deliveries could not be sent: our DNS resolver does not answer/)
    expect(await db.sql`select distinct attempts, status from delivery`).toEqual([{ attempts: 0, status: 'pending' }])
    await unable.close()
  })

  it('ends with the reason where the database is away', async () => {
    const away = connect(db.url)
    await away.end()
    await expect(newProcess({ sql: away }).run(task())).rejects.toThrow(/CONNECTION_ENDED/)
  })

  it('shares the work with another round at the same time', async () => {
    await workspace('a', 60)
    const [first, second] = await Promise.all([run(), run()])
    expect(first!.succeeded + second!.succeeded).toBe(60)
    expect(receiver.requests).toHaveLength(60)
  })
})
