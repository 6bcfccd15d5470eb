import { describe, expect, it } from 'vitest'
import { sourceDeclaration } from '../../../src/catalog/schema.ts'
import { type Instant, plus } from '../../../src/lib/instant.ts'
import { type ReplayOptions, replayPrices } from '../../../src/prices/ingest/replay-prices.ts'
import type { Miss } from '../../../src/prices/replay/miss-rules.ts'
import type { Observation } from '../../../src/prices/schema.ts'
import { testDatabase } from '../../support/database.ts'
import { EMPTY } from '../../support/empty.ts'
import { day, model, models, observed } from '../observed.ts'

/** What a snapshot says, and from which day on it says something else, or nothing that can be read. */
type List = Observation[] | { list: Observation[]; from: number; later?: Observation[] }

describe('a replayed history', () => {
  const db = testDatabase({ each: true })
  const parser = {
    parserVersion: 1,
    parse: (bytes: Uint8Array, at: Instant) => {
      const list: List = JSON.parse(Buffer.from(bytes).toString())
      const parsed = (observations: Observation[]) => ({
        ...{
          providers: observations.length > 0 ? [{ provider: 'acme', name: 'Acme' }] : [],
          observations,
          ignored: [],
        },
        ...('from' in list && { nextChangeAt: day(list.from) }),
      })
      if (!('from' in list)) return parsed(list)
      if (at < day(list.from)) return parsed(list.list)
      if (!list.later) throw new Error('unreadable')
      return parsed(list.later)
    },
  }
  type ReplaySetting = { intervalHours?: number; url?: string; days?: number[] } & ReplayOptions
  /** Replays lists that were recorded ten days apart, unless `days` says otherwise. */
  const replay = (lists: (List | 'damaged')[], { intervalHours = 1, url, days, ...options }: ReplaySetting = {}) => {
    async function* recorded() {
      for (const [n, list] of lists.entries())
        yield { file: `${n}`, at: day(days?.[n] ?? n * 10), bytes: Buffer.from(JSON.stringify(list)) }
    }
    const declared = { source: 'one', format: 'hand', intervalSeconds: intervalHours * 3600, ...(url && { url }) }
    return replayPrices(db.sql, sourceDeclaration.parse(declared), parser, recorded(), options)
  }
  /** The same, with each reading that was compared: its file, its day, whether it is a further one, and what came of it. */
  const read = async (lists: (List | 'damaged')[], given: ReplaySetting = {}) => {
    const readings: unknown[][] = []
    const misses: Miss[] = []
    const result = await replay(lists, {
      ...given,
      onReport: ({ file, at, refetch, report: { events, held, quarantined, suppressed } }) =>
        readings.push([file, at, refetch, quarantined?.reason ?? { ...events, ...held, ...suppressed }]),
      onMiss: (miss) => misses.push(miss),
    })
    return { result, readings, misses }
  }
  const rest = models(20)

  it('fetches each snapshot again until the next: an absence is confirmed without another snapshot', async () => {
    const result = await replay([[...rest, ...model('gone', 0.0000077)], rest])
    expect(result).toMatchObject({ snapshots: 2, refetches: 1, events: { 'resource.removed': 1 }, falseRemovals: 0 })
    const [removed] = await db.sql`select eligible_at as at from event where type = 'resource.removed'`
    expect(removed?.at).toBe(day(13))
  })

  it('needs three fetches, however long the interval', async () => {
    await replay([[...rest, ...model('gone', 0.0000077)], rest], { intervalHours: 48 })
    const [removed] = await db.sql`select eligible_at as at from event where type = 'resource.removed'`
    expect(removed?.at).toBe(day(14))
  })

  it('counts what was published at once', async () => {
    const started = performance.now()
    const { result, misses } = await read([model('m', 0.000002), model('m', 0.000003)])
    expect(result.seconds * 1000).toBeLessThan(performance.now() - started + 1)
    expect(result).toMatchObject({
      ...{ snapshots: 2, refetches: 0, lines: 4, quarantined: EMPTY, questions: EMPTY, suppressed: EMPTY },
      changes: { total: 2, true: { seen: 2, published: 2 } },
      hoursToPublish: { median: 0, p95: 0, shareWithin48h: 1 },
      tornSets: 0,
      stillHeld: EMPTY,
    })
    expect(misses).toEqual([])
  })

  it('has no events of its first list, and none before there is one', async () => {
    const { result, readings } = await read([
      'damaged',
      [],
      model('m', 0.000002),
      [...model('m', 0.000002), ...model('n', 0.000003)],
    ])
    expect(readings).toEqual([
      ['1', day(10), false, 'no_prices'],
      ['2', day(20), false, {}],
      ['3', day(30), false, { 'resource.added': 1 }],
    ])
    expect(result).toMatchObject({ snapshots: 4, lines: 6, quarantined: { unreadable: 1, no_prices: 1 }, refetches: 0 })
  })

  it('reads a snapshot again when a price begins that it announces', async () => {
    const step = { list: model('m', 0.000002), from: 4, later: model('m', 0.000003) }
    const { result, readings } = await read([step, step, model('m', 0.000003)])
    expect(readings).toEqual([
      ['0', day(0), false, {}],
      ['0', day(4), true, { 'price.changed': 2 }],
      ['1', day(10), false, {}],
      ['2', day(20), false, {}],
    ])
    expect(result).toMatchObject({ snapshots: 3, refetches: 1, changes: { total: 2 }, hoursToPublish: { p95: 0 } })
  })

  it('keeps what it read before where the snapshot cannot be read then, and where the next one comes first', async () => {
    const broken = { list: model('m', 0.000002), from: 4 }
    const late = { list: model('m', 0.000002), from: 20, later: model('m', 0.000003) }
    const { result, readings } = await read([broken, late, model('m', 0.000002)])
    expect(readings).toEqual([
      ['0', day(0), false, {}],
      ['0', day(4), true, {}],
      ['1', day(10), false, {}],
      ['2', day(20), false, {}],
    ])
    expect(result).toMatchObject({ refetches: 1, changes: { total: 0 } })
  })

  it('puts snapshots that are not in order one after the other', async () => {
    const { readings } = await read([model('m', 0.000002), model('m', 0.000003), model('m', 0.000004)], {
      days: [5, 5, 3],
    })
    expect(readings).toEqual([
      ['0', day(5), false, {}],
      ['1', plus(day(5), 1), false, { 'price.changed': 2 }],
      ['2', plus(day(5), 2), false, { 'price.changed': 2 }],
    ])
  })

  it('tries a list that was served before again each six hours until it is believed, and then what waits in it', async () => {
    const other = models(20).map((line) => ({ ...line, price: String(Number(line.price) * 1.5) }))
    const { result, readings } = await read([rest, other, rest], { days: [0, 5, 10] })
    expect(readings).toEqual([
      ['0', day(0), false, {}],
      ['1', day(5), false, { mass_change: 40 }],
      ['1', day(6), true, { 'price.changed': 40 }],
      ['2', day(10), false, 'served_again'],
      ...[10.25, 10.5, 10.75].map((n) => ['2', day(n), true, 'served_again']),
      ['2', day(11), true, { flips_back: 40, mass_change: 40 }],
      ['2', day(12), true, { 'price.changed': 40 }],
    ])
    expect(result).toMatchObject({
      refetches: 2,
      quarantined: { served_again: 1 },
      held: { flips_back: 40, mass_change: 80 },
    })
  })

  it('counts what a list leaves out once, and again where a further reading of it is recorded', async () => {
    const flipped = (n: number) => [...rest, ...model('m', n), ...model('gone', 0.0000077)]
    const twice = observed('twice', 'input_tokens', '0.000002')
    const lists = [
      flipped(0.000002),
      [...flipped(0.0002), twice, twice, twice].filter(({ resource }) => resource !== 'gone'),
    ]
    const { result, readings } = await read(lists)
    const held = { implausible_price: 2, power_of_ten: 2 }
    expect(readings).toEqual([
      ['0', day(0), false, {}],
      ['1', day(10), false, { duplicate_line: 2, 'resource.added': 1, ...held }],
      ['1', day(11), true, { duplicate_line: 2 }],
      ['1', day(13), true, { duplicate_line: 2, 'resource.removed': 1 }],
    ])
    expect(result).toMatchObject({ suppressed: { duplicate_line: 4 } })
  })

  it('waits as long as it is fetched where that is more seldom than every six hours, and no longer than to the next list', async () => {
    const other = models(20).map((line) => ({ ...line, price: String(Number(line.price) * 1.5) }))
    const { readings } = await read([rest, other, rest, other], { days: [0, 5, 10, 10.75], intervalHours: 9 })
    expect(readings.slice(3)).toEqual([
      ['2', day(10), false, 'served_again'],
      ['2', day(10.375), true, 'served_again'],
      ['3', day(10.75), false, {}],
    ])
  })

  it('tells what was published late or not at all', async () => {
    const late = await read([model('m', 0.000002), model('m', 0.000009)], { days: [0, 10] })
    expect(late.misses).toEqual([])
    expect(late.result).toMatchObject({ held: { large_change: 2 }, hoursToPublish: { median: 24 } })
  })

  it('tells what was never published, and why', async () => {
    const { misses } = await read([model('m', 0.000002), model('m', 0.005)])
    const [at, what, reasons] = [day(10), 'unpublished', expect.arrayContaining(['implausible_price'])]
    const before = ['0.000002', '0.000008']
    expect(misses).toMatchObject(before.map((price) => ({ what, at, before: price, reasons })))
    expect(misses).toHaveLength(2)
  })

  it('stores each snapshot with the address of its source, without keys', async () => {
    const addresses = async () => (await db.sql`select address from snapshot`).map((row) => row.address)
    await replay([model('m', 0.000002)])
    expect(await addresses()).toEqual([null])
    await replay([model('n', 0.000002)], { url: 'https://example.com/list?key=1', days: [10] })
    expect((await addresses()).sort()).toEqual(['https://example.com/list?key=hidden', null])
  })
})
