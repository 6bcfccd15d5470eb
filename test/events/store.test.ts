import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { FeedFilter } from '../../src/events/feed-schema.ts'
import { feedEvents, feedPage } from '../../src/events/feed-store.ts'
import { changesOf, listFeed } from '../../src/events/list-feed.ts'
import type { EventDraft } from '../../src/events/schema.ts'
import * as store from '../../src/events/store.ts'
import { HOUR, type Instant, plus } from '../../src/lib/instant.ts'
import type { Tx } from '../../src/lib/sql.ts'
import { testDatabase } from '../support/database.ts'

const AT = '2026-01-01T00:00:00.000Z' as Instant
const at = (hour: number) => plus(AT, hour * HOUR)
const db = testDatabase()
let seq = 0
beforeEach(async () => {
  seq = 0
  await db.sql`delete from event`
})

const within = <T>(work: (tx: Tx) => Promise<T>) => db.sql.begin(work) as Promise<T>
const stamp = (hour: number) => ({
  at: at(hour),
  nextSeq: (count = 1) => {
    seq += count
    return seq - count + 1
  },
})
const record = (hour: number, ...drafts: EventDraft[]) => within((tx) => store.recordEvents(tx, stamp(hour), drafts))
const changed = (
  before: string | undefined,
  after: string | undefined,
  more: Partial<EventDraft> = {},
): EventDraft => ({
  ...{ type: 'price.changed', provider: 'acme' },
  payload: { previous: before === undefined ? null : { price: before }, current: { price: after } },
  ...more,
})
const added = (resource: string, more: Partial<EventDraft> = {}): EventDraft => ({
  ...{ type: 'resource.added', provider: 'acme', payload: { resource }, resources: [resource], members: [resource] },
  ...more,
})

describe('an event', () => {
  it('is recorded with who may want it, and as it is sent ever after', async () => {
    const groupId = randomUUID()
    const [id] = await record(
      2,
      { ...added('m'), resources: ['m', 'maker/m'], creditPriced: true },
      { type: 'tos.changed', provider: 'best', payload: {}, document: 'terms', significance: 'high' },
      { type: 'alias.member_added', provider: 'acme', payload: {}, groupId },
    )
    const rows = await db.sql`
      select type, provider, eligible_at as at, resources, members, document, significance, group_id as group,
             credit_priced as credits, direction from event order by seq`
    const none = {
      document: null,
      significance: null,
      group: null,
      credits: false,
      direction: null,
      resources: [],
      members: [],
    }
    expect(rows).toEqual([
      {
        ...none,
        ...{
          type: 'resource.added',
          provider: 'acme',
          at: at(2),
          resources: ['m', 'maker/m'],
          members: ['m'],
          credits: true,
        },
      },
      { ...none, type: 'tos.changed', provider: 'best', at: at(2), document: 'terms', significance: 'high' },
      { ...none, type: 'alias.member_added', provider: 'acme', at: at(2), group: groupId },
    ])
    // A row that was changed since stands behind the others.
    await db.sql`update event set matched_at = ${at(3)} where seq = 1`
    const bodies: string[] = []
    for await (const body of store.eventBodies(db.sql)) bodies.push(body)
    expect(bodies.map((body) => JSON.parse(body).type)).toEqual([
      ...['resource.added.acme', 'tos.changed.best', 'alias.member_added.acme'],
    ])
    expect(JSON.parse(bodies[0]!)).toEqual({
      ...{ version: 'resource-added.v1', type: 'resource.added.acme', id, createdAt: at(2), eligibleAt: at(2) },
      ...{ provider: 'acme', resource: 'm' },
    })
  })

  it('of a price says whether it rose or fell, and by how much where it was not zero', async () => {
    await record(
      1,
      changed('2', '3'),
      changed('4', '3'),
      changed('2', '2.0'),
      changed('0', '1'),
      changed(undefined, '1'),
    )
    await record(1, { ...added('m'), payload: { previous: { price: '1' }, current: { price: '2' } } })
    const rows = await db.sql<{ direction: string | null; percent: string | null }[]>`
      select direction, trim_scale(change_percent)::text as percent from event order by seq`
    expect(rows.map(({ direction, percent }) => [direction, percent])).toEqual([
      ['up', '50'],
      ['down', '25'],
      ['same', '0'],
      ['up', null],
      [null, null],
      [null, null],
    ])
  })

  it('of each type is an example: the newest of 8 KiB or less, and none of a test', async () => {
    const sized = (type: EventDraft['type'], text: string, n: number) => db.sql`
      insert into event (seq, event_id, type, eligible_at, body) values (${++seq}, ${`evt_${n}`}, ${type}, ${AT}, ${text})`
    await sized('price.changed', 'old', 1)
    await sized('price.changed', 'x'.repeat(8192), 2)
    await sized('price.changed', 'x'.repeat(8193), 3)
    await sized('resource.added', 'added', 4)
    await within((tx) =>
      store.recordTestEvent(tx, { id: 'evt_5', type: 'webhook.test', body: '{}', seq: ++seq, at: AT }),
    )
    const newest = await store.newestBodies(db.sql)
    expect([...newest.keys()]).toEqual(['price.changed', 'resource.added'])
    expect(newest.get('price.changed')).toHaveLength(8192)
  })

  it('of a type is shown as an example until 5,000 newer ones were recorded', async () => {
    const fill = (from: number, to: number) => db.sql`
      insert into event (seq, event_id, type, eligible_at, body)
      select n, 'evt_' || n, case n when 1 then 'price.revised' else 'price.changed' end, ${AT}, 'body ' || n
      from generate_series(${from}::int, ${to}::int) as n`
    await fill(1, 5_000)
    expect([...(await store.newestBodies(db.sql))]).toEqual([
      ['price.changed', 'body 5000'],
      ['price.revised', 'body 1'],
    ])
    await fill(5_001, 5_001)
    expect([...(await store.newestBodies(db.sql)).keys()]).toEqual(['price.changed'])
  })

  it('of a test is recorded once, as matched', async () => {
    const test = { id: 'evt_test', type: 'webhook.test', body: '{}', seq: 1, at: AT }
    await within((tx) => store.recordTestEvent(tx, test))
    await within((tx) => store.recordTestEvent(tx, { ...test, seq: 2, body: '{"other":1}' }))
    expect(await db.sql`select body, matched_at as at from event`).toEqual([{ body: '{}', at: AT }])
    expect(await within((tx) => store.lockUnmatched(tx, 9))).toEqual([])
  })

  it('tells at which moments something of a provider was published', async () => {
    await record(1, added('m'))
    await record(2, added('m', { provider: 'best' }))
    const moments = [1, 2, 2].map((hour, n) => ({ provider: n === 2 ? 'best' : 'acme', at: at(hour) }))
    expect(
      (await store.momentsWithEvents(db.sql, [...moments, moments[0]!]))
        .map(({ provider, at: when }) => [provider, when])
        .sort(),
    ).toEqual([
      ['acme', at(1)],
      ['best', at(2)],
    ])
  })
})

