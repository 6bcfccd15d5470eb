import { describe, expect, it } from 'vitest'
import { type SourceDeclaration, sourceDeclaration } from '../../../src/catalog/schema.ts'
import { isNeeded } from '../../../src/prices/authority/authority-store.ts'
import { findContradictions } from '../../../src/prices/contradicted/find-contradictions.ts'
import { listContradicted } from '../../../src/prices/contradicted/list-contradicted.ts'
import { seriesRows } from '../../../src/prices/explore/series-store.ts'
import { replacePrice } from '../../../src/prices/review/replace-price.ts'
import type { Observation } from '../../../src/prices/schema.ts'
import { recordWitnessPrices } from '../../../src/prices/witness/record-witness-prices.ts'
import { testDatabase } from '../../support/database.ts'
import { EMPTY } from '../../support/empty.ts'
import { day, model, models, observed } from '../observed.ts'
import { declareLists, eventsOf, snapshot } from '../support.ts'

const list = (source: string) => sourceDeclaration.parse({ source, format: `${source}-format` })
const LISTS = { first: list('first'), second: list('second'), third: list('third') }
const WITNESS = sourceDeclaration.parse({ source: 'witness', format: 'witness-format', witness: true })
const PAGE = sourceDeclaration.parse({ source: 'page', format: 'page', rank: 'provider', speaksFor: ['acme'] })

