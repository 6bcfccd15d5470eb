import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lastPublication } from '../../src/catalog/clock-store.ts'
import { sha256 } from '../../src/lib/hash.ts'
import { earliest, type Instant, plus } from '../../src/lib/instant.ts'
import { continued } from '../../src/prices/history/cursor-rules.ts'
import type { HistoryRequest } from '../../src/prices/history/history-rules.ts'
import { restoreRow, withdrawRow } from '../../src/prices/review/correct-price.ts'
import { decideReview } from '../../src/prices/review/decide-review.ts'
import { openReviewItems } from '../../src/prices/store/review-store.ts'
import { day, observed, snapshot } from '../prices/support.ts'
import { testDatabase } from '../support/database.ts'
import { CURSOR_KEY, readPage } from '../support/history.ts'
import * as model from './publication-model.ts'
import { checkAgainstModel, command } from './run-model.ts'

/** So many that one of them may be removed without a person. */
const RESOURCES = 10
const HALF_A_DAY = 12 * 3_600_000
const DAY = 2 * HALF_A_DAY

type Row = { contentHash: string; resource: string; price: string; recordedAt: Instant; approvalStatus: string }
type Page = { asOf: Instant; nextCursor: string | null; prices: Row[] }
type Request = HistoryRequest & { asOf: Instant }
/** A walk through the pages of an answer, begun at some time and continued at others. */
type Walk = { at: number; limit: number; rows: Row[]; next?: Request; isOver: boolean }
type World = {
  name: string
  /** The last day on which something was published. */
  today: number
  resources: model.ModelResource[]
  walks: Walk[]
  answers: { request: Request; text: string }[]
  prices: number
  lastSeq: string
}

