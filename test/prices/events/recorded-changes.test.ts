import { describe, expect, it } from 'vitest'
import { publishing } from '../../../src/catalog/clock/clock-store.ts'
import { priceChangedEvent } from '../../../src/events/payloads/price-changed.ts'
import { recordEvents } from '../../../src/events/store.ts'
import type { Instant } from '../../../src/lib/instant.ts'
import { readRecordedChanges } from '../../../src/prices/explore/read-recorded-changes.ts'
import { inOneOrder, type RecordedChange } from '../../../src/prices/explore/recorded-changes-rules.ts'
import { testDatabase } from '../../support/database.ts'
import { publish, publishIn, seedProviders, withdraw, withdrawIn } from '../../support/prices.ts'

const at = (day: string) => `2026-01-${day}T00:00:00.000Z` as Instant
const END = at('31')

describe('changes of the price history that no event tells', () => {
  const db = testDatabase({ each: true })
  const one = (resource: string, price: string, more: object = {}) => ({ provider: 'acme', resource, price, ...more })
  const read = async (filter: Partial<Parameters<typeof readRecordedChanges>[1]> = {}) =>
    (await readRecordedChanges(db.sql, { before: END, ...filter })).items
  const said = async (filter = {}) =>
    (await read(filter)).map(({ type, at: when, provider, resource, before, after, direction, percent, lines }) =>
      [when.slice(8, 10), provider, resource, type, lines ?? `${before} → ${after} ${direction} ${percent}`].join(' '),
    )
  const seed = () => seedProviders(db.sql, at('01'), [{ provider: 'acme' }, { provider: 'other' }])

  it('are what was added, what changed its price and what was removed, the newest first', async () => {
    await seed()
    const [first] = await publish(db.sql, [one('old', '0.000002')], at('02'))
    await publish(db.sql, [one('new', '0.000001'), one('new', '0.000004', { dimension: 'output_tokens' })], at('03'))
    const [risen] = await publish(db.sql, [one('new', '0.0000015')], at('04'))
    await publish(db.sql, [one('new', '0.0000005', { dimension: 'cache_read_tokens' })], at('05'))
    await withdraw(db.sql, [first!], at('06'))
    await withdraw(db.sql, [risen!], at('07'))
    expect(await said()).toEqual([
      '07 acme new price.changed 1.5 → 1 down −33%',
      '06 acme old resource.removed 1',
      '05 acme new price.changed undefined → 0.5 undefined undefined',
      '04 acme new price.changed 1 → 1.5 up +50%',
      // What history begins with is not a change.
      '03 acme new resource.added 2',
    ])
    expect(await said({ direction: 'up' })).toEqual(['04 acme new price.changed 1 → 1.5 up +50%'])
    expect(await said({ types: ['resource.added'] })).toEqual(['03 acme new resource.added 2'])
    expect(await said({ providers: ['other'] })).toEqual([])
    expect(await said({ before: at('04') })).toEqual(['03 acme new resource.added 2'])
  })

  it('are looked for behind hundreds that are not wanted', async () => {
    await seed()
    await publish(db.sql, [one('m', '0.000002')], at('02'))
    await publish(db.sql, [one('m', '0.000003')], at('03'))
    await publish(
      db.sql,
      Array.from({ length: 250 }, (_, n) => one(`new-${n}`, '0.000001')),
      at('04'),
    )
    expect(await said({ direction: 'up' })).toEqual(['03 acme m price.changed 2 → 3 up +50%'])
  })

  it('are not corrections of prices that were superseded before', async () => {
    await seed()
    await publish(db.sql, [one('start', '1')], at('02'))
    const [wrong] = await publish(db.sql, [one('m', '0.000002')], at('03'))
    await publish(db.sql, [one('m', '0.000003')], at('04'))
    await withdraw(db.sql, [wrong!], at('05'))
    expect(await said()).toEqual(['04 acme m price.changed 2 → 3 up +50%', '03 acme m resource.added 1'])
  })

  it('are compared in one unit and currency alone', async () => {
    await seed()
    await publish(db.sql, [one('start', '1')], at('02'))
    const before = await publish(
      db.sql,
      ['unit', 'currency', 'same'].map((name) => one(name, '0.000002')),
      at('03'),
    )
    const after = [
      one('unit', '1', { unit: 'usd_per_hour' }),
      one('currency', '1', { currency: 'EUR' }),
      one('same', '0.000003'),
    ]
    await publishing(
      db.sql,
      async (tx, stamp) => {
        await withdrawIn(tx, stamp, before)
        await publishIn(tx, stamp, after)
      },
      at('04'),
    )
    const changed = (await read()).filter(({ at: when }) => when === at('04'))
    expect(
      changed.map(({ resource, before: price, direction, percent }) => [resource, price, direction, percent]),
    ).toEqual([
      ['currency', undefined, undefined, undefined],
      ['same', '2', 'up', '+50%'],
      ['unit', undefined, undefined, undefined],
    ])
  })

  it('are not those that an event of the same instant tells', async () => {
    await seed()
    await publish(db.sql, [one('m', '0.000002')], at('02'))
    await publish(db.sql, [one('m', '0.000003')], at('03'))
    await publish(db.sql, [one('m', '0.000004')], at('04'))
    expect(await said()).toHaveLength(2)
    await publishing(
      db.sql,
      (tx, stamp) => recordEvents(tx, stamp, [priceChangedEvent('other', false, { resource: 'x' } as never)]),
      at('05'),
    )
    await db.sql`update event set eligible_at = ${at('04')}`
    expect(await said()).toHaveLength(2)
    await db.sql`update event set provider = 'acme'`
    expect(await said()).toEqual(['03 acme m price.changed 2 → 3 up +50%'])
  })

  it('come in pages that leave nothing out and repeat nothing, at one instant too', async () => {
    await seed()
    await publish(db.sql, [one('start', '0.000001')], at('02'))
    const names = Array.from({ length: 450 }, (_, n) => `model-${n}`)
    await publish(
      db.sql,
      names.map((name) => one(name, '0.000001')),
      at('03'),
    )
    const changed = await publish(
      db.sql,
      names.map((name) => one(name, '0.000002')),
      at('04'),
    )
    await withdraw(db.sql, changed.slice(0, 30), at('05'))
    const found: string[] = []
    let after: Awaited<ReturnType<typeof readRecordedChanges>>['next']
    do {
      const page = await readRecordedChanges(db.sql, { before: END, ...(after && { after }) })
      found.push(...page.items.map((item) => `${item.at} ${item.type} ${item.resource}`))
      after = page.next
    } while (after)
    expect(new Set(found).size).toBe(found.length)
    expect(found.filter((one) => one.startsWith(at('04')))).toHaveLength(450)
    expect(found.filter((one) => one.startsWith(at('03')))).toHaveLength(450)
    expect(
      [...found].sort((a, b) => (a.slice(0, 24) < b.slice(0, 24) ? 1 : -1)).map((one) => one.slice(0, 24)),
    ).toEqual(found.map((one) => one.slice(0, 24)))
  })

  it('are known in their order as far as both lists are', () => {
    const change = (day: string, hash: string): RecordedChange => ({
      ...{ at: at(day), provider: 'p', resource: 'r', hash, previous: null, current: null },
      ...{ isWhole: false, isReported: false },
    })
    const [a, b, c, d] = [change('09', 'a'), change('08', 'b'), change('07', 'c'), change('06', 'd')] as const
    expect(inOneOrder([[a, c], [d]], 2)).toEqual({ changes: [a, c], next: c })
    expect(
      inOneOrder(
        [
          [a, c],
          [b, d],
        ],
        2,
      ),
    ).toEqual({ changes: [a, b, c], next: c })
    expect(inOneOrder([[a], [d]], 2)).toEqual({ changes: [a, d] })
    expect(inOneOrder([[], []], 2)).toEqual({ changes: [] })
  })
})
