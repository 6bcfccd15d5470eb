import fc from 'fast-check'
import { expect } from 'vitest'
import { restoreRow, withdrawRow } from '../../src/prices/review/correct-price.ts'
import { decideReview } from '../../src/prices/review/decide-review.ts'
import { openReviewItems } from '../../src/prices/store/review-store.ts'
import { day } from '../prices/observed.ts'
import * as model from './publication-model.ts'
import { nextPages, read, walk } from './publication-reads.ts'
import {
  checkEvents,
  checkRows,
  decimal,
  fetchList,
  newPrice,
  nextDay,
  type Product,
  type World,
} from './publication-world.ts'
import { command } from './run-model.ts'

type Act = (world: World, product: Product, resource: model.ModelResource, pick: number) => Promise<unknown>

/** What is done to the picked one of the resources for which it is possible, and the comparison after it. */
const action =
  (name: string, act: Act, isPossible: (resource: model.ModelResource, world: World) => boolean) => (pick: number) => {
    const possible = (world: Readonly<World>) => world.resources.filter((resource) => isPossible(resource, world))
    return command<World, Product>(
      `${name} (${pick})`,
      async (world, product) => {
        const found = possible(world)
        await act(world, product, found[pick % found.length]!, pick)
        await checkRows(world, product, world.today)
      },
      (world) => possible(world).length > 0,
    )
  }

const isMissing = ({ listed, rows, isRemoved }: model.ModelResource) =>
  listed === undefined && rows.length > 0 && !isRemoved

const lastPrice = ({ rows }: model.ModelResource) =>
  rows.filter(({ ended }) => ended === 'removed').sort((a, b) => b.recordedAt - a.recordedAt)[0]?.price ??
  rows.at(-1)!.price

const list = action('the list is read', (world, product) => fetchList(world, product), () => true) // biome-ignore format: one line
const change = action(
  'a price changes',
  async (world, product, resource) => {
    resource.listed = newPrice(world, resource.listed!)
    await fetchList(world, product)
  },
  ({ listed }) => listed !== undefined,
)

const leap = action(
  'a price changes much',
  async (world, product, resource) => {
    const factor = resource.listed! > 50_000 ? 0.2 : 4
    resource.listed = newPrice(world, Math.round(resource.listed! * factor))
    await fetchList(world, product)
  },
  ({ listed, held }) => listed !== undefined && held === undefined,
)
const first = action(
  'a resource is listed for the first time',
  async (world, product, resource) => {
    resource.listed = newPrice(world, 20_000)
    await fetchList(world, product)
  },
  ({ listed, rows }) => listed === undefined && rows.length === 0,
)
const leave = action(
  'a resource leaves the list',
  async (world, product, resource) => {
    resource.listed = undefined
    await fetchList(world, product)
  },
  (resource, { resources }) =>
    resource.listed !== undefined &&
    resource.held === undefined &&
    model.current(resource) !== undefined &&
    !resources.some(isMissing),
)
const again = action(
  'a resource is listed again',
  async (world, product, resource) => {
    resource.listed = model.current(resource)?.price ?? lastPrice(resource)
    await fetchList(world, product)
  },
  ({ listed, rows }) => listed === undefined && rows.length > 0,
)

const correction = (contentHash: string, today: number) => ({
  ...{ contentHash, actor: 'person', reason: 'because', at: day(today) },
})

async function hashOf({ db }: Product, world: World, { resource, price, recordedAt }: model.ModelRow): Promise<string> {
  const [row] = await db.sql<{ hash: string }[]>`
    select content_hash as hash from price_row join price_line l using (line_id)
    where l.source = ${world.name} and l.resource = ${resource} and price = ${decimal(price)}
      and recorded_at = ${day(recordedAt)}`
  return row!.hash
}

const withdraw = action(
  'a row is withdrawn',
  async (world, product, resource, pick) => {
    const served = model.servedRows(resource)
    const row = served[pick % served.length]!
    const hash = await hashOf(product, world, row)
    const today = nextDay(world, product)
    await withdrawRow(product.db.sql, correction(hash, today))
    await checkEvents(world, product, model.withdraw(resource, row, today))
  },
  (resource) => resource.listed !== undefined && model.servedRows(resource).length > 0,
)
const restore = action(
  'a row is restored',
  async (world, product, resource, pick) => {
    const withdrawn = resource.rows.filter(({ ended }) => ended === 'withdrawn')
    const row = withdrawn[pick % withdrawn.length]!
    const hash = await hashOf(product, world, row)
    const today = nextDay(world, product)
    const restored = restoreRow(product.db.sql, correction(hash, today))
    if (resource.isRemoved) {
      await expect(restored).rejects.toMatchObject({ code: 'invalid_body' })
      return
    }
    await restored
    await checkEvents(world, product, model.restore(resource, row, today))
  },
  ({ rows, listed, isRemoved }) =>
    (listed !== undefined || isRemoved) && rows.some(({ ended }) => ended === 'withdrawn'),
)

async function decide(world: World, product: Product, resource: model.ModelResource, decision: 'approve' | 'reject') {
  const { sql } = product.db
  const today = nextDay(world, product)
  const items = (await openReviewItems(sql, 1_000)).filter(({ source }) => source === world.name)
  const rows = await sql<{ hash: string }[]>`
    select content_hash as hash from price_row join price_line l using (line_id)
    where l.source = ${world.name} and l.resource = ${resource.name} and price = ${decimal(resource.held!.price)}`
  const item = items.find((open) => rows.some(({ hash }) => open.rows.includes(hash)))!
  await decideReview(sql, { reviewId: item.reviewId, decision, actor: 'a', reason: 'r', at: day(today) })
  return today
}

const approve = action(
  'a held price is approved',
  async (world, product, resource) => {
    const today = await decide(world, product, resource, 'approve')
    await checkEvents(world, product, model.approve(resource, today))
  },
  ({ held }) => held !== undefined,
)
const reject = action(
  'a held price is rejected',
  async (world, product, resource) => {
    await decide(world, product, resource, 'reject')
    model.reject(resource)
    await checkEvents(world, product, [])
  },
  ({ held }) => held !== undefined,
)

const drawn = <Step>(step: (pick: number) => Step) => fc.nat(1_000).map(step)

/** Everything that may happen to the prices of a source, as often as it stands here. */
export const commands = [
  ...[list, change, change].map(drawn),
  ...[read, walk, nextPages],
  ...[leap, first, leave, again, withdraw, restore, approve, reject].map(drawn),
]

const times = (count: number) => Array.from({ length: count }, () => list(0))

/** Histories of one resource, the first that is listed, that random ones seldom have. */
export const HISTORIES = [
  // A price that a person rejected has no effect however long it is listed; another one has.
  [change(0), leap(0), reject(0), ...times(4), change(0)],
  // A large change is published with the third fetch that shows it, a day after the first at the soonest.
  [change(0), leap(0), ...times(3)],
  // A removal ends every row, and what was withdrawn before it cannot be restored until it is listed again.
  [change(0), withdraw(0), leave(0), ...times(3), restore(0), again(0), restore(0)],
  // What is listed again has the status that it had last.
  [change(0), withdraw(0), restore(0), leave(0), ...times(3), again(0)],
]
