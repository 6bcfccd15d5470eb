import { beforeEach, describe, expect, it } from 'vitest'
import { recordContent, saidBefore } from '../../../src/prices/store/ingested-content-store.ts'
import { heldLines, knownLines, linesOfResources } from '../../../src/prices/store/line-state-store.ts'
import * as publications from '../../../src/prices/store/publication-store.ts'
import * as rows from '../../../src/prices/store/row-store.ts'
import * as served from '../../../src/prices/store/served-store.ts'
import { testDatabase } from '../../support/database.ts'
import { addLine, addRow, addSources, addStatus, at, inTransaction } from './line-rows.ts'

const db = testDatabase({ each: true })
beforeEach(() => addSources(db.sql))

describe('the rows of a line', () => {
  it('are those that are served now, the newest by when it was recorded', async () => {
    const [line, other] = [await addLine(db.sql), await addLine(db.sql, { resource: 'b' })]
    await addRow(db.sql, line, 'old', 1, { served: [[1]] })
    await addRow(db.sql, line, 'new', 3, { served: [[3]] })
    await addRow(db.sql, line, 'withdrawn', 4, { served: [[4, 5]] })
    await addRow(db.sql, line, 'held', 5)
    await addRow(db.sql, other, 'theirs', 9, { served: [[9]] })
    expect(await rows.newestServed(db.sql, line)).toBe('new')
    expect(await rows.newestServed(db.sql, line, { except: 'new' })).toBe('old')
    expect(await rows.newestServedOf(db.sql, [line])).toEqual(new Map([[line, 'new']]))
    expect((await inTransaction(db.sql, (tx) => publications.openRows(tx, [line]))).sort()).toEqual(['new', 'old'])
    const hashes = (limit: number) => rows.servedHashesOf(db.sql, { provider: 'acme', resource: 'a' }, limit)
    expect([await hashes(9), await hashes(2)]).toEqual([
      ['withdrawn', 'new', 'old'],
      ['withdrawn', 'new'],
    ])
    const closed = await inTransaction(db.sql, (tx) =>
      publications.closePublications(tx, at(9.5), ['old', 'withdrawn']),
    )
    expect(closed).toEqual(['acme'])
    const ended = await db.sql`
      select content_hash as row, unpublished_at as at from publication where unpublished_at is not null order by 1`
    expect(ended).toEqual([
      { row: 'old', at: at(9.5) },
      { row: 'withdrawn', at: at(5) },
    ])
  })

  it('have the status that was recorded last, and say since when they are served', async () => {
    const line = await addLine(db.sql)
    await addRow(db.sql, line, 'b', 1, { served: [[1, 2], [3]], status: 'pending' })
    await addStatus(db.sql, 'b', 'approved', 2, 'ada')
    await addRow(db.sql, line, 'a', 4, { status: 'rejected', actor: 'ada' })
    const stored = await rows.storedRows(db.sql, ['b', 'a', 'none'])
    expect(
      stored.map(({ contentHash, status, statusAt, publishedAt }) => [contentHash, status, statusAt, publishedAt]),
    ).toEqual([
      ['a', 'rejected', at(4), undefined],
      ['b', 'approved', at(2), at(3)],
    ])
  })

  it('were refused by a person, after an instant, the newest first', async () => {
    const [line, other] = [await addLine(db.sql), await addLine(db.sql, { resource: 'b' })]
    const refused = { status: 'rejected', actor: 'ada' }
    await addRow(db.sql, line, 'early', 1, refused)
    await addRow(db.sql, line, 'rejected', 2, refused)
    await addRow(db.sql, line, 'withdrawn', 3, { status: 'withdrawn', actor: 'ada' })
    await addRow(db.sql, line, 'replaced', 4, { status: 'rejected' })
    await addRow(db.sql, line, 'approved', 5, { status: 'approved', actor: 'ada' })
    await addRow(db.sql, line, 'approved later', 6, refused)
    await addStatus(db.sql, 'approved later', 'approved', 7, 'ada')
    await addRow(db.sql, other, 'theirs', 8, refused)
    expect(await rows.newestRefused(db.sql, line, at(1))).toBe('3')
    await db.sql`update price_line set decided_price = '3', current_hash = 'early'`
    const [known] = await knownLines(db.sql, 'list', [line])
    expect([known!.refusedPrices, known!.current?.price]).toEqual([['3', '2'], '1'])
    expect(await rows.newestRefused(db.sql, line, at(3))).toBeUndefined()
  })
})

