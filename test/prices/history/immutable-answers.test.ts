import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Dimension } from '../../../src/catalog/schema.ts'
import { AppError } from '../../../src/lib/errors.ts'
import { HOUR, type Instant } from '../../../src/lib/instant.ts'
import type { Sql } from '../../../src/lib/sql.ts'
import { continued } from '../../../src/prices/history/cursor-rules.ts'
import type { HistoryRequest } from '../../../src/prices/history/history-rules.ts'
import { providersAt } from '../../../src/prices/history/history-store.ts'
import { withDatabase } from '../../support/database.ts'
import { CURSOR_KEY, readPage } from '../../support/definitions/history.ts'
import { happening, NAMES, PROVIDERS, randomWorld } from '../../support/definitions/random-history.ts'

/** The same histories every time; others for so long with PRICETAPE_PROPERTY_SECONDS, or from PRICETAPE_PROPERTY_SEED. */
const { PRICETAPE_PROPERTY_SECONDS, PRICETAPE_PROPERTY_SEED: SEED } = process.env
const isSearch = PRICETAPE_PROPERTY_SECONDS !== undefined
const SECONDS = Number(PRICETAPE_PROPERTY_SECONDS ?? 0)
const FIXED = { seed: 101, numRuns: 12 }
/** This many histories are tried however busy the machine is. */
const LEAST_RUNS = 3
const MOST_SHRINKING_MS = 120_000

