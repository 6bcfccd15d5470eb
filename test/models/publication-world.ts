import { expect } from 'vitest'
import { lastPublication } from '../../src/catalog/clock/clock-store.ts'
import { sha256 } from '../../src/lib/hash.ts'
import { earliest, type Instant, plus } from '../../src/lib/instant.ts'
import type { HistoryRequest } from '../../src/prices/history/history-rules.ts'
import { day, observed } from '../prices/observed.ts'
import { snapshot } from '../prices/support.ts'
import type { testDatabase } from '../support/database.ts'
import { readPage } from '../support/definitions/history.ts'
import * as model from './publication-model.ts'

/** This many that one of them may be removed without a person. */
const RESOURCES = 10
const HALF_A_DAY = 12 * 3_600_000
const DAY = 2 * HALF_A_DAY

export type Row = { contentHash: string; resource: string; price: string; recordedAt: Instant; approvalStatus: string }
export type Page = { asOf: Instant; nextCursor: string | null; prices: Row[] }
export type Request = HistoryRequest & { asOf: Instant }
/** A walk through the pages of an answer, begun at some time and continued at others. */
export type Walk = { at: number; limit: number; rows: Row[]; next?: Request; isOver: boolean }
/** A source with one provider of its own, and what was read from it. */
export type World = {
  name: string
  /** The last day on which something was published. */
  today: number
  resources: model.ModelResource[]
  walks: Walk[]
  answers: { request: Request; text: string }[]
  prices: Set<number>
  lastSeq: string
}
/** A database, how many histories it holds, and the day on which the next publication is made. */
export type Product = { db: ReturnType<typeof testDatabase>; histories: number; days: number }

/** The days of a product without publications. Long searches take centuries, and no day may be later than today. */
export const newProduct = (db: Product['db']): Product => ({ db, histories: 0, days: -500 * 365 })

export async function begin(product: Product): Promise<World> {
  const name = `list-${product.histories++}`
  const [seq] = await product.db.sql<{ last: string }[]>`select last_seq as last from publication_clock`
  const resources: model.ModelResource[] = Array.from({ length: RESOURCES }, (_, n) => ({
    ...{ name: unlikeName(`${name} ${n}`), rejected: [], rows: [], isRemoved: false },
    ...(n > 1 && { listed: 20_007 + 10 * n }),
  }))
  const prices = new Set(resources.flatMap(({ listed }) => listed ?? []))
  const world: World = { name, today: 0, resources, walks: [], answers: [], prices, lastSeq: seq!.last }
  await fetchList(world, product)
  return world
}

/** Names of which none may be another spelling, version or variant of another. */
const unlikeName = (text: string) =>
  sha256(text)
    .slice(0, 12)
    .replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!)

export const nextDay = (world: World, product: Product): number => {
  world.today = product.days++
  return world.today
}

/** Prices are counted in units of the tenth decimal place. */
export const decimal = (price: number): string => (price / 1e10).toFixed(10)

/**
 * Returns a price near to another that no line ever had: a name with the price of one that is missing may be its new
 * name.
 */
export function newPrice({ prices }: World, near: number): number {
  let price = Math.floor(near / 10) * 10 + 17
  while (prices.has(price)) price += 10
  prices.add(price)
  return price
}

export async function fetchList(world: World, product: Product): Promise<void> {
  const today = nextDay(world, product)
  const lines = world.resources.flatMap(({ name, listed }) =>
    listed === undefined ? [] : [observed(name, 'input_tokens', decimal(listed), { provider: world.name })],
  )
  const report = await snapshot(product.db.sql, world.name, lines, { at: day(today) })
  const expected = world.resources.flatMap((resource) => model.fetched(resource, today))
  await checkEvents(world, product, expected, JSON.stringify(report))
}

type SeenEvent = { type: string; resource: string; from?: string; to?: string }

/** The events since the last time are these, with the prices before and after. */
export async function checkEvents(
  world: World,
  { db }: Product,
  expected: model.ModelEvent[],
  report = '',
): Promise<void> {
  const rows = await db.sql<{ seq: string; type: string; body: string }[]>`
    select seq, type, body from event
    where provider = ${world.name} and seq > ${world.lastSeq} and type <> 'provider.added' order by seq`
  world.lastSeq = rows.at(-1)?.seq ?? world.lastSeq
  const seen = rows.map(({ type, body }): SeenEvent => {
    const event = JSON.parse(body)
    const [only] = event.lines ?? []
    const from = event.previous?.price ?? (type === 'resource.removed' ? only?.price : undefined)
    const to = event.current?.price ?? (type === 'resource.added' ? only?.price : undefined)
    return { type, resource: event.resource, from, to }
  })
  const wanted = expected.map(
    ({ type, resource, from, to }): SeenEvent => ({
      ...{ type, resource },
      from: from === undefined ? undefined : decimal(from),
      to: to === undefined ? undefined : decimal(to),
    }),
  )
  const inOrder = (a: SeenEvent, b: SeenEvent) => (`${a.type} ${a.resource}` < `${b.type} ${b.resource}` ? -1 : 1)
  expect(seen.sort(inOrder), report).toEqual(wanted.sort(inOrder))
}

export const seenRows = (rows: Row[]): string[] =>
  rows
    .map(({ resource, price, recordedAt, approvalStatus }) => [resource, price, recordedAt, approvalStatus].join(' '))
    .sort()

export const expectedRows = ({ resources }: World, at: number): string[] =>
  model
    .rowsAt(resources, at)
    .map(({ resource, price, recordedAt, approvalStatus }) =>
      [resource, decimal(price), day(recordedAt), approvalStatus].join(' '),
    )
    .sort()

/** What the API answers for a time, in days, is what the model says. The answer is kept: it must never be another. */
export async function checkRows(world: World, { db }: Product, at: number): Promise<void> {
  const asOf = earliest(plus(day(0), Math.round(at * DAY)), await lastPublication(db.sql))
  const request = { asOf, providers: [world.name], limit: 10_000, after: '' }
  const text = await readPage(db.sql, request)
  expect(seenRows((JSON.parse(text) as Page).prices)).toEqual(expectedRows(world, at))
  world.answers.push({ request, text })
}
