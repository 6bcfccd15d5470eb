import { beforeEach, describe, expect, it } from 'vitest'
import { openRenames, rejectedAbsences, syncAbsenceReviews } from '../../../src/prices/store/absence-review-store.ts'
import * as store from '../../../src/prices/store/review-store.ts'
import { testDatabase } from '../../support/database.ts'
import { addLine, addRow, addSources, at, inTransaction } from './line-rows.ts'

const db = testDatabase({ each: true })
beforeEach(() => addSources(db.sql))

/** Holds a row of a new line, and opens an item about it. Returns the item's id. */
async function hold(name: string, hour: number, given: Parameters<typeof addLine>[1] & Partial<store.NewReview> = {}) {
  const { source = 'list', provider = 'acme' } = given
  await addRow(db.sql, await addLine(db.sql, { ...given, resource: given.resource ?? name }), name, hour, {
    as: 'held',
  })
  const rows = [{ contentHash: name, reasons: ['jump'] }]
  const item = { provider, kind: 'price' as const, reasons: ['jump'], rows, asks: true, ...given }
  await inTransaction(db.sql, (tx) => store.openReviews(tx, source, at(hour), [item]))
  return itemOf(name)
}
async function itemOf(row: string): Promise<string> {
  const [found] = await db.sql<{ id: string }[]>`select review_id as id from review_row where content_hash = ${row}`
  return found!.id
}
const open = async (...[limit, filter]: [number?, store.ReviewFilter?]) =>
  (await store.openReviewItems(db.sql, limit, filter)).map(({ rows }) => rows.join(' '))
const decisions = async () =>
  Object.fromEntries(
    (
      await db.sql<{ row: string; decision: string | null }[]>`
        select content_hash as row, decision from review join review_row using (review_id)`
    ).map(({ row, decision }) => [row, decision]),
  )

describe('open review items', () => {
  it('are listed in the order in which they were opened, those that meet every condition', async () => {
    await hold('second', 2, { kind: 'mass_change', reasons: ['many', 'jump'], asks: false })
    await hold('first', 1)
    await hold('third', 3, { source: 'other', provider: 'rival' })
    const closed = await hold('closed', 4)
    const by = { at: at(5), decision: 'approved' as const, by: 'ada', reason: 'right' }
    await inTransaction(db.sql, (tx) => store.closeReview(tx, closed, by))
    expect(await open()).toEqual(['first', 'second', 'third'])
    expect(await open(2)).toEqual(['first', 'second'])
    expect(await open(9, { provider: 'rival' })).toEqual(['third'])
    expect(await open(9, { source: 'list' })).toEqual(['first', 'second'])
    expect(await open(9, { kind: 'mass_change' })).toEqual(['second'])
    expect(await open(9, { reason: 'many' })).toEqual(['second'])
    expect(await open(9, { resource: 'third' })).toEqual(['third'])
    expect(await open(9, { openedBefore: at(2) })).toEqual(['first', 'second'])
    expect(await open(9, { asks: true })).toEqual(['first', 'third'])
    expect(await open(9, { asks: false, provider: 'rival' })).toEqual([])
  })

  it('are about all held rows of their resources, and of no other resource, provider or source', async () => {
    const id = await hold('input', 1, { resource: 'a' })
    const more = [
      ['output', { resource: 'a', dimension: 'output_tokens' }],
      ['resource', { resource: 'b' }],
      ['provider', { resource: 'a', provider: 'rival' }],
      ['source', { resource: 'a', source: 'other' }],
    ] as const
    for (const [name, line] of more) await addRow(db.sql, await addLine(db.sql, line), name, 1, { as: 'held' })
    await addRow(db.sql, await addLine(db.sql, { resource: 'a', tier: '{"x":"y"}' }), 'served', 1, { as: 'current' })
    expect((await store.openReview(db.sql, id))?.rows).toEqual(['input', 'output'])
  })

  it('are gone for their source alone when none of their rows is held any more', async () => {
    for (const [name, source] of [
      ['gone', 'list'],
      ['held', 'list'],
      ['theirs', 'other'],
    ] as const)
      await hold(name, 1, { source })
    await hold('many', 1, { kind: 'mass_change' })
    await hold('unread', 1, { kind: 'unreadable' })
    await db.sql`update price_line set held_hash = null where held_hash <> 'held'`
    await inTransaction(db.sql, (tx) => store.closeOvertakenReviews(tx, 'list', at(9)))
    expect(await decisions()).toEqual({
      ...{ gone: 'superseded', many: 'superseded', held: null, theirs: null, unread: null },
    })
    expect(await store.closedReview(db.sql, await itemOf('gone'))).toEqual({
      ...{ decision: 'superseded', decidedAt: at(9), decidedBy: null, reason: null },
    })
  })

  it('are closed one by one, by a person who says why', async () => {
    const [id, other] = [await hold('one', 1), await hold('two', 1)]
    expect(await store.closedReview(db.sql, id)).toBeUndefined()
    const decided = { at: at(2), decision: 'rejected' as const, by: 'ada', reason: 'a unit' }
    await inTransaction(db.sql, (tx) => store.closeReview(tx, id, decided))
    expect(await store.closedReview(db.sql, id)).toEqual({
      ...{ decision: 'rejected', decidedAt: at(2), decidedBy: 'ada', reason: 'a unit' },
    })
    expect([await store.openReview(db.sql, id), (await store.openReview(db.sql, other))?.rows]).toEqual([
      undefined,
      ['two'],
    ])
  })

  it('are open for the reasons of their held rows, in their order, and ask from then on where one of them asks', async () => {
    const id = await hold('one', 1, { asks: false })
    const other = await hold('two', 1, { asks: false })
    const judge = (reasons: string[]) =>
      inTransaction(db.sql, (tx) => store.recordVerdicts(tx, [{ contentHash: 'one', reasons }], ['ask']))
    const shown = async () => {
      const [item] = await db.sql`select reasons, asks from review where review_id = ${id}`
      return [item!.reasons, item!.asks]
    }
    await judge(['unit', 'jump'])
    expect(await shown()).toEqual([['unit', 'jump'], false])
    await judge(['ask'])
    expect(await shown()).toEqual([['ask'], true])
    await judge(['jump'])
    expect(await shown()).toEqual([['jump'], true])
    const verdicts = await store.verdictsOf(db.sql, ['one', 'two'])
    expect([verdicts.get('one')?.reasons, verdicts.get('two')?.reasons]).toEqual([['jump'], ['jump']])
    expect((await store.openReview(db.sql, other))?.reasons).toEqual(['jump'])
  })

  it('say since when and in how many fetches a row is held, while it is', async () => {
    await hold('one', 1)
    await db.sql`update price_line set held_since = ${at(3)}, held_fetches = 4`
    expect((await store.verdictsOf(db.sql, ['one', 'none'])).get('one')?.wait).toEqual({ since: at(3), fetches: 4 })
    await db.sql`update price_line set held_hash = null`
    expect((await store.verdictsOf(db.sql, ['one'])).get('one')).toEqual({ reasons: ['jump'] })
  })
})