describe('a served price that others contradict', () => {
  const db = testDatabase({ each: true })

  const declare = (...sources: SourceDeclaration[]) => declareLists(db.sql, sources)
  const read = (source: SourceDeclaration, lines: Observation[], n: number) =>
    snapshot(db.sql, source.source, [...lines, ...models(6)], { source, at: day(n) })
  const witness = (lines: Observation[], n: number) =>
    snapshot(db.sql, 'unused', [], { source: list('unused'), at: day(0) }).then(async () => {
      const [{ hash }] = (await db.sql`select hash from snapshot limit 1`) as unknown as [{ hash: string }]
      return recordWitnessPrices(db.sql, {
        source: WITNESS,
        snapshotHash: hash,
        parserVersion: 1,
        parsed: { providers: [{ provider: 'acme', name: 'Acme' }], observations: lines, ignored: [] },
        at: day(n),
      })
    })
  const served = async () => {
    const rows = await db.sql<{ line: string }[]>`
      select concat_ws(' ', l.source, l.dimension, r.price) as line
      from price_line l join price_row r on r.content_hash = l.current_hash
      join publication p on p.content_hash = r.content_hash and p.unpublished_at is null
      where l.resource = 'm' order by 1`
    return rows.map(({ line }) => line)
  }
  const marked = async () => {
    const rows = await db.sql<{ line: string }[]>`
      select concat_ws(' ', l.source, l.dimension, o.price::text, o.other_price::text, o.decided_by) as line
      from contradicted_line o join price_line l using (line_id) order by 1`
    return rows.map(({ line }) => line)
  }
  const isToBeRead = async (source: string) => {
    const [row] = await db.sql<{ again: boolean }[]>`select read_again as again from source where source = ${source}`
    return row!.again
  }

  /** All three lists have the same price; then the second and the third have another one. */
  async function contradicted(price = 0.0000012) {
    await declare(...Object.values(LISTS))
    for (const [n, source] of Object.values(LISTS).entries()) await read(source, model('m', 0.000001), 1 + n / 10)
    await read(LISTS.second, model('m', price), 2)
    await read(LISTS.third, model('m', price), 3)
  }

  it('is not contradicted by others before 48 hours have passed', async () => {
    await contradicted()
    expect(await findContradictions(db.sql, day(4.9))).toEqual({ contradicted: 0 })
    expect(await findContradictions(db.sql, day(5))).toEqual({ contradicted: 2 })
    expect(await marked()).toEqual([
      'first input_tokens 0.000001 0.0000012 second',
      'first output_tokens 0.000004 0.0000048 second',
    ])
    expect(await isToBeRead('second')).toBe(true)
  })

  it('waits for a person where two others show what its own list had before: they may be late', async () => {
    await declare(...Object.values(LISTS))
    for (const [n, source] of Object.values(LISTS).entries()) await read(source, model('m', 0.000001), 1 + n / 10)
    await read(LISTS.first, model('m', 0.0000012), 2)
    await findContradictions(db.sql, day(4))
    expect(await marked()).toEqual([
      'first input_tokens 0.0000012 0.000001 second',
      'first output_tokens 0.0000048 0.000004 second',
    ])
    for (const n of [4, 5, 6, 7]) {
      expect((await read(LISTS.second, model('m', 0.000001), n)).events).toEqual(EMPTY)
      expect((await read(LISTS.first, model('m', 0.0000012), n + 0.5)).events).toEqual(EMPTY)
      await findContradictions(db.sql, day(n + 0.6))
    }
    expect(await served()).toEqual(['first input_tokens 0.0000012', 'first output_tokens 0.0000048'])
    const items = await db.sql`select source, kind, reasons, asks from review where decided_at is null`
    expect(items).toEqual([{ source: 'second', kind: 'price', reasons: ['left_by_its_source'], asks: true }])
    // They follow.
    expect((await read(LISTS.second, model('m', 0.0000012), 8)).events).toEqual(EMPTY)
    expect(await db.sql`select from review where decided_at is null`).toHaveLength(0)
    expect(await served()).toEqual(['second input_tokens 0.0000012', 'second output_tokens 0.0000048'])
  })

  describe('of a provider’s own page that could not be read since', () => {
    const old = model('m', 0.000001)
    const next = model('m', 0.0000012)

    async function silent() {
      await declare(PAGE, LISTS.second, LISTS.third)
      const inOrder = [PAGE, LISTS.second, LISTS.third, PAGE]
      for (const [n, source] of inOrder.entries()) await read(source, old, 1 + n / 10)
      await read(LISTS.second, next, 2)
      await read(LISTS.third, next, 3)
      await findContradictions(db.sql, day(5))
    }

    it('is that of two lists that agree on a later price, until the page is read again', async () => {
      await silent()
      expect(await marked()).toEqual([
        'page input_tokens 0.000001 0.0000012 second',
        'page output_tokens 0.000004 0.0000048 second',
      ])
      expect((await read(LISTS.second, next, 5)).events).toEqual({ 'price.changed': 2 })
      expect(await served()).toEqual(['second input_tokens 0.0000012', 'second output_tokens 0.0000048'])
      await read(PAGE, old, 6)
      await findContradictions(db.sql, day(6))
      expect(await marked()).toEqual([])
      expect((await read(PAGE, old, 6.1)).events).toEqual({ 'price.changed': 2 })
      expect(await served()).toEqual(['page input_tokens 0.000001', 'page output_tokens 0.000004'])
    })

    it('stays where the page was read since: the lists had their price before', async () => {
      await silent()
      await read(PAGE, old, 4)
      await findContradictions(db.sql, day(6))
      expect(await marked()).toEqual([])
      await findContradictions(db.sql, day(9))
      expect(await marked()).toEqual([])
    })
  })

  it('is contradicted by two lists where its provider’s own page no longer shows it, until it does again', async () => {
    const lines = (cached: string) => [...model('m', 0.000001), observed('m', 'cache_read_tokens', cached)]
    await declare(PAGE, LISTS.second, LISTS.third)
    await read(PAGE, lines('0.0000001'), 1)
    await read(LISTS.second, lines('0.0000002'), 1.1)
    await read(LISTS.third, lines('0.0000002'), 1.2)
    await read(PAGE, model('m', 0.000001), 2)
    await read(PAGE, model('m', 0.000001), 4)
    await findContradictions(db.sql, day(5))
    expect(await marked()).toEqual(['page cache_read_tokens 0.0000001 0.0000002 second'])
    await read(PAGE, lines('0.0000001'), 5.1)
    await findContradictions(db.sql, day(5.2))
    expect(await marked()).toEqual([])
    expect(await served()).toContain('page cache_read_tokens 0.0000001')
  })

  it('is replaced with one event by that of the first list of two that agree', async () => {
    await contradicted()
    await findContradictions(db.sql, day(5))
    const report = await read(LISTS.second, model('m', 0.0000012), 5)
    expect(report.events).toEqual({ 'price.changed': 2 })
    expect(await served()).toEqual(['second input_tokens 0.0000012', 'second output_tokens 0.0000048'])
    expect(await eventsOf(db.sql, 'price.changed')).toMatchObject([
      { previous: { price: '0.000001' }, current: { price: '0.0000012' } },
      { previous: { price: '0.000004' }, current: { price: '0.0000048' } },
    ])
    expect(await eventsOf(db.sql, 'resource.removed')).toEqual([])
  })

  it('stays replaced while its list repeats the earlier price', async () => {
    await contradicted()
    await findContradictions(db.sql, day(5))
    await read(LISTS.second, model('m', 0.0000012), 5)
    for (let n = 6; n < 30; n += 3) {
      for (const [source, price] of [
        ['first', 0.000001],
        ['third', 0.0000012],
        ['second', 0.0000012],
      ] as const)
        expect((await read(LISTS[source], model('m', price), n)).events, `${source} on day ${n}`).toEqual(EMPTY)
      await findContradictions(db.sql, day(n + 1))
      expect(await isNeeded(db.sql, 'first', day(n + 1))).toBe(false)
    }
    expect(await served()).toEqual(['second input_tokens 0.0000012', 'second output_tokens 0.0000048'])
  })

  it('comes from its list again, without an event, once that has the price too', async () => {
    await contradicted()
    await findContradictions(db.sql, day(5))
    await read(LISTS.second, model('m', 0.0000012), 5)
    expect((await read(LISTS.first, model('m', 0.0000012), 6)).events).toEqual(EMPTY)
    expect(await served()).toEqual(['first input_tokens 0.0000012', 'first output_tokens 0.0000048'])
    expect((await read(LISTS.second, model('m', 0.0000012), 7)).events).toEqual(EMPTY)
    expect(await marked()).toEqual([])
  })

  it('follows its list at once when that has news', async () => {
    await contradicted()
    await findContradictions(db.sql, day(5))
    await read(LISTS.second, model('m', 0.0000012), 5)
    const report = await read(LISTS.first, model('m', 0.0000013), 6)
    expect(report.events).toEqual({ 'price.changed': 2 })
    expect(await served()).toEqual(['first input_tokens 0.0000013', 'first output_tokens 0.0000052'])
  })

  it('leaves the other lines of its resource with their list', async () => {
    await declare(...Object.values(LISTS))
    const lines = (input: string, cached: string) => [
      observed('m', 'input_tokens', input),
      observed('m', 'output_tokens', '0.000004'),
      observed('m', 'cache_read_tokens', cached),
    ]
    await read(LISTS.first, lines('0.000001', '0.0000001'), 1)
    await read(LISTS.second, lines('0.0000012', '0.0000002'), 2)
    await read(LISTS.third, lines('0.0000012', '0.0000003'), 2.1)
    await findContradictions(db.sql, day(5))
    await read(LISTS.second, lines('0.0000012', '0.0000002'), 5)
    await read(LISTS.first, lines('0.000001', '0.0000001'), 6)
    expect(await served()).toEqual([
      'first cache_read_tokens 0.0000001',
      'first output_tokens 0.000004',
      'second input_tokens 0.0000012',
    ])
  })

  it('stays with its list while the other price waits for a person, in one item', async () => {
    await contradicted(0.001)
    await findContradictions(db.sql, day(5))
    expect((await read(LISTS.second, model('m', 0.001), 5)).events).toEqual(EMPTY)
    expect((await read(LISTS.first, model('m', 0.000001), 6)).events).toEqual(EMPTY)
    expect(await served()).toEqual(['first input_tokens 0.000001', 'first output_tokens 0.000004'])
    const open = await db.sql`select source, kind from review where decided_at is null`
    expect(open).toEqual([{ source: 'second', kind: 'price' }])
    await findContradictions(db.sql, day(7))
    expect(await marked()).toHaveLength(2)
  })

  it('goes back to its list when the other no longer has the line', async () => {
    await contradicted()
    await findContradictions(db.sql, day(5))
    await read(LISTS.second, model('m', 0.0000012), 5)
    // Not read for a week.
    await read(LISTS.first, model('m', 0.000001), 13)
    await findContradictions(db.sql, day(13))
    expect(await isToBeRead('first')).toBe(true)
    await read(LISTS.first, model('m', 0.000001), 13.1)
    expect(await served()).toEqual(['first input_tokens 0.000001', 'first output_tokens 0.000004'])
  })

  it('is not contradicted by two that disagree, by one alone, or by lists behind its provider’s page', async () => {
    await declare(PAGE, ...Object.values(LISTS))
    await read(PAGE, model('p', 0.000001), 1)
    for (const [n, source] of Object.values(LISTS).entries())
      await read(source, [...model('m', (n + 1) / 1e6), ...model('p', 0.000002)], 1.1 + n / 10)
    await findContradictions(db.sql, day(7))
    expect(await marked()).toEqual([])
  })

  it('is marked, and stays, where the others are witnesses or a person decided about it', async () => {
    const other = { ...WITNESS, source: 'other', format: 'other-format' }
    await declare(LISTS.first, LISTS.second, WITNESS, other)
    await read(LISTS.first, model('m', 0.000001), 1)
    await read(LISTS.second, model('m', 0.0000012), 1.1)
    await witness(model('m', 0.0000012), 1.2)
    const [row] = await db.sql<{ hash: string }[]>`
      select current_hash as hash from price_line where source = 'first' and resource = 'm' and dimension = 'input_tokens'`
    await replacePrice(db.sql, {
      contentHash: row!.hash,
      price: '0.0000011',
      actor: 'ada',
      reason: 'read on the page',
      at: day(2),
    })
    await db.sql`update source set last_good_at = ${day(6)}`
    await findContradictions(db.sql, day(6))
    expect(await marked()).toEqual([
      'first input_tokens 0.0000011 0.0000012',
      'first output_tokens 0.000004 0.0000048 second',
    ])
    const listed = await listContradicted(db.sql)
    expect(listed.map(({ dimension, isDecided, decidedBy }) => [dimension, isDecided, decidedBy])).toEqual([
      ['output_tokens', false, 'second'],
      ['input_tokens', true, undefined],
    ])
    const { rows } = await seriesRows(db.sql, day(6), [{ provider: 'acme', resource: 'm' }])
    const shown = rows.flatMap(({ source, dimension, price, contradicted }) =>
      source === 'first' && contradicted ? [[dimension, price, contradicted]] : [],
    )
    expect(shown).toMatchObject([
      ['output_tokens', '0.000004', { price: '0.0000048', sources: ['second', 'witness'], isDecided: false }],
      ['input_tokens', '0.0000011', { price: '0.0000012', sources: ['second', 'witness'], isDecided: true }],
    ])
  })

  it.each([1, 2, 3, 4])('changes with one event each, and never without news of a source (seed %i)', async (seed) => {
    await declare(...Object.values(LISTS))
    const random = randomOf(seed)
    const costs = { first: 1, second: 1, third: 1 }
    let before = new Map<string, string>()
    let isNews = true
    for (let step = 0, now = 1; step < 25; step++, now += 0.5 + Math.floor(random() * 3)) {
      const name = (['first', 'second', 'third'] as const)[Math.floor(random() * 3)]!
      if (random() < 0.3) {
        costs[name] = 1 + Math.floor(random() * 3) / 10
        isNews = true
      }
      const report = await read(LISTS[name], model('m', costs[name] / 1e6), now)
      await findContradictions(db.sql, day(now + 0.1))
      const rows = await served()
      const after = new Map(rows.map((row) => row.split(' ').slice(1) as [string, string]))
      expect(after.size, rows.join(', ')).toBe(rows.length)
      const changed = [...after].filter(([line, price]) => before.has(line) && before.get(line) !== price)
      expect(report.events['price.changed'] ?? 0, `step ${step}`).toBe(changed.length)
      const isSettled = Object.values(costs).every((cost) => cost === costs.first)
      if (changed.length > 0) expect(isNews, `step ${step} changed without news`).toBe(true)
      if (isSettled) isNews = false
      before = after
    }
  })
})

function randomOf(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
