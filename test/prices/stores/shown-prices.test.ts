import { beforeEach, describe, expect, it } from 'vitest'
import { type Instant, MINUTE, plus } from '../../../src/lib/instant.ts'
import { gpuConditions } from '../../../src/prices/explore/explore-store.ts'
import { openInstant, readRange } from '../../../src/prices/explore/open-instant.ts'
import { describeHeldRow } from '../../../src/prices/review/describe-held-row.ts'
import { listAbsentPrices } from '../../../src/prices/review/list-absent-prices.ts'
import { listResourceRows } from '../../../src/prices/review/list-resource-rows.ts'
import { testDatabase } from '../../support/database.ts'
import { addLine, addRow, addSources, at, emptied } from './line-rows.ts'

const db = testDatabase()
beforeEach(async () => {
  await emptied(db.sql)
  await addSources(db.sql)
})

describe('the instants that prices are shown at', () => {
  /** Everything until some minutes ago is published. */
  async function publishedUntil(minutesAgo: number): Promise<Instant> {
    const [clock] = await db.sql<{ last: Instant }[]>`
      update publication_clock
      set last_stamp = date_trunc('milliseconds', clock_timestamp() - make_interval(mins => ${minutesAgo}))
      returning last_stamp as last`
    return clock!.last
  }

  it('end with the last publication, or with the newest that is final where nothing was published since', async () => {
    const published = await publishedUntil(1)
    const { asOf, range } = await openInstant(db.sql, {})
    expect([asOf, range]).toEqual([published, { asOf: published, newest: expect.any(String) }])
    expect(range.newest < published).toBe(true)
    await publishedUntil(60)
    const quiet = await openInstant(db.sql, {})
    expect(quiet.asOf).toBe(quiet.range.newest)
    expect(await readRange(db.sql)).toEqual({ newest: expect.any(String) })
  })

  it('begin with the first price, and say from when what changed lately is final', async () => {
    const published = await publishedUntil(1)
    await addRow(db.sql, await addLine(db.sql), 'row', 20, { served: [[20]] })
    await addRow(db.sql, await addLine(db.sql, { resource: 'b' }), 'earlier', 10, { served: [[10, 30]] })
    const shown = async (wanted?: Instant) => {
      const { asOf, first, finalFrom } = (await openInstant(db.sql, { asOf: wanted })).range
      return { asOf, first, finalFrom }
    }
    expect(await shown()).toEqual({ asOf: published, first: at(10), finalFrom: undefined })
    await db.sql`update publication set unpublished_at = ${plus(published, -MINUTE)} where content_hash = 'row'`
    expect(await shown()).toEqual({ asOf: published, first: at(10), finalFrom: plus(published, 14 * MINUTE) })
    expect(await shown(at(40))).toEqual({ asOf: at(40), first: at(10), finalFrom: undefined })
    expect(await shown(at(5))).toEqual({ asOf: at(5), first: at(5), finalFrom: undefined })
    expect((await readRange(db.sql)).first).toBe(at(10))
  })

  it('have what the prices of machines and GPUs say of their GPUs, while they are served', async () => {
    const add = async (name: string, dimension: string, served: [number, number?], condition: string | null = name) => {
      await addRow(db.sql, await addLine(db.sql, { resource: name, dimension }), name, served[0], { served: [served] })
      await db.sql`update price_row set billing_condition = ${condition} where content_hash = ${name}`
    }
    await add('gpu', 'gpu_hours', [10])
    await add('machine', 'instance_hours', [5, 11])
    await add('ended', 'gpu_hours', [5, 10])
    await add('later', 'gpu_hours', [10.1])
    await add('silent', 'gpu_hours', [5], null)
    await add('model', 'input_tokens', [5])
    expect(await gpuConditions(db.sql, at(10))).toEqual(
      new Map([
        ['gpu', 'gpu'],
        ['machine', 'machine'],
      ]),
    )
  })
})