describe('events that a query makes', () => {
  it('are numbered in the order of their places, with the bodies of those that are given', async () => {
    const drafts = (count: number) => (tx: Tx) =>
      store.recordEventsFrom(tx, stamp(3), {
        ...{ type: 'resource.added', count },
        drafts: tx`
          select place, 'acme' as provider, array['r' || place] as resources, array['m' || place] as members,
                 place = 2 as credit_priced, '{"resource":"r' || place || '"}' as payload
          from unnest(array[3, 1, 2]) as place`,
      })
    await record(1, added('before'))
    await within(drafts(0))
    await expect(within(drafts(2))).rejects.toThrow('3 events of 2 were made')
    seq = 1
    await within(drafts(3))
    const rows = await db.sql`
      select seq::int, event_id as id, provider, eligible_at as at, resources, members, credit_priced as credits, body
      from event where seq > 1 order by seq`
    expect(rows.map(({ id: _, body: __, ...row }) => Object.values(row))).toEqual([
      [2, 'acme', at(3), ['r1'], ['m1'], false],
      [3, 'acme', at(3), ['r2'], ['m2'], true],
      [4, 'acme', at(3), ['r3'], ['m3'], false],
    ])
    expect(JSON.parse(rows[0]!.body)).toEqual({
      ...{ version: 'resource-added.v1', type: 'resource.added.acme', id: rows[0]!.id, createdAt: at(3) },
      ...{ eligibleAt: at(3), provider: 'acme', resource: 'r1' },
    })
    expect(await record(4, added('after'))).toHaveLength(1)
    expect(await db.sql`select max(seq)::int as last from event`).toEqual([{ last: 5 }])
  })
})

describe('matching', () => {
  it('takes the oldest events that are not matched, others than another process has', async () => {
    await record(1, added('a'), added('b'), added('c'), added('d'))
    await within((tx) => store.markMatched(tx, ['2'], at(5)))
    expect(await db.sql`select matched_at as at from event order by seq`).toEqual([
      ...[{ at: null }, { at: at(5) }, { at: null }, { at: null }],
    ])
    await within(async (tx) => {
      expect(await store.lockUnmatched(tx, 1)).toEqual(['1'])
      expect(await within((other) => store.lockUnmatched(other, 9))).toEqual(['3', '4'])
      expect(await within((other) => store.lockPartlyMatched(other))).toEqual({ seq: '3', after: null })
    })
    const webhookId = randomUUID()
    await within((tx) => store.markMatchedTo(tx, '1', webhookId))
    expect(await db.sql`select seq from event where matched_to is not null`).toEqual([{ seq: '1' }])
    expect(await within((tx) => store.lockUnmatched(tx, 2))).toEqual(['1', '3'])
    expect(await within((tx) => store.lockPartlyMatched(tx))).toEqual({ seq: '1', after: webhookId })
    expect(await store.deleteEvents(db.sql, [])).toBe(0)
    expect(await store.deleteEvents(db.sql, ['1'])).toBe(1)
    expect(await store.deleteEvents(db.sql, ['3', '99'])).toBe(1)
    expect(await db.sql`select seq from event order by seq`).toEqual([{ seq: '2' }, { seq: '4' }])
    await within((tx) => store.markMatched(tx, ['4'], at(6)))
    expect(await within((tx) => store.lockPartlyMatched(tx))).toBeUndefined()
  })
})