describe('the lines of a source', () => {
  it('are all of them, those held, or those of resources, in the order of their ids', async () => {
    const ids = [
      await addLine(db.sql),
      await addLine(db.sql, { resource: 'b' }),
      await addLine(db.sql, { resource: 'c' }),
    ]
    await addLine(db.sql, { source: 'other', resource: 'b' })
    await addLine(db.sql, { provider: 'rival', resource: 'b', source: 'other' })
    await addRow(db.sql, ids[1]!, 'held', 1, { as: 'held' })
    const named = async (lines: Promise<{ lineId: string }[]>) => (await lines).map(({ lineId }) => lineId)
    expect(await named(knownLines(db.sql, 'list'))).toEqual(ids)
    expect(await named(knownLines(db.sql, 'list', [ids[2]!]))).toEqual([ids[2]])
    expect(await named(heldLines(db.sql, 'list'))).toEqual([ids[1]])
    const of = (provider: string, resource: string) => linesOfResources(db.sql, 'list', [{ provider, resource }])
    expect([await named(of('acme', 'b')), await named(of('rival', 'b'))]).toEqual([[ids[1]], []])
  })

  it('of former names are those of their resources, or those that go on under the new name', async () => {
    const input = await addLine(db.sql, { resource: 'old' })
    const output = await addLine(db.sql, { resource: 'old', dimension: 'output_tokens' })
    await addLine(db.sql, { resource: 'old', source: 'other' })
    await addLine(db.sql, { resource: 'old', provider: 'rival' })
    const now = await addLine(db.sql, { resource: 'new' })
    const former = [{ provider: 'acme', resource: 'old', listed: 'new' }] as never
    const found = async (continuedIn?: string[]) =>
      (await inTransaction(db.sql, (tx) => publications.linesOfFormerNames(tx, 'list', former, continuedIn))).sort()
    const gone = async () =>
      (await inTransaction(db.sql, (tx) => publications.discontinuedLines(tx, 'list', former))).sort()
    expect([await found(), await found([now]), await found([input])]).toEqual([[input, output], [input], []])
    expect(await gone()).toEqual([input, output])
    await addRow(db.sql, now, 'row', 1, { as: 'current' })
    expect(await gone()).toEqual([output])
    await db.sql`update price_line set removed_at = now() where line_id = ${now}`
    expect(await gone()).toEqual([input, output])
  })

  it('that a removal ended are served again as they were, each with its last approval', async () => {
    const [line, other] = [await addLine(db.sql), await addLine(db.sql, { resource: 'b' })]
    await addRow(db.sql, line, 'removed', 1, {
      served: [
        [1, 2],
        [3, 4],
      ],
      status: 'auto_approved',
    })
    await addStatus(db.sql, 'removed', 'approved', 2, 'ada')
    await addStatus(db.sql, 'removed', 'removed', 4)
    await addRow(db.sql, line, 'withdrawn', 5, { served: [[5, 6]], status: 'removed' })
    await addStatus(db.sql, 'withdrawn', 'withdrawn', 6, 'ada')
    await addRow(db.sql, other, 'theirs', 1, { served: [[1, 2]], status: 'removed' })
    await db.sql`update publication set body = 'newest' where content_hash = 'removed' and published_at = ${at(3)}`
    expect(await inTransaction(db.sql, (tx) => publications.reopenRemoved(tx, at(9), [line]))).toEqual([
      { contentHash: 'removed', lineId: line, provider: 'acme', status: 'approved', removedAt: at(4) },
    ])
    expect(await db.sql`select content_hash as row, body from publication where published_at = ${at(9)}`).toEqual([
      { row: 'removed', body: 'newest' },
    ])
  })

  it('say in which periods they were served, what is held and why, and when they were removed', async () => {
    const line = await addLine(db.sql)
    await addRow(db.sql, line, 'served', 1, { served: [[1, 2], [3]], status: 'auto_approved', as: 'current' })
    await addStatus(db.sql, 'served', 'removed', 5)
    await addRow(db.sql, await addLine(db.sql, { resource: 'b' }), 'held', 2, { as: 'held' })
    await addRow(db.sql, await addLine(db.sql, { source: 'other' }), 'theirs', 1, {
      served: [[1]],
      status: 'removed',
      as: 'held',
    })
    await db.sql`
      insert into review (source, provider, kind, reasons, opened_at) values ('list', 'acme', 'price', '{jump}', now())`
    await db.sql`
      insert into review_row (review_id, content_hash, reasons)
      select review_id, row, '{jump,unit}' from review, unnest(array['held', 'theirs']) as row`
    const periods = await served.servedPeriods(db.sql, 'list')
    expect(periods.map(({ resource, from, to, heldFor }) => [resource, from, to, heldFor]).sort()).toEqual([
      ['a', at(1), at(2), null],
      ['a', at(3), null, null],
      ['b', null, null, ['jump', 'unit']],
    ])
    expect((await served.removedLines(db.sql, 'list')).map((removed) => [removed.resource, removed.at])).toEqual([
      ['a', at(5)],
    ])
    expect(await served.heldByReason(db.sql, 'list')).toEqual({ jump: 1, unit: 1 })
  })
})