const DIMENSIONS: Dimension[] = ['input_tokens', 'output_tokens', 'cache_read_tokens', 'requests']
const maybe = <T>(arbitrary: fc.Arbitrary<T>, absent = 1) =>
  fc.oneof({ weight: absent, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
/** Most questions have one filter at most: several at once leave few rows. */
const some = <T>(items: readonly T[]) => maybe(fc.subarray([...items], { minLength: 1 }), 4)
const resources = NAMES.flat()
const question = fc.record({
  at: fc.nat(1_000),
  shift: fc.constantFrom(-1, 0, 12 * HOUR),
  since: maybe(fc.nat(1_000)),
  providers: some(PROVIDERS),
  group: maybe(fc.nat(10), 2),
  resources: some(resources),
  canonicalResources: some(['maker/alpha-1-0', 'maker/alpha-1-1', 'maker/beta-1-0']),
  dimensions: some(DIMENSIONS),
  current: fc.constantFrom(true, false, false),
  limit: fc.constantFrom(7, 25, 10_000),
})
type Question = typeof question extends fc.Arbitrary<infer T> ? T : never
const step = fc.record({ happening, questions: fc.array(question, { minLength: 1, maxLength: 3 }) })
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

type Row = {
  contentHash: string
  source: string
  provider: string
  resource: string
  dimension: string
  unit: string
  currency: string
  pricingTier: object
  recordedAt: Instant
  renamedTo?: string
}
type Page = {
  asOf: Instant
  nextCursor: string | null
  alias?: { revision: number }
  prices: Row[]
  unpublished?: string[]
}
type Request = HistoryRequest & { asOf: Instant }

/** Reads all pages of a walk: their texts, byte for byte. */
async function walk(sql: Sql, request: Request): Promise<string[]> {
  const texts = [await readPage(sql, request)]
  for (let next = nextOf(texts[0]!, request.limit); next; next = nextOf(texts.at(-1)!, request.limit))
    texts.push(await readPage(sql, next))
  return texts
}
function nextOf(text: string, limit: number): Request | undefined {
  const { nextCursor } = JSON.parse(text) as Page
  return nextCursor === null ? undefined : (continued(CURSOR_KEY, nextCursor, limit) as Request)
}
const rowsOf = (texts: string[]): Row[] => texts.flatMap((text) => (JSON.parse(text) as Page).prices)

/** An answer that was given, and the page that its walk would have continued with. */
type Answer = { request: Request; texts: string[]; revision?: number; second?: Request }

/** Gives an answer again. Undefined when its group changed, as it has to be then. */
async function giveAgain(sql: Sql, { request, revision, second, texts }: Answer): Promise<string[] | undefined> {
  try {
    const again = await walk(sql, request)
    if ((JSON.parse(again[0]!) as Page).alias?.revision === revision) {
      if (second) expect(await walk(sql, second)).toEqual(texts.slice(1))
      return again
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'alias_not_found') throw error
  }
  if (second) await expect(readPage(sql, second)).rejects.toMatchObject({ code: 'alias_changed' })
  return undefined
}

async function requestOf(world: ReturnType<typeof randomWorld>, asked: Question): Promise<Request> {
  const { at, shift, since, providers, group, current, limit } = asked
  const asOf = await world.closedInstant(at, shift)
  const earlier = since === undefined || current ? undefined : await world.closedInstant(since, shift)
  const id = group === undefined ? undefined : world.group(group)
  return {
    limit,
    after: '',
    asOf,
    providers,
    alias: id === undefined ? undefined : { reference: id },
    since: earlier !== undefined && earlier <= asOf ? earlier : undefined,
    filters: {
      resources: asked.resources,
      canonicalResources: asked.canonicalResources,
      dimensions: asked.dimensions,
      current: current ? true : undefined,
    },
  }
}

/** A copy of the answer at `since` that applies the changes is the answer at asOf. */
async function checkMirror(sql: Sql, request: Request, changes: string[]): Promise<void> {
  const at = async (asOf: Instant) =>
    new Map(rowsOf(await walk(sql, { ...request, since: undefined, asOf })).map((row) => [row.contentHash, row]))
  const copy = await at(request.since!)
  for (const text of changes) {
    const { prices, unpublished } = JSON.parse(text) as Page
    for (const row of prices) copy.set(row.contentHash, row)
    for (const hash of unpublished!) expect(copy.delete(hash)).toBe(true)
  }
  expect(sorted([...copy.values()])).toEqual(sorted([...(await at(request.asOf)).values()]))
}

/** Filters leave out rows of the answer without them, and `current` leaves one row of each line. */
async function checkFilters(sql: Sql, request: Request, rows: Row[]): Promise<void> {
  const { resources: names, dimensions, current, canonicalResources } = request.filters!
  if (request.since !== undefined || canonicalResources) return
  const all = rowsOf(await walk(sql, { ...request, filters: undefined }))
  // Whether a row is current does not depend on what else is asked for.
  const everything = rowsOf(await walk(sql, { limit: 10_000, after: '', asOf: request.asOf, providers: PROVIDERS }))
  const currents = new Set(currentRows(everything))
  const wanted = all.filter(
    (row) =>
      (!names || names.includes(row.resource)) &&
      (!dimensions || (dimensions as string[]).includes(row.dimension)) &&
      (!current || currents.has(row.contentHash)),
  )
  expect(sorted(rows)).toEqual(sorted(wanted))
}

function currentRows(rows: Row[]): string[] {
  const lines = new Map<string, Row[]>()
  for (const row of rows) {
    const { source, provider, resource, renamedTo, dimension, unit, currency, pricingTier } = row
    const line = JSON.stringify([source, provider, renamedTo ?? resource, dimension, unit, currency, pricingTier])
    lines.set(line, [...(lines.get(line) ?? []), row])
  }
  return [...lines.values()].map((ofLine) => {
    const listed = ofLine.filter((row) => row.renamedTo === undefined)
    const order = (row: Row) => row.recordedAt + row.contentHash
    return (listed.length > 0 ? listed : ofLine).reduce((a, b) => (order(a) > order(b) ? a : b)).contentHash
  })
}

/** What providers are said to price in follows from the rows that are published at that instant. */
async function checkPricing(sql: Sql, at: Instant): Promise<void> {
  const { prices } = JSON.parse(
    await readPage(sql, { limit: 10_000, after: '', asOf: at, providers: PROVIDERS }),
  ) as Page
  const inCredits = prices.filter((row) => row.dimension === 'credits' || row.currency.endsWith('_CREDIT'))
  const { creditProviders } = await providersAt(sql, at)
  expect(creditProviders.sort()).toEqual([...new Set(inCredits.map(({ provider }) => provider))].sort())
}

const sorted = (rows: Row[]): Row[] => [...rows].sort((a, b) => (a.contentHash < b.contentHash ? -1 : 1))

async function checkHistory(sql: Sql, steps: Step[]): Promise<void> {
  const world = randomWorld(sql)
  await world.read()
  const answers: Answer[] = []
  for (const { happening, questions } of steps) {
    await world.happen(happening)
    for (const answer of answers) {
      const again = await giveAgain(sql, answer)
      if (again) expect(again).toEqual(answer.texts)
    }
    for (const asked of questions) {
      const request = await requestOf(world, asked)
      const texts = await walk(sql, request)
      const second = texts.length > 1 ? nextOf(texts[0]!, request.limit) : undefined
      answers.push({ request, texts, revision: (JSON.parse(texts[0]!) as Page).alias?.revision, second })
      await checkFilters(sql, request, rowsOf(texts))
      await checkPricing(sql, request.asOf)
      if (request.since !== undefined) await checkMirror(sql, request, texts)
    }
  }
}

describe('an answer at a closed instant', () => {
  const limits = {
    ...(isSearch ? { numRuns: Math.max(LEAST_RUNS, SECONDS * 10) } : FIXED),
    interruptAfterTimeLimit: SECONDS * 1_000 + MOST_SHRINKING_MS,
    ...(SEED !== undefined && { seed: Number(SEED) }),
  }

  it('is the same byte for byte after whatever happens, and its filters and changes agree with it', async () => {
    const began = performance.now()
    let right = 0
    let failed = false
    const isOver = () => isSearch && right >= LEAST_RUNS && performance.now() - began > SECONDS * 1_000
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        // What failed is made smaller without regard to the time.
        if (!failed && isOver()) return
        try {
          await withDatabase((sql) => checkHistory(sql, steps))
          right++
        } catch (error) {
          failed = true
          throw error
        }
      }),
      limits,
    )
  })
})
