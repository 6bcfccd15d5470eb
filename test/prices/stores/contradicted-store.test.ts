import { beforeEach, describe, expect, it } from 'vitest'
import type { Instant } from '../../../src/lib/instant.ts'
import * as store from '../../../src/prices/contradicted/contradicted-store.ts'
import type { ContradictedLine } from '../../../src/prices/contradicted/schema.ts'
import { testDatabase } from '../../support/database.ts'
import { addLine, addRow, addSources, addStatus, at, emptied, inTransaction, KIND } from './line-rows.ts'

const db = testDatabase()
/** Sources are read lately after hour 90. */
const NOW = at(100)
beforeEach(async () => {
  await emptied(db.sql)
  await addSources(db.sql)
  await db.sql`update source set last_good_at = ${at(99)}, stale_after_seconds = 36000`
})

type Line = Parameters<typeof addLine>[1]
let rows = 0
const served = async (line: Line = {}, price = '1', hour = 10) => {
  const id = await addLine(db.sql, line)
  await addRow(db.sql, id, `row ${rows++}`, hour, { as: 'current', price })
  return id
}
const held = async (line: Line, price: string, since: number) => {
  const id = await addLine(db.sql, line)
  await addRow(db.sql, id, `row ${rows++}`, since, { as: 'held', price })
  await db.sql`update price_line set held_since = ${at(since)} where line_id = ${id}`
  return id
}
const shown = (source: string, resource: string, price: string, hour: number, more: Line = {}) => {
  const { dimension = 'input_tokens', unit = 'usd_per_token', tier = '{}', provider = 'acme' } = more
  return db.sql`
    insert into witness_price (source, provider, resource, dimension, unit, currency, pricing_tier, price, locator, shown_since)
    values (${source}, ${provider}, ${resource}, ${dimension}, ${unit}, 'USD', ${tier}, ${price}, '/', ${at(hour)})`
}
const set = (source: string, columns: object) => db.sql`update source set ${db.sql(columns)} where source = ${source}`
const setLine = (id: string, columns: object) => db.sql`update price_line set ${db.sql(columns)} where line_id = ${id}`

/** What is found of each line, with what is true of it. */
async function found(until: Instant = at(50), now: Instant = NOW) {
  const lines = await inTransaction(db.sql, async (tx) => {
    await store.lockContradictions(tx)
    return store.contradictions(tx, until, now)
  })
  const resources = new Map((await db.sql`select line_id, resource from price_line`).map((row) => [row.line_id, row]))
  return lines
    .map(({ lineId, source, price, isDecided, other }) => {
      const { since, isBetter, canDecide, decides } = other
      const said = `${resources.get(lineId)!.resource} ${source}:${price} ${other.source}:${other.price} ${since.slice(8, 13)}`
      const isSo = Object.entries({ isDecided, isBetter, canDecide, decides }).flatMap(([name, is]) => (is ? name : []))
      return [said, ...isSo].join(' ')
    })
    .sort()
}