describe('items about what is no longer listed', () => {
  const removal = (resource: string, more = {}) => ({
    ...{ provider: 'acme', kind: 'removal' as const, reason: 'not listed', resources: [resource], asks: false },
    ...more,
  })
  const sync = (source: string, hour: number, ...items: ReturnType<typeof removal>[]) =>
    inTransaction(db.sql, (tx) => syncAbsenceReviews(tx, source, at(hour), items as never))
  const rows = () => db.sql`
    select source, kind, detail->'resources'->>0 as resource, reasons[1] as reason, decision, asks from review
    order by opened_at, source, kind, resource`

  it('are opened once, changed when they differ, and superseded when they are gone, for their source alone', async () => {
    await sync('other', 1, removal('a'))
    await sync('list', 1, removal('a'))
    await sync('list', 2, removal('a'))
    const a = { kind: 'removal', resource: 'a', reason: 'not listed', decision: null, asks: false }
    expect(await rows()).toEqual([
      { source: 'list', ...a },
      { source: 'other', ...a },
    ])
    await sync('list', 3, removal('b', { reason: 'renamed?', asks: true }))
    const changed = { ...a, resource: 'b', reason: 'renamed?', asks: true }
    expect(await rows()).toEqual([
      { source: 'list', ...changed },
      { source: 'other', ...a },
    ])
    await sync('list', 4, removal('b', { provider: 'rival' }))
    expect((await rows()).map(({ decision }) => decision)).toEqual(['superseded', null, null])
    await sync('list', 5)
    expect((await rows()).map(({ source, decision }) => [source, decision])).toEqual([
      ...[
        ['list', 'superseded'],
        ['other', null],
        ['list', 'superseded'],
      ],
    ])
  })

  it('about lines that a person kept are not opened again while they are the same', async () => {
    const lines = (kind: string, texts: string[]) => removal('a', { kind, texts })
    for (const kind of ['line_removal', 'unreadable', 'removal']) {
      await sync('list', 1, lines(kind, ['x']))
      await db.sql`update review set decision = 'rejected', decided_at = ${at(2)} where kind = ${kind}`
      await sync('list', 3, lines(kind, ['x']))
      await sync('other', 3, lines(kind, ['x']))
      const [counted] = await db.sql`
        select count(*) filter (where source = 'list')::int as own, count(*)::int as all from review where kind = ${kind}`
      expect([kind, counted]).toEqual([kind, kind === 'removal' ? { own: 2, all: 3 } : { own: 1, all: 2 }])
      if (kind !== 'removal') await sync('list', 4, lines(kind, ['y']))
    }
    const [again] =
      await db.sql`select count(*)::int as count from review where kind = 'line_removal' and source = 'list'`
    expect(again!.count).toBe(2)
    // Those that ended in another way are: the same lines went once more.
    await db.sql`delete from review`
    await sync('list', 5, lines('unreadable', ['x']))
    for (const decision of ['superseded', 'approved']) {
      await db.sql`update review set decision = ${decision}, decided_at = ${at(6)} where decided_at is null`
      await sync('list', 7, lines('unreadable', ['x']))
    }
    expect((await rows()).map(({ decision }) => decision).sort()).toEqual(['approved', null, 'superseded'])
  })

  it('say which renamings wait and which were refused, and which removals were refused during this absence', async () => {
    const rename = (from: string, to: string) => removal(from, { kind: 'rename', to })
    await sync('other', 1, rename('x', 'y'))
    await sync('list', 1, rename('a', 'b'), rename('c', 'd'), removal('kept'), removal('listed'))
    await db.sql`
      update review set decision = 'rejected', decided_at = ${at(5)}
      where source = 'list' and detail->'resources'->>0 in ('a', 'kept', 'listed')`
    for (const [resource, hour, source] of [
      ['kept', 4, 'list'],
      ['listed', 6, 'list'],
      ['listed', 4, 'other'],
    ] as const) {
      const line = await addLine(db.sql, { resource, source })
      await db.sql`update price_line set missing_since = ${at(hour)} where line_id = ${line}`
    }
    expect(await openRenames(db.sql, 'list')).toEqual([{ provider: 'acme', from: 'c', to: 'd' }])
    const key = (...parts: string[]) => parts.join('\u001f')
    expect([...(await rejectedAbsences(db.sql, 'list'))].sort()).toEqual([key('acme', 'a', 'b'), key('acme', 'kept')])
  })
})
