import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { freshnessOf } from '../../src/catalog/sources/source-rules.ts'
import { recentFetches, sourceState } from '../../src/catalog/sources/source-store.ts'
import { collectDueSources } from '../../src/collecting/collect-due-sources.ts'
import { collectNamedSource } from '../../src/collecting/collect-named-sources.ts'
import type { Collecting } from '../../src/collecting/collecting.ts'
import type { CollectOutcome } from '../../src/collecting/schema.ts'
import { instantOf } from '../../src/lib/instant.ts'
import { collectingSystem } from '../collecting/support.ts'
import { testDatabase } from '../support/database.ts'
import { checkAgainstModel, command } from './run-model.ts'
import * as model from './source-model.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Names of which none is another spelling, version or variant of another: enough that half of them are missed. */
const NAMES = (
  'birch opal quartz maple onyx willow jasper cedar topaz hazel garnet rowan ' +
  'beryl alder zircon poplar spinel juniper agate linden pearl cypress coral elm'
).split(' ')
const REPLIES: model.Reply[] = [
  { kind: 'status', status: 500 },
  { kind: 'status', status: 404 },
  { kind: 'status', status: 429, retryAfterMs: 40 * MINUTE },
  { kind: 'status', status: 503, retryAfterMs: 48 * HOUR },
  { kind: 'breaks off' },
  { kind: 'unreadable' },
  { kind: 'empty' },
  { kind: 'shrunk' },
]

type Wait = 'when due' | 'just before' | '5 min' | '6 h' | '3 days'
const WAITS = fc.constantFrom<Wait>('when due', 'when due', 'just before', '5 min', '6 h', '3 days')

type World = model.ModelSource & { name: string; collecting: Collecting; prices: number }

