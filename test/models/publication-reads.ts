import fc from 'fast-check'
import { expect } from 'vitest'
import { lastPublication } from '../../src/catalog/clock/clock-store.ts'
import { earliest } from '../../src/lib/instant.ts'
import { continued } from '../../src/prices/history/cursor-rules.ts'
import { day } from '../prices/observed.ts'
import { CURSOR_KEY, readPage } from '../support/definitions/history.ts'
import {
  checkRows,
  expectedRows,
  type Page,
  type Product,
  type Request,
  seenRows,
  type Walk,
  type World,
} from './publication-world.ts'
import { command } from './run-model.ts'

async function readOn(world: World, { db }: Product, walk: Walk, request: Request): Promise<void> {
  const { prices, nextCursor } = JSON.parse(await readPage(db.sql, request)) as Page
  expect(prices.length).toBeLessThanOrEqual(walk.limit)
  walk.rows.push(...prices)
  walk.next = nextCursor === null ? undefined : (continued(CURSOR_KEY, nextCursor, walk.limit) as Request)
  if (nextCursor !== null) return
  walk.isOver = true
  const hashes = walk.rows.map(({ contentHash }) => contentHash)
  expect(hashes, 'ordered by contentHash, none twice').toEqual([...new Set(hashes)].sort())
  expect(seenRows(walk.rows), 'none is skipped').toEqual(expectedRows(world, walk.at))
}

/** Whatever came after: the same answers, and what is left of every walk. */
export async function end(world: World, product: Product): Promise<void> {
  for (const walk of world.walks) while (walk.next) await readOn(world, product, walk, walk.next)
  expect(world.walks.every(({ isOver }) => isOver)).toBe(true)
  for (const { request, text } of world.answers) expect(await readPage(product.db.sql, request)).toBe(text)
}

export const read = fc.double({ min: 0, max: 1, noNaN: true }).map((share) =>
  command<World, Product>(`a read at ${share}`, async (world, product) => {
    const first = Math.min(...world.resources.flatMap(({ rows }) => rows.map(({ recordedAt }) => recordedAt)))
    const halves = Math.floor(share * 2 * (world.today - first)) / 2
    await checkRows(world, product, first + halves)
  }),
)

export const walk = fc.integer({ min: 1, max: 4 }).map((limit) =>
  command<World, Product>(`a walk with ${limit} rows a page`, async (world, product) => {
    const begun: Walk = { at: world.today, limit, rows: [], isOver: false }
    world.walks.push(begun)
    const asOf = earliest(day(world.today), await lastPublication(product.db.sql))
    await readOn(world, product, begun, { asOf, providers: [world.name], limit, after: '' })
  }),
)

export const nextPages = fc.constant(
  command<World, Product>('the next pages', async (world, product) => {
    for (const begun of world.walks) if (begun.next) await readOn(world, product, begun, begun.next)
  }),
)