describe('what other sources show against a price', () => {
  it('is another price of the same line, where both have stood until an instant', async () => {
    for (const resource of ['a', 'b', 'same', 'own', 'unit', 'tier', 'dimension', 'late']) await served({ resource })
    await served({ resource: 'new' }, '1', 50)
    await served({ resource: 'newer' }, '1', 50.1)
    await setLine(await served({ resource: 'removed' }), { removed_at: at(20) })
    await served({ resource: 'watching', source: 'witness' })
    await shown('other', 'a', '2', 20)
    await shown('witness', 'a', '3', 50)
    await shown('other', 'b', '2', 5)
    await shown('other', 'same', '1.0', 20)
    await shown('list', 'own', '2', 20)
    await shown('other', 'unit', '2', 20, { unit: 'usd_per_million' })
    await shown('other', 'tier', '2', 20, { tier: '{"context":">9"}' })
    await shown('other', 'dimension', '2', 20, { dimension: 'output_tokens' })
    await shown('other', 'late', '2', 50.1)
    for (const resource of ['new', 'newer', 'removed', 'watching']) await shown('other', resource, '2', 20)
    expect(await found()).toEqual([
      'a list:1 other:2 01T20 canDecide',
      'a list:1 witness:3 03T02',
      'b list:1 other:2 01T10 canDecide',
      'new list:1 other:2 03T02 canDecide',
    ])
  })

  it('is also a price that waits, of a line that the other source is not served for', async () => {
    const lines = ['first', 'back', 'beside', 'late']
    for (const resource of lines) await served({ resource })
    const [, back, beside] = [
      await held({ source: 'other', resource: 'first' }, '2', 20),
      await held({ source: 'other', resource: 'back' }, '2', 20),
      await held({ source: 'other', resource: 'beside' }, '2', 20),
      await held({ source: 'other', resource: 'late' }, '2', 50.1),
    ]
    await addRow(db.sql, back, 'back before', 1, { as: 'current', price: '3' })
    await setLine(back, { removed_at: at(5) })
    await addRow(db.sql, beside, 'served beside', 1, { as: 'current', price: '1' })
    expect(await found()).toEqual(['back list:1 other:2 01T20', 'first list:1 other:2 01T20'])
  })

  it('counts where the other source was read lately, and says whether it is better, decides, or a person did', async () => {
    const line = await served()
    await shown('other', 'a', '2', 20)
    await set('other', { last_good_at: at(89) })
    expect(await found()).toEqual([])
    await set('other', { ingested_at: at(91) })
    expect(await found()).toEqual(['a list:1 other:2 01T20 canDecide'])
    await set('other', { rank: 1 })
    expect(await found()).toEqual(['a list:1 other:2 01T20 isBetter canDecide'])
    await db.sql`
      insert into contradicted_line (line_id, price, other_price, sources, since, decided_by)
      values (${line}, 1, 2, '{other}', ${at(20)}, 'other')`
    await setLine(line, { decided_price: '7' })
    expect(await found()).toEqual(['a list:1 other:2 01T20 isDecided isBetter canDecide decides'])
    await setLine(line, { decided_price: null })
    const [{ hash }] = (await db.sql`select current_hash as hash from price_line`) as unknown as [{ hash: string }]
    await addStatus(db.sql, hash, 'approved', 11, 'ada')
    expect(await found()).toEqual(['a list:1 other:2 01T20 isDecided isBetter canDecide decides'])
    await addStatus(db.sql, hash, 'auto_approved', 12)
    expect(await found()).toEqual(['a list:1 other:2 01T20 isBetter canDecide decides'])
    await set('other', { declared: false })
    expect(await found()).toEqual([])
  })

  it('puts better sources first, then those that are declared first', async () => {
    await served()
    await shown('other', 'a', '2', 20)
    const place = async (columns: object) => {
      await set('other', columns)
      return (await inTransaction(db.sql, (tx) => store.contradictions(tx, at(50), NOW)))[0]!.other.place
    }
    expect([await place({ position: null }), await place({ position: 3 })]).toEqual([232_767, 200_003])
    expect([await place({ rank: 0 }), await place({ speaks_for: ['best'] })]).toEqual([3, 200_003])
  })

  it('is nothing against a better source that was read since, unless that no longer shows the line', async () => {
    const line = await served()
    await shown('other', 'a', '2', 20)
    await shown('other', 'before', '2', 5)
    await set('list', { rank: 0, last_good_at: at(19), ingested_at: at(18) })
    const news = ['a list:1 other:2 01T20 canDecide']
    expect(await found()).toEqual(news)
    await set('list', { last_good_at: at(20) })
    expect(await found()).toEqual([])
    await set('list', { last_good_at: at(5), ingested_at: at(4) })
    expect(await found()).toEqual([])
    await set('list', { last_good_at: at(5.1) })
    expect(await found()).toEqual(news)
    await set('list', { last_good_at: at(99) })
    await setLine(line, { missing_since: at(98) })
    expect(await found()).toEqual(news)
  })
})

