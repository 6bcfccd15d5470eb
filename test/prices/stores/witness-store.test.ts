import { beforeEach, describe, expect, it } from 'vitest'
import { hasLines } from '../../../src/prices/staging/first-load-store.ts'
import * as announced from '../../../src/prices/store/announced-store.ts'
import { countFetches } from '../../../src/prices/store/waiting-store.ts'
import * as witnesses from '../../../src/prices/store/witness-store.ts'
import { testDatabase } from '../../support/database.ts'
import { addLine, addRow, addSources, at, inTransaction, KIND } from './line-rows.ts'

const db = testDatabase({ each: true })
beforeEach(() => addSources(db.sql))

const LINE = { provider: 'acme', ...KIND }
const price = (resource: string, value: string, more: Partial<witnesses.WitnessPrice> = {}) =>
  ({ ...LINE, resource, price: value, locator: `/${resource}`, ...more }) as witnesses.WitnessPrice
const show = (source: string, hour: number, ...prices: witnesses.WitnessPrice[]) =>
  inTransaction(db.sql, (tx) => witnesses.replaceWitnessPrices(tx, source, at(hour), prices))

describe('what a witness source shows', () => {
  const shown = async () =>
    (
      await db.sql<{ source: string; resource: string; price: string; since: string }[]>`
        select source, resource, price::text, shown_since as since from witness_price order by source, resource`
    ).map((row) => [row.source, row.resource, row.price, row.since])

  it('is exactly what it showed last, with the instant at which each price came', async () => {
    await db.sql`insert into source (source, kind, format, interval_seconds, witness) values ('second', 'prices', 'x', 60, true)`
    expect(await show('witness', 1, price('a', '1'), price('b', '2'))).toEqual({ changed: 2 })
    await show('second', 1, price('a', '7'))
    expect(await show('witness', 2, price('a', '1'), price('b', '2'))).toEqual({ changed: 0 })
    expect(await show('witness', 3, price('a', '1'), price('b', '3', { locator: '/moved' }))).toEqual({ changed: 1 })
    expect(await shown()).toEqual([
      ['second', 'a', '7', at(1)],
      ['witness', 'a', '1', at(1)],
      ['witness', 'b', '3', at(3)],
    ])
    expect(await show('witness', 4, price('a', '1'))).toEqual({ changed: 1 })
    expect((await shown()).map(([source, resource]) => `${source} ${resource}`)).toEqual(['second a', 'witness a'])
  })

  it('is compared with a claim by its name or canonical name, and by everything else of its line', async () => {
    const claim = { ...LINE, key: 'k', resource: 'a', canonicalResource: 'maker/a' } as witnesses.Claim
    const of = async (family: string[] = [], source = 'list') =>
      (await witnesses.witnessesOf(db.sql, source, family, [claim])).map((found) => `${found.source} ${found.resource}`)
    await show(
      'witness',
      1,
      price('a', '1', { proof: { url: 'https://x.example/', confidence: 'high' } }),
      price('b', '1', { canonicalResource: 'maker/a' }),
      price('c', '1', { canonicalResource: 'maker/c' }),
      ...[{ provider: 'rival' }, { unit: 'usd_per_image' }, { currency: 'EUR' }, { pricingTier: '{"x":"y"}' }].map(
        (more) => price('a', '9', more as never),
      ),
      price('a', '9', { dimension: 'output_tokens' }),
    )
    for (const [resource, source, more] of [
      ['a', 'list', {}],
      ['a', 'other', {}],
      ['d', 'other', { canonical: 'maker/a' }],
      ['e', 'other', { canonical: 'maker/e' }],
      ['removed', 'other', { canonical: 'maker/a' }],
    ] as const) {
      const line = await addLine(db.sql, { resource, source })
      await addRow(db.sql, line, `${source} ${resource}`, 2, { as: 'current', ...more })
    }
    await addRow(db.sql, await addLine(db.sql, { source: 'other', dimension: 'output_tokens' }), 'out', 2, {
      as: 'current',
    })
    await addRow(db.sql, await addLine(db.sql, { source: 'other', tier: '{"x":"y"}' }), 'tier', 2, { as: 'current' })
    await db.sql`update price_line set removed_at = now() where resource = 'removed'`
    expect(await of()).toEqual(['other a', 'other d', 'witness a', 'witness b'])
    expect(await of(['other'])).toEqual(['witness a', 'witness b'])
    expect(await of(['third'])).toEqual(['other a', 'other d'])
    expect(await of([], 'witness')).toEqual(['list a', 'other a', 'other d'])
    const [, , first] = await witnesses.witnessesOf(db.sql, 'list', [], [claim])
    expect(first).toMatchObject({
      ...{ key: 'k', format: 'third', price: '1', since: at(1), locator: '/a' },
      proof: { url: 'https://x.example/', confidence: 'high' },
    })
    await db.sql`update source set declared = false where source in ('witness', 'other')`
    expect(await of()).toEqual(['other a', 'other d'])
    expect(await hasLines(db.sql, 'other')).toBe(true)
    expect(await hasLines(db.sql, 'witness')).toBe(false)
  })
})

