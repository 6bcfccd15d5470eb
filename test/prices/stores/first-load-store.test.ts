import { beforeEach, describe, expect, it } from 'vitest'
import { storeSnapshot } from '../../../src/catalog/snapshots/snapshot-store.ts'
import { differingResources } from '../../../src/prices/staging/compare-store.ts'
import * as first from '../../../src/prices/staging/first-load-store.ts'
import { deadStagings, dropStaging, registerStaging } from '../../../src/prices/staging/staging-store.ts'
import { testDatabase } from '../../support/database.ts'
import { addLine, addSources, at, emptied, inTransaction } from './line-rows.ts'
import { named, names, type StagedLine, staged, unread } from './staged-lines.ts'

const db = testDatabase()
beforeEach(async () => {
  await emptied(db.sql)
  await addSources(db.sql)
})

describe('the first load of a source', () => {
  beforeEach(async () => {
    await addLine(db.sql, { resource: 'known' })
    await addLine(db.sql, { resource: 'a', source: 'other' })
  })
  const LINES: StagedLine[] = [
    ['b', 'input_tokens', '1', { rank: '2' }],
    ['a', 'input_tokens', '2', { rank: '1', category: 'late', canonicalResource: 'maker/a' }],
    ['a', 'output_tokens', '3', { rank: '1', category: 'last', canonicalResource: 'maker/0' }],
    ['c', 'input_tokens', '4', { rank: '3' }],
    ['a', 'requests', '5', { rank: '0', category: 'early' }],
    ['odd', 'input_tokens', '6'],
    ['known', 'input_tokens', '7'],
  ]
  async function divided(rowsAtOnce: number) {
    const table = await staged(db.sql, LINES, [unread('unread')])
    await first.createFirstLoad(db.sql, table)
    const load = await inTransaction(db.sql, (tx) =>
      first.divideFirstLoad(tx, table, 'list', { rowsAtOnce, except: named('odd') }),
    )
    return { table, load }
  }

  it('has what the source did not have before, whole resources in batches of about as many rows', async () => {
    const { table, load } = await divided(3)
    expect(load).toEqual({ batches: 2, lines: 5 })
    const batch = async (n: number) =>
      (await first.resourcesOfBatch(db.sql, table, n)).map(({ resource, lines, category, canonicalResource }) => [
        ...[resource, lines, category, canonicalResource],
      ])
    expect(await batch(0)).toEqual([['a', 3, 'last', 'maker/a']])
    expect(await batch(1)).toEqual([
      ['b', 1, undefined, undefined],
      ['c', 1, undefined, undefined],
    ])
    expect((await divided(99)).load).toEqual({ batches: 1, lines: 5 })
    const beside = (...resources: string[]) =>
      inTransaction(db.sql, (tx) => first.resourcesBesideFirstLoad(tx, table, named(...resources)))
    expect(names(await beside('a', 'odd', 'known'))).toEqual(['acme known', 'acme odd'])
  })

  it('is published batch by batch: lines, rows, statuses and periods, in the order of their places', async () => {
    const { table } = await divided(3)
    await db.sql`insert into provider (provider, name, created_at) values ('acme', 'Acme', ${at(0)})`
    const snapshotHash = await storeSnapshot(db.sql, { bytes: Buffer.from('x'), at: at(1) })
    const given = { source: 'list', at: at(5), snapshotHash, parserVersion: 4 }
    const publish = (from: number, to: number, seq: number) =>
      inTransaction(db.sql, (tx) => first.publishBatches(tx, table, { ...given, batches: { from, to }, seq }))
    expect(await publish(0, 0, 10)).toBe(3)
    expect(await publish(1, 1, 20)).toBe(2)
    const rows = await db.sql`
      select l.resource, l.dimension, r.price::text, s.seq::int as seq, s.status, p.published_at as at, r.parser_version as parser,
             l.current_hash = r.content_hash as current
      from price_line l join price_row r using (line_id) join price_status s using (content_hash)
      join publication p using (content_hash) order by s.seq`
    const rest = ['auto_approved', at(5), 4, true]
    expect(rows.map(({ dimension: _, price: __, ...row }) => Object.values(row))).toEqual([
      ...[10, 11, 12].map((seq) => ['a', seq, ...rest]),
      ...[20, 21].map((seq) => [seq === 20 ? 'b' : 'c', seq, ...rest]),
    ])
    expect(rows.map(({ dimension, price }) => `${dimension} ${price}`).sort()).toEqual([
      ...['input_tokens 1', 'input_tokens 2', 'input_tokens 4', 'output_tokens 3', 'requests 5'],
    ])
    const fresh = await staged(db.sql, LINES.slice(0, 5))
    expect(await inTransaction(db.sql, (tx) => differingResources(tx, fresh, 'list'))).toEqual(named('known'))
  })
})

describe('staged snapshots', () => {
  it('that a check left behind are those of twelve hours ago, and any of a source that is claimed', async () => {
    await db.sql`delete from staging`
    const ids: Record<string, string> = {}
    for (const source of ['list', 'other', 'old']) ids[source] = await registerStaging(db.sql, source)
    await db.sql`update staging set created_at = clock_timestamp() - interval '11 h 59 min' where source = 'other'`
    await db.sql`update staging set created_at = clock_timestamp() - interval '12 h 1 min' where source = 'old'`
    expect(await deadStagings(db.sql)).toEqual([ids.old])
    expect((await deadStagings(db.sql, 'list')).sort()).toEqual([ids.list, ids.old].sort())
    await dropStaging(db.sql, ids.list!)
    expect(await db.sql`select source from staging order by 1`).toEqual([{ source: 'old' }, { source: 'other' }])
  })
})