describe('a contradicted line', () => {
  const one = (lineId: string, more: Partial<ContradictedLine> = {}): ContradictedLine => ({
    ...{ lineId, source: 'list', price: '1', otherPrice: '2', sources: ['other'], since: at(20), ...more },
  })
  const record = (...lines: ContradictedLine[]) => inTransaction(db.sql, (tx) => store.recordContradictions(tx, lines))
  const forget = (still: ContradictedLine[] = [], now: Instant = NOW) =>
    inTransaction(db.sql, (tx) => store.forgetContradictions(tx, still, now))
  const recorded = async () => {
    const found = await db.sql<{ line: string }[]>`
      select concat_ws(' ', source, resource, price, other_price, array_to_string(sources, '+'), decided_by) as line
      from contradicted_line join price_line using (line_id) order by 1`
    return found.map(({ line }) => line)
  }

  it('is recorded as it is now, and the source that decides about it newly is told', async () => {
    const [a, b] = [await served(), await served({ resource: 'b' })]
    expect(await record(one(a, { decidedBy: 'other' }), one(b))).toEqual(['other'])
    expect(await record(one(a, { decidedBy: 'other', otherPrice: '3' }), one(b, { price: '4' }))).toEqual([])
    expect(await recorded()).toEqual(['list a 1 3 other other', 'list b 4 2 other'])
    expect(await record(one(a, { sources: ['other', 'witness'], since: at(30) }))).toEqual([])
    const since = async () => (await db.sql`select since from contradicted_line where line_id = ${a}`)[0]!.since
    expect([await since(), (await recorded())[0]]).toEqual([at(30), 'list a 1 2 other+witness'])
    expect(await record(one(b, { decidedBy: 'witness' }), one(a, { decidedBy: 'other' }))).toEqual(['witness', 'other'])
    expect(await since()).toBe(at(20))
    expect(await record()).toEqual([])
    expect(await recorded()).toHaveLength(2)
  })

  it('is not contradicted any more where its source decides about the same line of another', async () => {
    const lines = [{}, { source: 'other' }, { source: 'other', resource: 'b' }, { source: 'witness' }] as const
    const [mine, theirs, ...rest] = await Promise.all(lines.map((line) => served(line)))
    await record(one(theirs!), ...rest.map((line) => one(line)))
    await record(one(mine!, { decidedBy: 'other' }))
    expect(await recorded()).toEqual(['list a 1 2 other other', 'other b 1 2 other', 'witness a 1 2 other'])
  })

  it('is forgotten without one that decides once it is found no more', async () => {
    const [a, b] = [await served(), await served({ resource: 'b' })]
    await record(one(a), one(b))
    expect(await forget([one(b)])).toEqual([])
    expect(await recorded()).toEqual(['list b 1 2 other'])
  })

  it('is forgotten once the one that decides shows nothing for it, and its source decides again', async () => {
    const line = await served()
    const again = async () => {
      await record(one(line, { decidedBy: 'other' }))
      return forget()
    }
    expect(await again()).toEqual(['list'])
    expect(await recorded()).toEqual([])
    await shown('other', 'b', '2', 20)
    await shown('witness', 'a', '2', 20)
    expect(await again()).toEqual(['list'])
    await shown('other', 'a', '9', 20)
    expect(await again()).toEqual([])
    expect(await recorded()).toHaveLength(1)
    for (const columns of [{ last_good_at: at(89) }, { witness: true }, { declared: false }]) {
      await set('other', columns)
      expect(await again()).toEqual(['list'])
      await set('other', { last_good_at: at(99), witness: false, declared: true })
    }
    await db.sql`delete from witness_price where source = 'other'`
    const theirs = await served({ source: 'other' }, '9')
    expect(await again()).toEqual([])
    await setLine(theirs, { removed_at: at(30) })
    expect(await again()).toEqual(['list'])
    await addRow(db.sql, theirs, 'waits', 40, { as: 'held' })
    expect(await again()).toEqual([])
    for (const columns of [{ last_good_at: at(89) }, { witness: true }]) {
      await set('other', columns)
      expect(await again()).toEqual(['list'])
      await set('other', { last_good_at: at(99), witness: false })
    }
  })

  it.each(['shown', 'served'])(
    'goes back to a better source that was read since, where the other is %s',
    async (how) => {
      const line = await served()
      if (how === 'shown') await shown('other', 'a', '2', 20)
      else await served({ source: 'other' }, '2')
      await record(one(line, { decidedBy: 'other' }))
      await set('list', { rank: 0, last_good_at: at(19) })
      expect(await forget()).toEqual([])
      await set('list', { last_good_at: at(20) })
      await setLine(line, { missing_since: at(19) })
      expect(await forget()).toEqual([])
      await setLine(line, { missing_since: null })
      expect(await forget()).toEqual(['list'])
      await record(one(line, { decidedBy: 'other' }))
      await set('other', { rank: 0 })
      expect(await forget()).toEqual([])
    },
  )

  it('is listed while it is served, those contradicted longest first', async () => {
    const [a, b, z] = [await served(), await served({ resource: 'b' }), await served({ resource: 'z' })]
    const away = await served({ resource: 'away' })
    const first = await addLine(db.sql, { resource: 'never' })
    await record(one(b), one(a), one(z, { since: at(19), decidedBy: 'other' }), one(away), one(first))
    await setLine(away, { removed_at: at(50) })
    await setLine(b, { decided_price: '3' })
    const listed = await store.servedContradictions(db.sql)
    expect(listed.map(({ resource }) => resource)).toEqual(['z', 'a', 'b'])
    expect(listed.map(({ isDecided }) => isDecided)).toEqual([false, false, true])
    const line = { provider: 'acme', ...KIND }
    const said = { source: 'list', price: '1', otherPrice: '2', sources: ['other'], isDecided: false }
    expect(listed.slice(0, 2)).toEqual([
      {
        ...line,
        ...said,
        resource: 'z',
        since: at(19),
        decidedBy: 'other',
        contentHash: expect.stringMatching(/^row/),
      },
      { ...line, ...said, resource: 'a', since: at(20), contentHash: expect.stringMatching(/^row/) },
    ])
  })
})
