import { beforeEach, describe, expect, it } from 'vitest'
import { recordedRange } from '../../../src/prices/explore/explore-store.ts'
import { begunPrices, endedPrices } from '../../../src/prices/explore/recorded-changes-store.ts'
import { renamingsTo, seriesRows } from '../../../src/prices/explore/series-store.ts'
import { exampleChange } from '../../../src/prices/store/example-store.ts'
import { neighboursOf, pricesOfResources } from '../../../src/prices/store/neighbour-store.ts'
import { servedRowOf } from '../../../src/prices/store/served-row-store.ts'
import { testDatabase } from '../../support/database.ts'
import { addLine, addRow, addSources, addStatus, at, emptied } from './line-rows.ts'

const db = testDatabase()
beforeEach(async () => {
  await emptied(db.sql)
  await addSources(db.sql)
})

type RowParts = Parameters<typeof addRow>[4]
/** Adds a row whose body says its price and its tier, as published rows do. */
async function row(line: string, name: string, hour: number, given: RowParts = {}) {
  await addRow(db.sql, line, name, hour, given)
  await db.sql`
    update publication p set body = json_build_object('price', r.price::text, 'pricingTier', l.pricing_tier::json,
                                                      'approvalStatus', 'auto_approved')
    from price_row r join price_line l using (line_id) where r.content_hash = p.content_hash and p.content_hash = ${name}`
}
const rename = (source: string, from: string, to: string, from_: number, until?: number) => db.sql`
  insert into resource_rename (source, provider, old_resource, new_resource, at, ended_at)
  values (${source}, 'acme', ${from}, ${to}, ${at(from_)}, ${until === undefined ? null : at(until)})`
const named = (...resources: string[]) => resources.map((resource) => ({ provider: 'acme', resource }))

describe('the history of resources', () => {
  const series = async (hour: number, names = named('a'), most?: number) =>
    (await seriesRows(db.sql, at(hour), names, most)).rows.map(
      ({ listed, resource, price, unpublishedAt, status }) =>
        `${resource}${listed === resource ? '' : ` → ${listed}`} ${price}${unpublishedAt ? ' until' : ''} ${status}`,
    )

  it('has every row that was served until an instant, the oldest first, as it was then', async () => {
    const line = await addLine(db.sql)
    await row(line, 'x1', 1, { served: [[1, 5]] })
    await row(line, 'x2', 2, { served: [[2]], status: 'auto_approved' })
    await addStatus(db.sql, 'x2', 'approved', 4, 'ada')
    await row(line, 'x9', 9, { served: [[9]] })
    await row(line, 'held', 3)
    await row(await addLine(db.sql, { resource: 'b' }), 'theirs', 1, { served: [[1]] })
    await row(await addLine(db.sql, { provider: 'rival' }), 'rival', 1, { served: [[1]] })
    expect(await series(3)).toEqual(['a 1 auto_approved', 'a 2 auto_approved'])
    expect(await series(5)).toEqual(['a 1 until auto_approved', 'a 2 approved'])
    expect(await series(9, named('a', 'b'))).toEqual([
      ...['b 1 auto_approved', 'a 1 until auto_approved', 'a 2 approved', 'a 9 auto_approved'],
    ])
    // Of too many the newest of each line are kept.
    expect(await series(9, named('a', 'b'), 2)).toEqual(['b 1 auto_approved', 'a 9 auto_approved'])
    expect((await seriesRows(db.sql, at(9), named('a', 'b'), 2)).leftOut).toBe(2)
  })

  it('goes on under former names of the source that renamed it, while the renaming is in force', async () => {
    for (const [resource, source] of [
      ['a', 'list'],
      ['old', 'list'],
      ['older', 'list'],
      ['old', 'other'],
    ])
      await row(await addLine(db.sql, { resource: resource!, source: source! }), `${source} ${resource}`, 1, {
        served: [[1]],
      })
    await rename('list', 'older', 'old', 2)
    await rename('list', 'old', 'a', 3, 8)
    expect(await series(2)).toEqual(['a 1 auto_approved'])
    expect((await series(4)).sort()).toEqual([
      ...['a 1 auto_approved', 'old → a 1 auto_approved', 'older → a 1 auto_approved'],
    ])
    expect(await series(8)).toEqual(['a 1 auto_approved'])
    const renamings = async (hour: number) =>
      (await renamingsTo(db.sql, at(hour), named('a'))).map(({ from, to, at: since }) => [from, to, since])
    expect(await renamings(4)).toEqual([
      ['older', 'old', at(2)],
      ['old', 'a', at(3)],
    ])
    await rename('other', 'old', 'a', 2.5)
    expect(await renamings(4)).toEqual([
      ['older', 'old', at(2)],
      ['old', 'a', at(2.5)],
    ])
    expect(await renamings(8)).toEqual([['old', 'a', at(2.5)]])
  })

  it('says what others show instead of the price that is current, since when, and whether a person decided', async () => {
    const line = await addLine(db.sql)
    await row(line, 'x1', 1, { served: [[1]] })
    await row(line, 'x2', 2, { served: [[2]], as: 'current' })
    await db.sql`
      insert into contradicted_line (line_id, price, other_price, sources, since)
      values (${line}, 2, 3, '{other}', ${at(4)})`
    const contradicted = async (hour: number) =>
      (await seriesRows(db.sql, at(hour), named('a'))).rows.map((found) => found.contradicted)
    expect(await contradicted(3)).toEqual([null, null])
    const said = { price: '3', sources: ['other'], since: at(4), isDecided: false }
    expect(await contradicted(4)).toEqual([null, said])
    await addStatus(db.sql, 'x2', 'approved', 5, 'ada')
    expect(await contradicted(5)).toEqual([null, { ...said, isDecided: true }])
    await db.sql`update contradicted_line set price = 9`
    expect(await contradicted(5)).toEqual([null, null])
  })
})