describe('publications and reads', () => {
  const db = testDatabase()
  // Long searches take centuries, and no day may be later than today.
  let days = -500 * 365
  let histories = 0

  async function begin() {
    const name = `list-${histories++}`
    const [seq] = await db.sql<{ last: string }[]>`select last_seq as last from publication_clock`
    const resources = Array.from({ length: RESOURCES }, (_, n) => ({
      ...{ name: unlikeName(`${name} ${n}`), rows: [], isRemoved: false },
      ...(n > 1 && { listed: 20_007 + 10 * n }),
    }))
    const world: World = { name, today: 0, resources, walks: [], answers: [], prices: 0, lastSeq: seq!.last }
    await fetchList(world)
    return { model: world, real: db }
  }

  /** Names of which none may be another spelling, version or variant of another. */
  const unlikeName = (text: string) =>
    sha256(text)
      .slice(0, 12)
      .replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!)
  const nextDay = (world: World): number => {
    world.today = days++
    return world.today
  }
  /** Prices are counted in units of the tenth decimal place. */
  const decimal = (price: number) => (price / 1e10).toFixed(10)
  /** A price that no line ever had, near to a price. All have the same number of digits: rounding is no news. */
  const newPrice = (world: World, near: number) => Math.floor(near / 10) * 10 + 10 * ++world.prices + 7

  async function fetchList(world: World): Promise<void> {
    const today = nextDay(world)
    const lines = world.resources.flatMap(({ name, listed }) =>
      listed === undefined ? [] : [observed(name, 'input_tokens', decimal(listed), { provider: world.name })],
    )
    const report = await snapshot(db.sql, world.name, lines, { at: day(today) })
    await checkEvents(
      world,
      world.resources.flatMap((resource) => model.fetched(resource, today)),
      JSON.stringify(report),
    )
  }

  /** The events since the last time are these, with the prices before and after. */
  async function checkEvents(world: World, expected: model.ModelEvent[], report = ''): Promise<void> {
    const rows = await db.sql<{ seq: string; type: string; body: string }[]>`
      select seq, type, body from event
      where provider = ${world.name} and seq > ${world.lastSeq} and type <> 'provider.added' order by seq`
    world.lastSeq = rows.at(-1)?.seq ?? world.lastSeq
    const seen = rows.map(({ type, body }) => {
      const event = JSON.parse(body)
      const [only] = event.lines ?? []
      const from = event.previous?.price ?? (type === 'resource.removed' ? only?.price : undefined)
      const to = event.current?.price ?? (type === 'resource.added' ? only?.price : undefined)
      return { type, resource: event.resource, from, to }
    })
    const wanted = expected.map(({ type, resource, from, to }) => ({
      ...{ type, resource },
      from: from === undefined ? undefined : decimal(from),
      to: to === undefined ? undefined : decimal(to),
    }))
    const inOrder = (a: { type: string; resource: string }, b: { type: string; resource: string }) =>
      `${a.type} ${a.resource}` < `${b.type} ${b.resource}` ? -1 : 1
    expect(seen.sort(inOrder), report).toEqual(wanted.sort(inOrder))
  }

  const seenRows = (rows: Row[]) =>
    rows.map(({ resource, price, recordedAt, approvalStatus }) =>
      [resource, price, recordedAt, approvalStatus].join(' '),
    )
  const expectedRows = ({ resources }: World, at: number) =>
    model
      .rowsAt(resources, at)
      .map(({ resource, price, recordedAt, approvalStatus }) =>
        [resource, decimal(price), day(recordedAt), approvalStatus].join(' '),
      )

  async function checkRows(world: World, at: number): Promise<void> {
    const asOf = earliest(plus(day(0), Math.round(at * DAY)), await lastPublication(db.sql))
    const request = { asOf, providers: [world.name], limit: 10_000, after: '' }
    const text = await readPage(db.sql, request)
    const rows = (JSON.parse(text) as Page).prices
    expect(seenRows(rows).sort()).toEqual(expectedRows(world, at).sort())
    world.answers.push({ request, text })
  }

  async function readOn(world: World, walk: Walk, request: Request): Promise<void> {
    const { prices, nextCursor } = JSON.parse(await readPage(db.sql, request)) as Page
    expect(prices.length).toBeLessThanOrEqual(walk.limit)
    walk.rows.push(...prices)
    walk.next = nextCursor === null ? undefined : (continued(CURSOR_KEY, nextCursor, walk.limit) as Request)
    if (nextCursor !== null) return
    walk.isOver = true
    const hashes = walk.rows.map(({ contentHash }) => contentHash)
    expect(hashes, 'ordered by contentHash, none twice').toEqual([...new Set(hashes)].sort())
    expect(seenRows(walk.rows).sort(), 'none is skipped').toEqual(expectedRows(world, walk.at).sort())
  }

  /** Whatever came after: the same answers, and what is left of every walk. */
  async function end(world: World): Promise<void> {
    for (const walk of world.walks) while (walk.next) await readOn(world, walk, walk.next)
    expect(world.walks.every(({ isOver }) => isOver)).toBe(true)
    for (const { request, text } of world.answers) expect(await readPage(db.sql, request)).toBe(text)
  }

  type Act = (world: World, resource: model.ModelResource, pick: number) => Promise<unknown>
  const action = (name: string, act: Act, isPossible: (resource: model.ModelResource, world: World) => boolean) =>
    fc.nat(1_000).map((pick) => {
      const possible = (world: Readonly<World>) => world.resources.filter((resource) => isPossible(resource, world))
      return command<World, typeof db>(
        `${name} (${pick})`,
        async (world) => {
          const found = possible(world)
          await act(world, found[pick % found.length]!, pick)
          await checkRows(world, world.today)
        },
        (world) => possible(world).length > 0,
      )
    })
  const isMissing = ({ listed, rows, isRemoved }: model.ModelResource) =>
    listed === undefined && rows.length > 0 && !isRemoved
  const correction = (hash: string, today: number) => ({
    ...{ contentHash: hash, actor: 'person', reason: 'because', at: day(today) },
  })
  async function hashOf(world: World, { resource, price, recordedAt }: model.ModelRow): Promise<string> {
    const [row] = await db.sql<{ hash: string }[]>`
      select content_hash as hash from price_row join price_line l using (line_id)
      where l.source = ${world.name} and l.resource = ${resource} and price = ${decimal(price)}
        and recorded_at = ${day(recordedAt)}`
    return row!.hash
  }
  const decide = async (world: World, resource: model.ModelResource, decision: 'approve' | 'reject') => {
    const today = nextDay(world)
    const items = (await openReviewItems(db.sql, 1_000)).filter(({ source }) => source === world.name)
    const rows = await db.sql<{ hash: string }[]>`
      select content_hash as hash from price_row join price_line l using (line_id)
      where l.source = ${world.name} and l.resource = ${resource.name} and price = ${decimal(resource.held!.price)}`
    const item = items.find((open) => rows.some(({ hash }) => open.rows.includes(hash)))!
    await decideReview(db.sql, { reviewId: item.reviewId, decision, actor: 'a', reason: 'r', at: day(today) })
    return today
  }

  const list = action('the list is read', (world) => fetchList(world), () => true) // biome-ignore format: one line
  const change = action(
    'a price changes',
    async (world, resource) => {
      resource.listed = newPrice(world, resource.listed!)
      await fetchList(world)
    },
    ({ listed }) => listed !== undefined,
  )
  const read = fc.double({ min: 0, max: 1, noNaN: true }).map((share) =>
    command<World, typeof db>(`a read at ${share}`, async (world) => {
      const first = Math.min(...world.resources.flatMap(({ rows }) => rows.map(({ recordedAt }) => recordedAt)))
      const halves = Math.floor(share * 2 * (world.today - first)) / 2
      await checkRows(world, first + halves)
    }),
  )
  const walk = fc.integer({ min: 1, max: 4 }).map((limit) =>
    command<World, typeof db>(`a walk with ${limit} rows a page`, async (world) => {
      const begun: Walk = { at: world.today, limit, rows: [], isOver: false }
      world.walks.push(begun)
      const asOf = earliest(day(world.today), await lastPublication(db.sql))
      await readOn(world, begun, { asOf, providers: [world.name], limit, after: '' })
    }),
  )
  const nextPages = fc.constant(
    command<World, typeof db>('the next pages', async (world) => {
      for (const walk of world.walks) if (walk.next) await readOn(world, walk, walk.next)
    }),
  )
  const commands = [
    ...[list, change, change, read, walk, nextPages],
    action(
      'a price changes much',
      async (world, resource) => {
        const factor = resource.listed! > 50_000 ? 0.2 : 4
        resource.listed = newPrice(world, Math.round(resource.listed! * factor))
        await fetchList(world)
      },
      ({ listed, held }) => listed !== undefined && held === undefined,
    ),
    action(
      'a resource is listed for the first time',
      async (world, resource) => {
        resource.listed = newPrice(world, 20_000)
        await fetchList(world)
      },
      ({ listed, rows }) => listed === undefined && rows.length === 0,
    ),
    action(
      'a resource leaves the list',
      async (world, resource) => {
        resource.listed = undefined
        await fetchList(world)
      },
      (resource, { resources }) =>
        resource.listed !== undefined &&
        resource.held === undefined &&
        model.current(resource) !== undefined &&
        !resources.some(isMissing),
    ),
    action(
      'a resource is listed again',
      async (world, resource) => {
        resource.listed = model.current(resource)?.price ?? lastPrice(resource)
        await fetchList(world)
      },
      ({ listed, rows }) => listed === undefined && rows.length > 0,
    ),
    action(
      'a row is withdrawn',
      async (world, resource, pick) => {
        const served = model.servedRows(resource)
        const row = served[pick % served.length]!
        const hash = await hashOf(world, row)
        const today = nextDay(world)
        await withdrawRow(db.sql, correction(hash, today))
        await checkEvents(world, model.withdraw(resource, row, today))
      },
      (resource) => resource.listed !== undefined && model.servedRows(resource).length > 0,
    ),
    action(
      'a row is restored',
      async (world, resource, pick) => {
        const withdrawn = resource.rows.filter(({ ended }) => ended === 'withdrawn')
        const row = withdrawn[pick % withdrawn.length]!
        const hash = await hashOf(world, row)
        const today = nextDay(world)
        if (resource.isRemoved) {
          const refused = restoreRow(db.sql, correction(hash, today))
          await expect(refused).rejects.toMatchObject({ code: 'invalid_body' })
          return
        }
        await restoreRow(db.sql, correction(hash, today))
        await checkEvents(world, model.restore(resource, row, today))
      },
      ({ rows, listed, isRemoved }) =>
        (listed !== undefined || isRemoved) && rows.some(({ ended }) => ended === 'withdrawn'),
    ),
    action(
      'a held price is approved',
      async (world, resource) => {
        const today = await decide(world, resource, 'approve')
        await checkEvents(world, model.approve(resource, today))
      },
      ({ held }) => held !== undefined,
    ),
    action(
      'a held price is rejected',
      async (world, resource) => {
        await decide(world, resource, 'reject')
        model.reject(resource)
        await checkEvents(world, [])
      },
      ({ held }) => held !== undefined,
    ),
  ]
  const lastPrice = ({ rows }: model.ModelResource) =>
    rows.filter(({ ended }) => ended === 'removed').sort((a, b) => b.recordedAt - a.recordedAt)[0]?.price ??
    rows.at(-1)!.price

  it('agree with the model: each answer, each walk through its pages, and each event', async () => {
    const tried = await checkAgainstModel({ name: 'publications', seconds: 2, steps: 60, commands, begin, end })
    expect(tried.steps).toBeGreaterThan(0)
  })
})
