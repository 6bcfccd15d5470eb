import { beforeAll, describe, expect, it } from 'vitest'
import { publishing } from '../../../src/catalog/clock/clock-store.ts'
import { HOUR, type Instant, plus } from '../../../src/lib/instant.ts'
import { historyChanges, historyPage } from '../../../src/prices/history/history-store.ts'
import { testDatabase } from '../../support/database.ts'
import { publish, publishIn, renameIn, type SeedRow, seedProviders, withdraw } from '../../support/prices.ts'

const START = '2026-01-01T00:00:00.000Z' as Instant
const at = (hour: number) => plus(START, hour * HOUR)
const db = testDatabase()
const row = (resource: string, price: string, more: Partial<SeedRow> = {}): SeedRow => ({
  ...{ provider: 'acme', resource, price, ...more },
})
type Scope = Parameters<typeof historyPage>[1]['rows']
const scope = (filters: Scope['filters'] = {}, more: Partial<Scope> = {}): Scope => ({ filters, ...more }) as Scope
type Row = { provider: string; resource: string; price: string; renamedTo?: string }
const named = (text: Buffer) =>
  (JSON.parse(`[${text}]`) as Row[])
    .map(
      ({ provider, resource, price, renamedTo }) =>
        `${provider} ${resource} ${price}${renamedTo ? ` → ${renamedTo}` : ''}`,
    )
    .sort()
const page = async (hour: number, rows = scope(), more: Partial<Parameters<typeof historyPage>[1]> = {}) =>
  historyPage(db.sql, { asOf: at(hour), rows, after: '', limit: 99, ...more })
const read = async (hour: number, rows = scope()) => named((await page(hour, rows)).prices)
let hash = ''

beforeAll(async () => {
  await seedProviders(db.sql, at(0), [{ provider: 'acme' }, { provider: 'best' }])
  await publish(db.sql, [row('one', '1'), row('plain', '5', { canonicalResource: 'maker/plain' })], at(1))
  await publish(db.sql, [row('plain', '9', { provider: 'best', dimension: 'pages' })], at(2))
  // one → two → three, and a newer price under the last name.
  const step = (hour: number, from: string, to: string, price: string) =>
    publishing(
      db.sql,
      async (tx, stamp) => {
        await publishIn(tx, stamp, [row(to, price)])
        await renameIn(tx, stamp, 'acme', from, to)
      },
      at(hour),
    )
  await step(3, 'one', 'two', '2')
  await step(4, 'two', 'three', '3')
  const [newer] = await publish(db.sql, [row('plain', '6', { canonicalResource: 'maker/plain' })], at(5))
  hash = newer!
  await withdraw(db.sql, [newer!], at(7))
})

describe('a page of prices', () => {
  it('has what was served at its instant, with the name that is listed now for one that was renamed', async () => {
    expect(await read(0)).toEqual([])
    expect(await read(2)).toEqual(['acme one 1', 'acme plain 5', 'best plain 9'])
    expect(await read(3)).toContain('acme one 1 → two')
    expect(await read(4)).toEqual([
      ...['acme one 1 → three', 'acme plain 5', 'acme three 3', 'acme two 2 → three', 'best plain 9'],
    ])
    expect((await read(6)).filter((text) => text.includes('plain'))).toEqual([
      ...['acme plain 5', 'acme plain 6', 'best plain 9'],
    ])
    expect(await read(7)).not.toContain('acme plain 6')
  })

  it('has current prices alone where they are wanted: the newest of a line, under the newest of its names', async () => {
    const current = (hour: number) => read(hour, scope({ current: true }))
    expect(await current(2)).toEqual(['acme one 1', 'acme plain 5', 'best plain 9'])
    expect(await current(3)).toEqual(['acme plain 5', 'acme two 2', 'best plain 9'])
    expect(await current(6)).toEqual(['acme plain 6', 'acme three 3', 'best plain 9'])
    expect(await current(7)).toEqual(['acme plain 5', 'acme three 3', 'best plain 9'])
  })

  it('is narrowed by providers, names, canonical ids, dimensions and members', async () => {
    expect(await read(6, scope({}, { providers: ['best'] }))).toEqual(['best plain 9'])
    expect(await read(6, scope({ resources: ['plain'] }, { exceptProviders: ['best'] }))).toEqual([
      ...['acme plain 5', 'acme plain 6'],
    ])
    expect(await read(6, scope({ canonicalResources: ['maker/plain'] }))).toEqual(['acme plain 5', 'acme plain 6'])
    expect(await read(6, scope({ dimensions: ['pages'] }))).toEqual(['best plain 9'])
    expect(await read(6, scope({}, { members: [{ provider: 'acme', resource: 'two' }] }))).toEqual([
      'acme two 2 → three',
    ])
    expect(await read(6, scope({}, { members: [] }))).toEqual([])
  })

  it('ends at its limit and goes on after its last row', async () => {
    const first = await page(6, scope(), { limit: 4 })
    expect(named(first.prices)).toHaveLength(4)
    const rest = await page(6, scope(), { after: first.next! })
    expect([...named(first.prices), ...named(rest.prices)].sort()).toEqual(await read(6))
    expect(rest.next).toBeUndefined()
  })

  it('says whether the database has everything until then, of this history', async () => {
    const complete = async (hour: number, timeline?: string) => (await page(hour, scope(), { timeline })).complete
    const [{ id }] = await db.sql<[{ id: string }]>`select timeline_id as id from history_timeline`
    expect([await complete(7), await complete(8)]).toEqual([true, false])
    expect([await complete(7, id), await complete(7, '00000000-0000-7000-8000-000000000000')]).toEqual([true, false])
  })
})