describe('recorded changes', () => {
  const begun = async (more: object = {}, limit = 9) =>
    (await begunPrices(db.sql, { before: at(99), ...more }, limit)).map(
      ({ resource, previous, current, isWhole }) =>
        `${resource} ${previous?.price ?? '-'} → ${current?.price}${isWhole ? ' whole' : ''}`,
    )
  const ended = async (more: object = {}, limit = 9) =>
    (await endedPrices(db.sql, { before: at(99), ...more }, limit)).map(
      ({ resource, previous, current, isWhole, isReported }) =>
        `${resource} ${previous?.price} → ${current?.price ?? '-'}${isWhole ? ' whole' : ''}${isReported ? ' reported' : ''}`,
    )

  it('are prices that began, each after the one of its line, or of the source before', async () => {
    const line = await addLine(db.sql)
    await row(line, 'x1', 1, { served: [[1]] })
    await row(line, 'x3', 3, { served: [[3]] })
    await row(await addLine(db.sql, { dimension: 'output_tokens' }), 'out', 4, { served: [[4]] })
    await row(await addLine(db.sql, { resource: 'new' }), 'new', 5, { served: [[5]] })
    await row(await addLine(db.sql, { resource: 'moved' }), 'moved', 2, { served: [[2, 6]] })
    await row(await addLine(db.sql, { resource: 'moved', tier: '{"region":"eu"}' }), 'eu', 2, {
      price: '7',
      served: [[2, 6]],
    })
    await row(await addLine(db.sql, { resource: 'moved', source: 'other' }), 'moved 6', 6, { served: [[6]] })
    expect(await begun()).toEqual([
      ...['moved 2 → 6', 'new - → 5 whole', 'a - → 4', 'a 1 → 3', 'moved - → 7 whole', 'moved - → 2 whole'],
    ])
    expect(await begun({}, 2)).toEqual(['moved 2 → 6', 'new - → 5 whole'])
    expect(await begun({ before: at(5) }, 1)).toEqual(['a - → 4'])
    expect(await begun({ providers: ['rival'] })).toEqual([])
    const after = { at: at(2), provider: 'acme', resource: 'moved', hash: 'eu' }
    expect(await begun({ after })).toEqual(['moved - → 2 whole'])
  })

  it('follow a price that ended at their instant, and none that was released then or had ended before', async () => {
    await row(await addLine(db.sql, { resource: 'first' }), 'first', 1, { served: [[1]] })
    const line = await addLine(db.sql)
    await row(line, 'x1', 1, { served: [[4]] })
    await row(line, 'x2', 2, { served: [[4]] })
    const ended = await addLine(db.sql, { resource: 'b' })
    await row(ended, 'b1', 1, { served: [[2, 3]] })
    await row(ended, 'b5', 5, { served: [[5]] })
    await row(await addLine(db.sql, { resource: 'b', dimension: 'pages' }), 'b9', 9, { served: [[5]] })
    const replaced = await addLine(db.sql, { resource: 'c' })
    await row(replaced, 'c2', 2, { served: [[2, 6]] })
    await row(replaced, 'c6', 6, { served: [[6]] })
    expect(await begun()).toEqual([
      ...['c 2 → 6', 'b - → 5', 'b - → 9', 'a - → 1 whole', 'a - → 2 whole', 'b - → 1 whole', 'c - → 2 whole'],
    ])
  })

  it('are prices that ended, each with the earlier one that holds again, and whether another change tells it', async () => {
    const line = await addLine(db.sql)
    await row(line, 'x1', 1, { served: [[1]] })
    await row(line, 'x2', 2, { served: [[2]] })
    await row(line, 'x3', 3, { served: [[3, 8]] })
    const replaced = await addLine(db.sql, { resource: 'replaced' })
    await row(replaced, 'r1', 1, { served: [[1, 4]] })
    await row(replaced, 'r4', 4, { served: [[4]] })
    await row(await addLine(db.sql, { resource: 'gone' }), 'gone', 2, { served: [[2, 7]] })
    await row(await addLine(db.sql, { resource: 'moved' }), 'moved', 2, { served: [[2, 6]] })
    await row(await addLine(db.sql, { resource: 'moved', source: 'other' }), 'moved 6', 6, { served: [[6]] })
    expect(await ended()).toEqual([
      ...['a 3 → 2', 'gone 2 → - whole', 'moved 2 → - reported', 'replaced 1 → - reported'],
    ])
    expect(await ended({ before: at(7) }, 1)).toEqual(['moved 2 → - reported'])
    expect(await ended({ providers: ['acme'] }, 1)).toEqual(['a 3 → 2'])
    expect(await ended({ providers: ['rival'] })).toEqual([])
  })

  it('are known from the first price on, and until what is not final yet', async () => {
    expect((await recordedRange(db.sql)).range.first).toBeUndefined()
    const line = await addLine(db.sql)
    await row(line, 'x2', 2, { served: [[2]] })
    await row(line, 'x1', 1, { served: [[1, 3]] })
    await db.sql`update publication_clock set last_stamp = now()`
    const early = await recordedRange(db.sql)
    expect([early.range.first, early.changed]).toEqual([at(1), undefined])
    await db.sql`update publication set published_at = date_trunc('milliseconds', now() - interval '9 minutes') where content_hash = 'x2'`
    await db.sql`update publication set unpublished_at = date_trunc('milliseconds', now() - interval '5 minutes') where content_hash = 'x1'`
    const late = await recordedRange(db.sql)
    const ends = await db.sql<{ at: string }[]>`select unpublished_at as at from publication where content_hash = 'x1'`
    expect(late.changed).toBe(ends[0]!.at)
    expect(late.range.newest < late.changed!).toBe(true)
    // Of several that changed lately, the last one counts: one that ended, and one that began.
    const minutesAgo = async (name: string, column: string, minutes: number) => {
      await db.sql`
        update publication set ${db.sql(column)} = date_trunc('milliseconds', now() - ${`${minutes} minutes`}::interval)
        where content_hash = ${name}`
      const { changed } = await recordedRange(db.sql)
      return Math.round((Date.now() - Date.parse(changed!)) / 60_000)
    }
    await row(line, 'x3', 3, { served: [[3, 4]] })
    expect(await minutesAgo('x3', 'unpublished_at', 3)).toBe(3)
    await row(line, 'x4', 4, { served: [[4]] })
    expect(await minutesAgo('x4', 'published_at', 2)).toBe(2)
  })
})