describe('the feed', () => {
  const page = async (filter: Partial<FeedFilter> = {}) =>
    (await feedPage(db.sql, { limit: 99, ...filter })).map(({ seq: number }) => number)

  it('has the newest first, without tests and without what only those see who name it', async () => {
    await record(1, changed('1', '2', { resources: ['m', 'maker/m'] }), changed('2', '1'))
    await record(2, added('n', { provider: 'best' }), { type: 'price.announced', provider: 'acme', payload: {} })
    await within((tx) =>
      store.recordTestEvent(tx, { id: 'evt_t', type: 'webhook.test', body: '{}', seq: ++seq, at: AT }),
    )
    await record(
      3,
      { type: 'tos.changed', provider: 'acme', payload: {}, significance: 'low' },
      { type: 'tos.changed', provider: 'acme', payload: {}, significance: 'high' },
    )
    // What is about no provider was never published.
    await record(3, changed('5', '6'))
    await db.sql`update event set provider = null where seq = 8`
    expect(await page()).toEqual(['7', '6', '3', '2', '1'])
    expect(await page({ limit: 2 })).toEqual(['7', '6'])
    expect(await page({ types: ['price.announced', 'resource.added'] })).toEqual(['4', '3'])
    expect(await page({ providers: ['best'] })).toEqual(['3'])
    expect(await page({ resource: 'maker/m' })).toEqual(['1'])
    expect(await page({ direction: 'down' })).toEqual(['2'])
    expect(await page({ minSignificance: 'high' })).toEqual(['7', '3', '2', '1'])
    expect(await page({ minSignificance: 'low' })).toEqual(['7', '6', '3', '2', '1'])
    expect(await page({ minSignificance: 'medium' })).toEqual(['7', '3', '2', '1'])
    expect(await page({ asOf: at(2) })).toEqual(['3', '2', '1'])
    expect(await page({ before: '6' })).toEqual(['3', '2', '1'])
    await db.sql`update event set matched_at = ${at(3)} where seq = 1`
    expect((await feedEvents(db.sql, ['3', '1', '99'])).map(({ seq: number }) => number)).toEqual(['1', '3'])
  })

  it('is read page by page, and says where the next one begins, where there is one', async () => {
    await record(1, added('a'), added('b'), added('c'))
    const read = async (limit: number, before?: string) => {
      const { items, next } = await listFeed(db.sql, { limit, ...(before && { before }) })
      return [items.map(({ seq: number }) => number), next]
    }
    expect(await read(2)).toEqual([['3', '2'], '2'])
    expect(await read(2, '2')).toEqual([['1'], undefined])
    expect(await read(3)).toEqual([['3', '2', '1'], undefined])
    expect(await read(1)).toEqual([['3'], '3'])
    expect((await changesOf(db.sql, ['3', '2'])).map(({ resource }) => resource)).toEqual(['b', 'c'])
  })

  it('counts price lines where an event is about a resource, and leaves long parts out', async () => {
    const lines = [{ price: '1' }, { price: '2' }]
    await record(
      1,
      added('m', { payload: { resource: 'm', lines } }),
      { type: 'resource.removed', provider: 'acme', payload: { resource: 'm' } },
      { type: 'resource.renamed', provider: 'acme', payload: { lines } },
      { type: 'alias.member_added', provider: 'acme', payload: { lines } },
      {
        type: 'tos.changed',
        provider: 'acme',
        payload: { lines, diff: 'long', summary: { sections: [1], rows: [2], kept: 3 } },
      },
    )
    const events = (await feedPage(db.sql, { limit: 9 })).toReversed()
    expect(events.map(({ lines: count }) => count)).toEqual([2, 0, 2, 2, undefined])
    expect(events.at(-1)!.body).toMatchObject({ summary: { kept: 3 } })
    expect(events.map(({ direction }) => direction)).toEqual(Array(5).fill(undefined))
    expect(JSON.stringify(events)).not.toMatch(/"(?:diff|sections|rows)"|\{"price"/)
  })
})