describe('what a person is shown', () => {
  async function item(kind: string, detail: object): Promise<string> {
    const [row] = await db.sql<{ id: string }[]>`
      insert into review (review_id, source, provider, kind, reasons, detail, opened_at, asks)
      values (uuidv7(), 'list', 'acme', ${kind}, '{}', ${db.sql.json(detail as never)}, ${at(9)}, true) returning review_id as id`
    return row!.id
  }
  const missing = (resource: string) =>
    db.sql`update price_line set missing_since = ${at(8)} where resource = ${resource}`
  const absent = async (kind: string, detail: object) =>
    (await listAbsentPrices(db.sql, await item(kind, detail))).map((price) => [
      ...[price.resource, price.dimension, 'ends' in price ? price.ends : 'kept', price.waits],
    ])

  it('of an item about absences are the prices of its resources, and which of them end', async () => {
    for (const resource of ['gone', 'new'])
      await addRow(db.sql, await addLine(db.sql, { resource }), resource, 1, { as: 'current' })
    await addRow(db.sql, await addLine(db.sql, { resource: 'gone', dimension: 'output_tokens' }), 'waits', 1, {
      as: 'held',
    })
    await missing('gone')
    const both = { resources: ['gone', 'new'] }
    const gone = [
      ['gone', 'input_tokens', true, false],
      ['gone', 'output_tokens', false, true],
    ]
    expect(await absent('removal', both)).toEqual([...gone, ['new', 'input_tokens', false, false]])
    expect(await absent('removal', { resources: ['gone'] })).toEqual(gone)
    expect(await absent('rename', { resources: ['gone'], to: 'new' })).toEqual([
      ['gone', 'input_tokens', 'kept', false],
      ['gone', 'output_tokens', 'kept', true],
      ['new', 'input_tokens', 'kept', false],
    ])
    expect([await absent('removal', {}), await listAbsentPrices(db.sql, 'none')]).toEqual([[], []])
  })

  it('of an item about many resources are at most 40 prices of ten of them', async () => {
    const names = Array.from({ length: 12 }, (_, n) => `m-${String(n).padStart(2, '0')}`)
    const dimensions = ['input_tokens', 'output_tokens', 'requests', 'images', 'pages']
    for (const resource of names)
      for (const dimension of dimensions.slice(0, resource < 'm-02' ? 1 : 5))
        await addRow(db.sql, await addLine(db.sql, { resource, dimension }), `${resource} ${dimension}`, 1, {
          as: 'current',
        })
    const shown = async (resources: string[]) => (await absent('removal', { resources })).map(([resource]) => resource)
    const few = await shown([...names.slice(0, 2), ...names.slice(2)].reverse())
    expect([few.length, new Set(few).size, few[0]]).toEqual([40, 8, 'm-02'])
    const one = names.map((_, n) => `single-${String(n).padStart(2, '0')}`)
    for (const resource of one)
      await addRow(db.sql, await addLine(db.sql, { resource }), resource, 1, { as: 'current' })
    expect(await shown(one)).toEqual(one.slice(0, 10))
  })

  it('of a resource are its rows that were served, the newest first, and which of them is the price', async () => {
    const line = await addLine(db.sql)
    await addRow(db.sql, line, 'first', 1, { served: [[1, 2]], status: 'removed' })
    await addRow(db.sql, line, 'now', 4, { served: [[4]], status: 'approved' })
    await addRow(db.sql, line, 'before', 3, { served: [[3]], status: 'approved' })
    await addRow(db.sql, line, 'held', 5, { as: 'held', status: 'pending' })
    await addRow(db.sql, await addLine(db.sql, { source: 'other' }), 'theirs', 2, { served: [[2]], status: 'approved' })
    await addRow(db.sql, await addLine(db.sql, { resource: 'b' }), 'another', 9, { served: [[9]], status: 'approved' })
    const rows = await listResourceRows(db.sql, { provider: 'acme', resource: 'a' })
    expect(rows.map(({ contentHash, newest }) => [contentHash, newest])).toEqual([
      ['now', true],
      ['before', false],
      ['theirs', true],
      ['first', false],
    ])
  })

  it('of a held row is the row with at most twenty prices beside it', async () => {
    await addRow(db.sql, await addLine(db.sql), 'held', 5, { as: 'held', status: 'pending' })
    for (let n = 0; n < 21; n++)
      await addRow(db.sql, await addLine(db.sql, { tier: `{"n":"${n}"}` }), `beside ${n}`, 1, { as: 'current' })
    const shown = await describeHeldRow(db.sql, 'held')
    expect([shown?.row.contentHash, shown?.neighbours.length]).toEqual(['held', 20])
    expect(await describeHeldRow(db.sql, 'none')).toBeUndefined()
  })
})