describe('prices beside a price', () => {
  it('are those of its resource first, then those of the same line of the same model at other sellers', async () => {
    const add = async (name: string, line: Parameters<typeof addLine>[1], canonical = 'maker/a') =>
      row(await addLine(db.sql, line), name, 1, { as: 'current', canonical })
    await add('own', {})
    await add('out', { dimension: 'output_tokens' }, 'maker/b')
    await add('tier', { tier: '{"x":"y"}' })
    await add('rival', { provider: 'rival', resource: 'z' })
    await add('rival other', { provider: 'rival', resource: 'z', source: 'other' })
    await add('zebra', { provider: 'zebra' })
    await add('model', { provider: 'zebra', resource: 'b' }, 'maker/b')
    await add('dimension', { provider: 'zebra', dimension: 'pages' })
    await add('same seller', { resource: 'c' })
    await add('removed', { provider: 'yak' })
    await db.sql`update price_line set removed_at = now() where provider = 'yak'`
    const beside = async (limit: number) =>
      (await neighboursOf(db.sql, 'own', limit)).map(
        ({ provider, resource, dimension, source, pricingTier, sameResource }) =>
          `${sameResource ? 'same' : 'other'} ${source} ${provider} ${resource} ${dimension} ${pricingTier}`,
      )
    expect(await beside(9)).toEqual([
      'same list acme a input_tokens {"x":"y"}',
      'same list acme a output_tokens {}',
      'other list rival z input_tokens {}',
      'other other rival z input_tokens {}',
      'other list zebra a input_tokens {}',
    ])
    expect(await beside(1)).toHaveLength(1)
  })

  it('of some resources are the published ones, or those that wait, in the order of their names', async () => {
    await row(await addLine(db.sql, { resource: 'b' }), 'b', 1, { as: 'current' })
    const a = await addLine(db.sql, { resource: 'a', dimension: 'output_tokens' })
    await row(a, 'a out', 2, { as: 'held' })
    await row(await addLine(db.sql, { resource: 'a' }), 'a in', 3, { as: 'current' })
    await row(await addLine(db.sql, { resource: 'a', tier: '{"x":"y"}' }), 'a tier', 4, { as: 'current' })
    await row(await addLine(db.sql, { resource: 'a', source: 'other' }), 'their a', 9, { as: 'current' })
    await row(await addLine(db.sql, { resource: 'a', provider: 'rival' }), 'rival a', 9, { as: 'current' })
    await row(await addLine(db.sql, { resource: 'c' }), 'c', 9, { as: 'current' })
    const removed = await addLine(db.sql, { resource: 'b', dimension: 'pages' })
    await row(removed, 'removed', 9, { as: 'current' })
    await db.sql`update price_line set removed_at = now() where line_id = ${removed}`
    await db.sql`update price_line set missing_since = now() where resource = 'b'`
    const wanted = { source: 'list', provider: 'acme', resources: ['b', 'a'] }
    const found = await pricesOfResources(db.sql, wanted, 9)
    expect(found.map(({ price, waits, isMissing }) => [price, waits, isMissing])).toEqual([
      ['4', false, false],
      ['3', false, false],
      ['2', true, false],
      ['1', false, true],
    ])
    expect(await pricesOfResources(db.sql, wanted, 2)).toHaveLength(2)
  })

  it('are one that was served, from when until when, and whether a person entered it', async () => {
    const line = await addLine(db.sql)
    await row(line, 'twice', 1, {
      served: [
        [2, 3],
        [5, 7],
      ],
      status: 'auto_approved',
    })
    await addStatus(db.sql, 'twice', 'approved', 6, 'ada')
    await row(line, 'entered', 2, { served: [[2, 4], [6]], status: 'approved', actor: 'ada' })
    await addStatus(db.sql, 'entered', 'auto_approved', 6)
    await row(line, 'held', 3, { status: 'pending' })
    expect(await servedRowOf(db.sql, 'twice')).toMatchObject({
      ...{ price: '1', servedFrom: at(2), servedUntil: at(7), status: 'approved', isEntered: false },
    })
    const entered = await servedRowOf(db.sql, 'entered')
    expect(entered).toMatchObject({ servedFrom: at(2), status: 'auto_approved', isEntered: true })
    expect(entered!.servedUntil).toBeUndefined()
    expect([await servedRowOf(db.sql, 'held'), await servedRowOf(db.sql, 'none')]).toEqual([undefined, undefined])
  })
})