describe('what a source said', () => {
  it('is recognized when it says it again after something else', async () => {
    const record = (source: string, content: string, hour: number) =>
      inTransaction(db.sql, (tx) => recordContent(tx, source, content, at(hour)))
    await record('list', 'a', 1)
    await record('other', 'b', 5)
    expect(await saidBefore(db.sql, 'list', 'a')).toBeUndefined()
    expect(await saidBefore(db.sql, 'list', 'b')).toBeUndefined()
    await record('list', 'b', 2)
    expect(await saidBefore(db.sql, 'list', 'a')).toBe(at(1))
    await record('list', 'a', 3)
    expect([await saidBefore(db.sql, 'list', 'a'), await saidBefore(db.sql, 'list', 'b')]).toEqual([undefined, at(2)])
  })
})

describe('the prices that were ever published', () => {
  it('are in US dollars, each once with the input price at its time, and none that was withdrawn or corrected', async () => {
    const input = await addLine(db.sql)
    const output = await addLine(db.sql, { dimension: 'output_tokens' })
    await addRow(db.sql, input, 'i1', 1, { price: '1', served: [[1]] })
    await addRow(db.sql, output, 'o2', 2, { price: '4', served: [[2, 3], [4]] })
    await addRow(db.sql, input, 'i3', 3, { price: '2', served: [[3]] })
    await addRow(db.sql, output, 'o5', 5, { price: '8', served: [[5]] })
    await addRow(db.sql, output, 'o6', 6, { price: '9', served: [[6]], status: 'withdrawn', actor: 'ada' })
    await addRow(db.sql, output, 'o7', 7, { price: '90', served: [[7]], status: 'auto_approved' })
    await addRow(db.sql, output, 'o8', 8, { price: '7', served: [[8]] })
    await db.sql`
      insert into price_status (content_hash, seq, at, status, reason, actor)
      values ('o8', 999, ${at(8)}, 'approved', 'corrects 90, a unit', 'ada')`
    await addRow(db.sql, output, 'held', 9, { price: '99' })
    const euro = await addLine(db.sql, { resource: 'b' })
    await db.sql`update price_line set currency = 'EUR' where line_id = ${euro}`
    await addRow(db.sql, euro, 'e', 1, { served: [[1]] })
    const published = await served.publishedPrices(db.sql)
    expect(published.map(({ dimension, price, input: beside }) => [dimension, price, beside])).toEqual([
      ['input_tokens', 1, 1],
      ['input_tokens', 2, 2],
      ['output_tokens', 4, 1],
      ['output_tokens', 7, 2],
      ['output_tokens', 8, 2],
    ])
    expect(published[0]).toMatchObject({ provider: 'acme', unit: 'token' })
  })
})
