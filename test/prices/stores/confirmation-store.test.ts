import { beforeEach, describe, expect, it } from 'vitest'
import * as confirmation from '../../../src/prices/confirmation/confirmation-store.ts'
import { differingLines, rowFacts } from '../../../src/prices/confirmation/facts-store.ts'
import { confirmedResources } from '../../../src/prices/explore/confirmed-store.ts'
import { testDatabase } from '../../support/database.ts'
import { addLine, addRow, addSources, at, emptied, inTransaction } from './line-rows.ts'

const db = testDatabase()
beforeEach(async () => {
  await emptied(db.sql)
  await addSources(db.sql)
  await db.sql`update source set last_good_at = ${at(99)}, stale_after_seconds = 36000`
})

const served = async (name: string, line: Parameters<typeof addLine>[1] = {}, price = '1') => {
  const id = await addLine(db.sql, line)
  await addRow(db.sql, id, name, 1, { as: 'current', served: [[1]], price })
  return id
}
const period = (
  contentHash: string,
  lineId: string,
  more: Partial<confirmation.NewPeriod> = {},
): confirmation.NewPeriod => ({
  ...{ contentHash, lineId, provider: 'acme', source: 'list', basis: '7', said: true, agree: '', disagree: '' },
  ...{ byProvider: false, independent: false, independentOfOwn: false, ...more },
})
const open = (hour: number, ...periods: confirmation.NewPeriod[]) =>
  inTransaction(db.sql, async (tx) => {
    await confirmation.closePeriods(
      tx,
      at(hour),
      periods.map(({ contentHash }) => contentHash),
    )
    await confirmation.openNewPeriods(tx, at(hour), periods)
  })
const periods = async () => {
  const rows = await db.sql<{ row: string; since: string; until: string | null; confirmed: string | null }[]>`
    select content_hash || case when superseded then ' superseded' when said then ' said' else ' unsaid' end as row, since,
           until, confirmed_at as confirmed
    from row_confirmation order by since, content_hash`
  return rows.map(({ row, since, until, confirmed }) => [row, since, until, confirmed])
}

describe('a period of confirmation', () => {
  it('in which a source says otherwise remembers when it said so last', async () => {
    const line = await served('row')
    for (const [source, hour] of [
      ['list', 0.5],
      ['list', 2],
      ['list', 3],
      ['list', 6],
      ['other', 4],
    ] as const)
      await db.sql`
        insert into good_fetch (source, at, rank, stale_after_seconds) values (${source}, ${at(hour)}, 2, 3600)`
    await open(5, period('row', line, { said: false }))
    await open(7, period('row', line, { said: false, contradictedSince: at(6) }))
    await open(8, period('row', line))
    await open(9, period('row', line, { said: false }))
    expect(await periods()).toEqual([
      ['row unsaid', at(5), at(7), at(3)],
      ['row unsaid', at(7), at(8), at(3)],
      ['row said', at(8), at(9), null],
      ['row unsaid', at(9), null, at(6)],
    ])
    const [current] = await inTransaction(db.sql, (tx) => confirmation.openPeriods(tx, ['row']))
    expect(current).toMatchObject({ contentHash: 'row', said: false, contradictedSince: null, basis: '7' })
  })

  it('that was never confirmed says so', async () => {
    const line = await served('row')
    await db.sql`insert into good_fetch (source, at, rank, stale_after_seconds) values ('list', ${at(0.5)}, 2, 3600)`
    await open(5, period('row', line, { said: false }))
    expect(await periods()).toEqual([['row unsaid', at(5), null, null]])
  })

  it('of a row beside a newer one of its line is superseded, once', async () => {
    const line = await addLine(db.sql)
    await addRow(db.sql, line, 'old', 1, { served: [[1]] })
    await addRow(db.sql, line, 'now', 2, { served: [[2]], as: 'current' })
    await addRow(db.sql, line, 'ended', 1, { served: [[1, 2]] })
    await addRow(db.sql, await addLine(db.sql, { resource: 'b' }), 'theirs', 1, { served: [[1]] })
    await db.sql`insert into good_fetch (source, at, rank, stale_after_seconds) values ('list', ${at(1.5)}, 2, 3600)`
    await open(2, period('now', line))
    const supersede = (hour: number) => inTransaction(db.sql, (tx) => confirmation.supersedeRows(tx, at(hour), [line]))
    await supersede(3)
    await supersede(4)
    const expected = [
      ['now said', at(2), null, null],
      ['old superseded', at(3), null, at(1.5)],
    ]
    expect(await periods()).toEqual(expected)
    await db.sql`update price_line set removed_at = ${at(5)} where line_id = ${line}`
    await supersede(5)
    expect((await periods()).map(([row]) => row)).toEqual(['now said', 'old superseded', 'now superseded'])
  })
})