describe('the example of a change', () => {
  it('is the one that says most: of a maker’s own model, plain, in USD, and of another day', async () => {
    const change = async (name: string, line: Parameters<typeof addLine>[1], hours = [1, 30], canonical?: string) => {
      const id = await addLine(db.sql, { resource: name, ...line })
      await row(id, `${name} before`, hours[0]!, { served: [[hours[0]!]], canonical, price: '1' })
      await row(id, `${name} now`, hours[1]!, { served: [[hours[1]!]], canonical, as: 'current', price: '2.50' })
      return id
    }
    const example = async () => (await exampleChange(db.sql))?.resource
    expect(await example()).toBeUndefined()
    await change('same-day', {}, [1, 5])
    await change('tiered', { tier: '{"x":"y"}' })
    await change('pages', { dimension: 'pages' })
    const currency = await change('euro', {})
    await db.sql`update price_line set currency = 'EUR' where line_id = ${currency}`
    const two = await change('two', {})
    await db.sql`
      insert into price_line (source, provider, resource, dimension, unit, currency, pricing_tier)
      values ('list', 'acme', 'two', 'input_tokens', 'usd_per_token', 'USD', '{"x":"y"}')`
    expect(two).toBeDefined()
    const removed = await change('removed', {})
    await db.sql`update price_line set removed_at = now() where line_id = ${removed}`
    expect(await example()).toBeUndefined()
    await change('older', {}, [1, 30])
    expect(await exampleChange(db.sql)).toEqual({
      ...{ provider: 'acme', resource: 'older', dimension: 'input_tokens', day: '2026-01-02', before: '1', now: '2.5' },
    })
    await change('newer', {}, [1, 60])
    expect(await example()).toBe('newer')
    await change('own', {}, [1, 40], 'acme/own')
    expect(await example()).toBe('own')
  })
})