it('good fetches are counted for the lines of their source that are missing or held', async () => {
  const line = async (source: string, change: object) => {
    const id = await addLine(db.sql, { source, resource: JSON.stringify(change) })
    await db.sql`update price_line set ${db.sql({ missing_count: 1, held_fetches: 1, ...change })} where line_id = ${id}`
    return id
  }
  const ids = [
    await line('list', {}),
    await line('list', { missing_since: at(1) }),
    await line('list', { missing_since: at(1), removed_at: at(2) }),
    await line('list', { held_hash: 'h' }),
    await line('list', { held_hash: 'h', missing_since: at(1) }),
    await line('other', { held_hash: 'h', missing_since: at(1) }),
  ]
  await countFetches(db.sql, 'list', 3)
  const counted = await db.sql`
    select missing_count as missing, held_fetches as held from price_line where line_id = any(${ids}::bigint[]) order by line_id`
  expect(counted.map(({ missing, held }) => [missing, held])).toEqual([
    ...[
      [1, 1],
      [4, 1],
      [1, 1],
      [1, 4],
      [4, 4],
      [1, 1],
    ],
  ])
})

describe('volatile lines', () => {
  /** A line of which subscribers know `a`, and whose price is `b` now. */
  async function line(resource: string, [a, b]: [string, string], source = 'list'): Promise<string> {
    const id = await addLine(db.sql, { resource, source })
    await addRow(db.sql, id, `${resource} known`, 1, { price: a })
    await inTransaction(db.sql, (tx) => announced.rememberAnnounced(tx, [`${resource} known`]))
    await addRow(db.sql, id, `${resource} now`, 2, { price: b, as: 'current' })
    return id
  }
  const due = async (before = at(9), leastChange = 0.1) =>
    (await inTransaction(db.sql, (tx) => announced.unannouncedLines(tx, 'list', { before, leastChange }))).map(
      ({ line: found }) => found.resource,
    )

  it('are announced when they changed enough, of their source, in the order of their ids', async () => {
    await line('risen', ['10', '11'])
    await line('fallen', ['10', '9'])
    await line('free', ['0', '1'])
    await line('little', ['10', '10.9'])
    await line('same', ['10', '10'])
    await line('theirs', ['10', '20'], 'other')
    const removed = await line('removed', ['10', '20'])
    await db.sql`update price_line set removed_at = now() where line_id = ${removed}`
    expect(await due()).toEqual(['risen', 'fallen', 'free'])
    expect(await due(at(9), 0.05)).toEqual(['risen', 'fallen', 'free', 'little'])
  })

  it('are announced again only a while after, each by itself', async () => {
    await line('a', ['10', '20'])
    await line('b', ['10', '20'])
    const [first] = await inTransaction(db.sql, (tx) =>
      announced.unannouncedLines(tx, 'list', { before: at(9), leastChange: 0.1 }),
    )
    expect(first).toMatchObject({
      current: { contentHash: 'a now', price: '20' },
      announced: { contentHash: 'a known' },
    })
    await inTransaction(db.sql, (tx) => announced.recordAnnounced(tx, at(3), [first!]))
    expect(await due()).toEqual(['b'])
    await addRow(db.sql, first!.lineId, 'a later', 4, { price: '40', as: 'current' })
    expect([await due(at(2)), await due(at(3))]).toEqual([['b'], ['a', 'b']])
    await inTransaction(db.sql, (tx) => announced.noteAnnounced(tx, at(5), ['a later']))
    expect(await due()).toEqual(['b'])
    await inTransaction(db.sql, (tx) => announced.forgetAnnounced(tx, 'a now'))
    expect(await db.sql`select content_hash as row, announced_at as at from announced_price`).toEqual([
      { row: 'b known', at: null },
    ])
  })

  it('keep what subscribers knew first', async () => {
    const id = await line('a', ['10', '20'])
    await inTransaction(db.sql, (tx) => announced.rememberAnnounced(tx, ['a now']))
    expect(await db.sql`select line_id::text as line, content_hash as row from announced_price`).toEqual([
      { line: id, row: 'a known' },
    ])
  })
})