describe('what is known of a served price', () => {
  const facts = async (...lines: string[]) => inTransaction(db.sql, (tx) => rowFacts(tx, lines, at(100)))

  it('is what other sources that are read show for the same line', async () => {
    const line = await served('row')
    await served('theirs', { source: 'other' }, '2')
    await served('tier', { source: 'other', tier: '{"x":"y"}' })
    const missing = await served('missing', { source: 'witness', resource: 'z' }, '3')
    await db.sql`update price_line set missing_since = ${at(2)} where line_id = ${missing}`
    await db.sql`
      insert into witness_price (source, provider, resource, dimension, unit, currency, pricing_tier, price, locator, shown_since)
      select s, 'acme', 'a', 'input_tokens', 'usd_per_token', 'USD', '{}', 3, '/', now() from unnest(array['witness', 'list']) as s`
    const others = async () =>
      (await facts(line))[0]!.others.map(({ source, price, rank }) => `${source} ${price} ${rank}`)
    expect(await others()).toEqual(['other 2 community', 'witness 3 community'])
    await db.sql`update source set rank = 0 where source = 'witness'`
    expect(await others()).toEqual(['witness 3 provider', 'other 2 community'])
    await db.sql`update source set rank = 2 where source = 'witness'`
    await db.sql`update source set last_good_at = ${at(1)} where source = 'witness'`
    expect(await others()).toEqual(['other 2 community'])
    const held = await db.sql<
      { id: string }[]
    >`select line_id as id from price_line where source = 'other' and pricing_tier = '{}'`
    await addRow(db.sql, held[0]!.id, 'held', 2, { as: 'held', price: '9' })
    expect(await others()).toEqual(['other 9 community'])
    const [waits] = await facts(line)
    expect(waits!.others).toMatchObject([{ isHeld: true }])
    await db.sql`update price_line set current_hash = held_hash, held_hash = null where line_id = ${held[0]!.id}`
    const [published] = await facts(line)
    expect(published!.others).toMatchObject([{ price: '9', isHeld: false }])
    expect(published!.basis).not.toBe(waits!.basis)
    await db.sql`update price_line set missing_since = ${at(3)} where line_id = ${held[0]!.id}`
    expect(await others()).toEqual([])
    await db.sql`update price_line set missing_since = null, decided_price = '9' where line_id = ${held[0]!.id}`
    expect(await others()).toEqual([])
  })

  it('is whether its source says so, another price that waits, and a contradiction of that price alone', async () => {
    const line = await served('row')
    const gone = await served('gone', { resource: 'gone' })
    await db.sql`update price_line set removed_at = ${at(2)} where line_id = ${gone}`
    expect(await facts(line, gone)).toMatchObject([
      { contentHash: 'row', said: true, waits: false, rank: 'community', price: '1' },
    ])
    await db.sql`insert into unsaid_line (line_id) values (${line})`
    await addRow(db.sql, line, 'waits', 2, { as: 'held', price: '5' })
    await db.sql`
      insert into contradicted_line (line_id, price, other_price, sources, since) values (${line}, 1, 2, '{x}', ${at(3)})`
    expect(await facts(line)).toMatchObject([{ said: false, waits: true, contradictedSince: at(3) }])
    await db.sql`update contradicted_line set price = 9`
    expect((await facts(line))[0]!.contradictedSince).toBeUndefined()
  })

  it('differs from what is recorded where the evidence, a contradiction or the newest row does', async () => {
    const line = await served('row')
    await served('b', { resource: 'b' })
    const differing = () => inTransaction(db.sql, (tx) => differingLines(tx, at(100)))
    expect(await differing()).toEqual([])
    await served('theirs', { source: 'other' }, '2')
    expect(await differing()).toHaveLength(2)
    for (const one of await inTransaction(db.sql, async (tx) =>
      rowFacts(tx, await differingLines(tx, at(100)), at(100)),
    ))
      await open(5, period(one.contentHash, one.lineId, { basis: one.basis }))
    expect(await differing()).toEqual([])
    await db.sql`
      insert into contradicted_line (line_id, price, other_price, sources, since) values (${line}, 1, 2, '{x}', ${at(3)})`
    expect(await differing()).toEqual([line])
    await db.sql`update contradicted_line set price = 9`
    expect(await differing()).toEqual([])
    await db.sql`update row_confirmation set superseded = true where content_hash = 'row'`
    expect(await differing()).toEqual([line])
  })
})

it('a resource is marked as confirmed by its provider where all its prices are, and else by independent sources', async () => {
  const [input, output] = [await served('in'), await served('out', { dimension: 'output_tokens' })]
  await open(2, period('in', input, { byProvider: true }), period('out', output, { byProvider: true }))
  await open(3, period('out', output, { independent: true }))
  await open(4, period('out', output))
  const marked = (by: string) => [{ provider: 'acme', resource: 'a', source: 'list', by }]
  expect(await confirmedResources(db.sql, at(2.5))).toEqual(marked('provider'))
  expect(await confirmedResources(db.sql, at(3.5))).toEqual(marked('independent'))
  expect(await confirmedResources(db.sql, at(4.5))).toEqual([])
})

describe('lines of which a source says otherwise', () => {
  it('are exactly those that it says otherwise of now, and of no other source', async () => {
    const [a, b] = [await served('a'), await served('b', { resource: 'b' })]
    const theirs = await served('theirs', { source: 'other', resource: 'c' })
    const unsaid = async () =>
      (await db.sql<{ id: string }[]>`select line_id as id from unsaid_line order by 1`).map(({ id }) => id)
    await inTransaction(db.sql, (tx) => confirmation.noteSaid(tx, { said: [], unsaid: [a, a, theirs] }))
    await inTransaction(db.sql, (tx) => confirmation.replaceUnsaid(tx, 'list', [b]))
    expect(await unsaid()).toEqual([b, theirs].sort((x, y) => Number(x) - Number(y)))
    await open(2, period('a', a, { said: false }), period('b', b))
    const unsettled = await inTransaction(db.sql, (tx) => confirmation.unsettledLines(tx, 'list'))
    expect(unsettled.sort()).toEqual([a, b].sort())
    await inTransaction(db.sql, (tx) => confirmation.noteSaid(tx, { said: [b], unsaid: [] }))
    expect(await unsaid()).toEqual([theirs])
  })

  it('are compared with evidence from what the last comparison was made', async () => {
    await confirmation.recordBasis(db.sql, 'one')
    await confirmation.recordBasis(db.sql, 'two')
    expect(await confirmation.lastBasis(db.sql)).toBe('two')
  })
})