describe('what changed between two instants', () => {
  const changes = async (since: number, until: number, more: Partial<Parameters<typeof historyChanges>[1]> = {}) => {
    const { prices, unpublished, next } = await historyChanges(db.sql, {
      ...{ asOf: at(until), since: at(since), rows: scope(), before: scope(), entered: [], departed: [] },
      ...{ after: '', limit: 99, ...more },
    })
    return { prices: named(prices), unpublished, next }
  }

  it('are rows that are new, or are called otherwise now, and those that are served no more', async () => {
    expect(await changes(2, 3)).toMatchObject({ prices: ['acme one 1 → two', 'acme two 2'], unpublished: [] })
    expect((await changes(3, 4)).prices).toEqual(['acme one 1 → three', 'acme three 3', 'acme two 2 → three'])
    expect(await changes(4, 6)).toMatchObject({ prices: ['acme plain 6'], unpublished: [] })
    expect(await changes(6, 7)).toMatchObject({ prices: [], unpublished: [hash] })
    expect(await changes(4, 7)).toMatchObject({ prices: [], unpublished: [] })
    expect(await changes(7, 7)).toMatchObject({ prices: [], unpublished: [] })
  })

  it('are all rows of a provider that entered, and those of one that departed, in the order of their hashes', async () => {
    const entered = { before: scope({}, { providers: ['acme'] }), rows: scope({}, { providers: ['acme', 'best'] }) }
    expect((await changes(6, 7, { ...entered, entered: ['best'] })).prices).toEqual(['best plain 9'])
    const departed = { rows: scope({}, { providers: ['best'] }), before: scope({}, { providers: ['acme', 'best'] }) }
    const { unpublished } = await changes(6, 7, { ...departed, departed: ['acme'] })
    expect(unpublished).toHaveLength(5)
    expect(unpublished).toEqual([...unpublished!].sort())
    const first = await changes(6, 7, { ...departed, departed: ['acme'], limit: 2 })
    expect(first.unpublished).toEqual(unpublished!.slice(0, 2))
    const rest = await changes(6, 7, { ...departed, departed: ['acme'], after: first.next! })
    expect(rest.unpublished).toEqual(unpublished!.slice(2))
  })

  it.each([1, 2, 3])('is read page by page, %i rows at a time, each row once', async (limit) => {
    const [all, acme] = [scope({}, { providers: ['acme', 'best'] }), scope({}, { providers: ['acme'] })]
    const kinds: [number, number, Parameters<typeof changes>[2]][] = [
      ...(
        [
          [2, 3],
          [3, 4],
          [0, 6],
          [4, 7],
          [6, 7],
          [7, 7],
        ] as const
      ).map(([from, to]) => [from, to, {}] as never),
      [6, 7, { before: acme, rows: all, entered: ['best'] }],
      [6, 7, { before: all, rows: acme, departed: ['best'] }],
      [2, 6, { before: acme, rows: scope({}, { providers: ['best'] }), entered: ['best'], departed: ['acme'] }],
    ]
    for (const [from, to, more] of kinds) {
      const whole = await changes(from, to, more)
      const read = { prices: [] as string[], unpublished: [] as string[] }
      for (let after: string | undefined = ''; after !== undefined; ) {
        const { prices, unpublished, next } = await changes(from, to, { ...more, after, limit })
        if (next !== undefined) expect(prices.length + unpublished!.length).toBe(limit)
        read.prices.push(...prices)
        read.unpublished.push(...unpublished!)
        after = next
      }
      expect(read.prices.sort()).toEqual(whole.prices)
      expect(read.unpublished).toEqual(whole.unpublished)
    }
  })
})