describe("a source's life", () => {
  const db = testDatabase()
  let reply: model.Reply = { kind: 'list' }
  let listed = ''
  let requests = 0
  const system = collectingSystem(db, (request, response) => {
    requests++
    answer(reply, request.headers['if-none-match'], response)
  })
  let histories = 0
  let start = Date.UTC(2026, 0, 1)

  function answer(given: model.Reply, known: string | undefined, response: ServerResponse): void {
    const send = (body: string, headers = {}) =>
      void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body)
    if (given.kind === 'breaks off') {
      response.destroy()
    } else if (given.kind === 'status') {
      const retryAfter = given.retryAfterMs === undefined ? {} : { 'retry-after': String(given.retryAfterMs / 1_000) }
      response.writeHead(given.status, retryAfter).end('out of order')
    } else if (given.kind === 'unreadable') {
      send('<html>Sign in</html>')
    } else if (given.kind === 'empty') {
      send('[]')
    } else if (given.kind === 'shrunk') {
      const [seller] = JSON.parse(listed)
      send(JSON.stringify([{ ...seller, models: seller.models.slice(0, 2) }]))
    } else {
      const etag = `"${createHash('sha256').update(listed).digest('hex')}"`
      if (known === etag) response.writeHead(304, { etag }).end()
      else send(listed, { etag })
    }
  }

  const declare = (name: string, intervalMs: number, enabled = true) =>
    system.declare([
      {
        ...{ source: name, format: 'genai-prices', url: `${system.base}/${name}.json`, enabled },
        intervalSeconds: intervalMs / 1_000,
      },
    ])

  async function begin() {
    start += 400 * 24 * HOUR
    const name = `list-${histories++}`
    const listed = new Map(NAMES.map((resource, n) => [resource, priceOf(n)]))
    const source = model.newSource(start, listed)
    const world: World = { ...source, name, collecting: declare(name, source.intervalMs), prices: NAMES.length }
    return { model: world, real: db }
  }
  /** Dollars per million tokens; all with the same number of digits, and different from each other. */
  const priceOf = (n: number) => `2.${String(n + 1).padStart(4, '0')}7`
  const newPrice = (world: World) => priceOf(world.prices++)

  async function check(world: World, given: model.Reply) {
    reply = given
    listed = JSON.stringify([
      {
        ...{ id: `seller-${world.name}`, name: 'Seller' },
        models: [...world.listed].map(([id, price]) => ({
          id: `${id}-${world.name}`,
          prices: { input_mtok: Number(price) },
        })),
      },
    ])
    model.followDeclaration(world)
    const before = requests
    const now = instantOf(world.now)
    // On a busy machine a source may have been slow, and is collected in a workflow of its own.
    const slow: CollectOutcome[] = []
    const startCollecting = async (name: string) => {
      slow.push(await collectNamedSource(world.collecting, name, now))
    }
    const { collected } = await collectDueSources(world.collecting, now, { budgetMs: 600_000, startCollecting })
    const [done] = [...collected, ...slow]
    expect(done?.source).toBe(model.isDue(world) ? world.name : undefined)
    expect(requests > before).toBe(model.isDue(world))
    if (done) expect(done.outcome, done.problem).toBe(model.collect(world, given))
  }

  async function compare(world: World) {
    const rows = await db.sql<{ resource: string; price: string }[]>`
      select distinct on (l.resource) l.resource, r.price::text from publication p
      join price_row r using (content_hash) join price_line l on l.line_id = r.line_id
      where p.source = ${world.name} and p.unpublished_at is null
      order by l.resource, r.recorded_at desc`
    const seen = rows.map(({ resource, price }) => [resource.split('-')[0], (Number(price) * 1e6).toFixed(5)])
    const [last] = await recentFetches(db.sql, world.name)
    expect(seen.sort(), JSON.stringify(last?.report)).toEqual([...world.served].sort())
    const state = await sourceState(db.sql, world.name)
    if (!state) return
    const shown = { ...state, intervalSeconds: world.intervalMs / 1_000 }
    expect(freshnessOf(shown, instantOf(world.now))).toBe(model.freshness(world))
    expect(state.failures).toBe(world.failures)
    if (world.dueAt > 0 && world.lastGoodAt !== undefined) expect(state.nextDueAt).toBe(instantOf(world.dueAt))
  }

  const step =
    <T>(name: string, run: (world: World, value: T) => Promise<void>) =>
    (value: T) =>
      command<World, typeof db>(`${name} ${JSON.stringify(value)}`, async (world) => {
        await run(world, value)
        await compare(world)
      })
  const good: model.Reply = { kind: 'list' }
  const pass = (world: World, to: number) => {
    world.now = Math.max(world.now, to)
  }
  const until = (world: World, wait: Wait) =>
    ({
      'when due': world.dueAt,
      'just before': world.dueAt - 1,
      '5 min': world.now + 5 * MINUTE,
      '6 h': world.now + 6 * HOUR,
      '3 days': world.now + 72 * HOUR,
    })[wait]
  const read = step<Wait>('a check', async (world, wait) => {
    pass(world, until(world, wait))
    await check(world, good)
  })
  const fail = step<{ when: Wait; reply: model.Reply }>('a check of', async (world, drawn) => {
    pass(world, until(world, drawn.when))
    // The first list of a source is compared with nothing.
    await check(world, drawn.reply.kind === 'shrunk' && world.served.size === 0 ? good : drawn.reply)
  })
  const change = step<number>('a price changes', async (world, which) => {
    // Never five between two reads: those would be held as a mass change.
    const names = [...world.listed.keys()].slice(0, 4)
    world.listed.set(names[which % names.length]!, newPrice(world))
  })
  const turnOff = step<undefined>('it is off', async (world) => {
    world.collecting = declare(world.name, world.intervalMs, false)
    model.switchOff(world)
    pass(world, world.now + HOUR)
    await check(world, good)
  })
  const redeclare = step<number>('it is declared', async (world, minutes) => {
    world.collecting = declare(world.name, minutes * MINUTE)
    await world.collecting.sources()
    model.declare(world, minutes * MINUTE)
  })

  const checks = WAITS.map(read)
  const failing = fc.record({ when: WAITS, reply: fc.constantFrom(...REPLIES) }).map(fail)
  const commands = [
    ...[checks, checks, checks, failing, failing],
    fc.nat(100).map(change),
    fc.constant(undefined).map(turnOff),
    fc.constantFrom(15, 60).map(redeclare),
  ]
  const refused = (status: number, retryAfterMs?: number) =>
    fail({ when: 'when due', reply: { kind: 'status', status, retryAfterMs } })
  const always = [
    // Waits double up to six hours, and are short again after a success.
    [read('when due'), ...Array.from({ length: 8 }, () => refused(500)), read('when due'), refused(500)],
    // Nothing is read sooner than the source asks for, six hours at most.
    [read('when due'), refused(503, 48 * HOUR), read('just before'), refused(429, 40 * MINUTE), read('just before')],
    // Another interval makes it due at once; a list without prices stays bad however often it comes.
    [
      ...[read('when due'), redeclare(60), read('just before'), turnOff(undefined), redeclare(60), read('just before')],
      ...[fail({ when: 'when due', reply: { kind: 'empty' } }), fail({ when: 'when due', reply: { kind: 'empty' } })],
      ...[fail({ when: 'when due', reply: { kind: 'shrunk' } }), change(0), read('when due')],
    ],
    // What is off for a week ends, and is served again once it is read again, though its list did not change.
    [
      ...[read('when due'), turnOff(undefined), read('3 days'), read('3 days'), read('6 h'), read('3 days')],
      ...[redeclare(60), read('when due'), turnOff(undefined), read('3 days'), redeclare(15), read('5 min')],
    ],
  ]

  it('is as the model says: when it is read, what it serves, and how fresh it is', async () => {
    const tried = await checkAgainstModel({ name: 'source', histories: 1, steps: 40, commands, always, begin })
    expect(tried.steps).toBeGreaterThan(0)
  })
})
