import { beforeEach, describe, expect, it } from 'vitest'
import { HOUR, type Instant } from '../../../src/lib/instant.ts'
import { confirmPrices, confirmUntilDue, recheckAt } from '../../../src/prices/ingest/confirm-prices.ts'
import { waitingLines } from '../../../src/prices/store/waiting-store.ts'
import { testDatabase } from '../../support/database.ts'
import { addLine, addSources, at, emptied } from './line-rows.ts'

const db = testDatabase()
beforeEach(async () => {
  await emptied(db.sql)
  await addSources(db.sql)
  await db.sql`update source set ingested_at = ${at(12)} where source = 'list'`
  await db.sql`update source set ingested_at = ${at(50)} where source = 'other'`
})

type LineState = {
  source?: string
  provider?: string
  dimension?: string
  tier?: string
  /** It is missing since an hour, in this many fetches. */
  since?: number
  count?: number
  removed?: boolean
  served?: boolean
  held?: boolean
  fetches?: number
  judged?: number
}
/** A line, of `list` unless it is given otherwise, which is served. */
async function line(resource: string, given: LineState = {}) {
  const { since, count = 1, removed = false, served = true, held = false, fetches = 0, judged } = given
  const id = await addLine(db.sql, { resource, ...given })
  await db.sql`
    update price_line set ${db.sql({
      ...{ current_hash: served ? `row ${id}` : null, missing_since: since === undefined ? null : at(since) },
      ...{ missing_count: since === undefined ? 0 : count, removed_at: removed ? at(1) : null },
      ...{ held_hash: held ? `held ${id}` : null, held_fetches: fetches, judged_again_at: judged ? at(judged) : null },
    })} where line_id = ${id}`
  return id
}
type ReviewFields = { provider?: string; source?: string; texts?: string[]; rejected?: number }
const review = (kind: string, resources: string[], given: ReviewFields = {}) => {
  const { provider = 'acme', source = 'list', texts, rejected } = given
  const [decision, decidedAt] = rejected === undefined ? [null, null] : ['rejected', at(rejected)]
  return db.sql`
    insert into review (source, provider, kind, reasons, detail, opened_at, decision, decided_at)
    values (${source}, ${provider}, ${kind}, '{r}', ${db.sql.json({ resources, ...(texts && { texts }) })}, ${at(1)},
            ${decision}, ${decidedAt})`
}
const hours = (count: number) => count * HOUR
const AFTER = {
  ...{ resourceMs: hours(3), askedResourceMs: hours(10), lineMs: hours(14), stepMs: hours(2), againMs: hours(24) },
  ...{ fetches: 3, lostTogether: { least: 2, share: 0.5, askedMs: hours(5) } },
}
const waiting = async (source = 'list') => {
  const found = await waitingLines(db.sql, source, AFTER)
  return found
    .map(({ fetches, dueAt }) => [fetches, (Date.parse(dueAt) - Date.parse(at(0))) / HOUR])
    .sort(([a, x], [b, y]) => a! - b! || x! - y!)
}

describe('a line that waits for the next fetches', () => {
  it('is a missing one of a listed resource: for long, unless it is a step', async () => {
    await line('a')
    await line('a', { dimension: 'output_tokens', since: 10 })
    await line('b', { provider: 'best', tier: '{"context":">200000"}', since: 10, count: 2 })
    await line('b', { provider: 'best' })
    expect(await waiting()).toEqual([
      [1, 24],
      [2, 12],
    ])
  })

  it('is a missing one of a resource that is gone with its last line, and again where others still list it', async () => {
    await line('a', { since: 10, count: 2 })
    await line('a', { dimension: 'output_tokens', since: 11 })
    await line('a', { dimension: 'requests', removed: true })
    await line('a', { dimension: 'pages', served: false })
    await line('a', { source: 'other' })
    await line('a', { provider: 'best' })
    expect(await waiting()).toEqual([
      [1, 14],
      [2, 14],
    ])
    await db.sql`update source set ingested_at = ${at(14)} where source = 'list'`
    await db.sql`update price_line set missing_count = 3 where missing_count = 2`
    expect(await waiting()).toEqual([
      [1, 14],
      [3, 38],
    ])
    await db.sql`update source set ingested_at = ${at(13.9)} where source = 'list'`
    expect(await waiting()).toEqual([
      [1, 14],
      [3, 14],
    ])
  })

  it('is not of another source, removed, or there', async () => {
    await line('a')
    await line('b', { since: 10, removed: true })
    await line('c', { since: 10, source: 'other' })
    expect(await waiting()).toEqual([])
    expect(await waiting('other')).toEqual([[1, 13]])
  })

  it('waits longer while a person is asked about its removal, and for the person about a renaming or lines alone', async () => {
    for (const resource of ['asked', 'renamed', 'lines']) await line(resource, { since: 10 })
    await review('removal', ['x', 'asked'])
    await review('rename', ['renamed'])
    await review('line_removal', ['lines'])
    expect(await waiting()).toEqual([[1, 20]])
    await db.sql`update review set decision = 'superseded', decided_at = ${at(2)}`
    expect(await waiting()).toEqual([[1, 13]])
    // Items of other resources, sources and providers, or of another kind, say nothing about it.
    for (const kind of ['removal', 'rename', 'line_removal']) {
      await review(kind, ['another'])
      await review(kind, ['asked', 'renamed', 'lines'], { source: 'other' })
      await review(kind, ['asked', 'renamed', 'lines'], { provider: 'best' })
    }
    await review('price', ['asked', 'renamed', 'lines'])
    await review('unreadable', ['asked', 'renamed', 'lines'])
    expect(await waiting()).toEqual([[1, 13]])
  })

  it('waits no more where a person kept its resource during this absence', async () => {
    await line('a', { since: 10 })
    await line('a', { dimension: 'output_tokens', since: 11 })
    const kept = async (hour: number, given: ReviewFields = {}, kind = 'removal') => {
      await db.sql`delete from review`
      await review(kind, ['a'], { rejected: hour, ...given })
      return (await waiting()).length === 0
    }
    expect([await kept(10), await kept(10.5), await kept(12)]).toEqual([false, true, true])
    expect(await kept(12, { source: 'other' })).toBe(false)
    expect(await kept(12, { provider: 'best' })).toBe(false)
    expect(await kept(12, { texts: ['input_tokens {}', 'output_tokens {}'] }, 'line_removal')).toBe(false)
    expect(await kept(12, {}, 'rename')).toBe(false)
    await db.sql`update review set kind = 'removal', decision = 'approved'`
    expect(await waiting()).toHaveLength(1)
  })

  it('is asked about where several resources of its provider lost lines, most of those that have them', async () => {
    await line('a', { since: 10 })
    await line('b', { since: 11 })
    for (const resource of ['a', 'b', 'c', 'd']) await line(resource, { dimension: 'output_tokens' })
    // Two of two, and then of three and four that are priced for input.
    const both = [
      [1, 15],
      [1, 16],
    ]
    expect(await waiting()).toEqual(both)
    await line('c')
    expect(await waiting()).toEqual(both)
    await line('d', { removed: true })
    await line('e', { served: false })
    await line('f', { provider: 'best' })
    await line('g', { source: 'other' })
    expect(await waiting()).toEqual(both)
    // One of another provider is not among them.
    await line('i', { provider: 'best', since: 12 })
    await line('i', { provider: 'best', dimension: 'output_tokens' })
    expect(await waiting()).toEqual([...both, [1, 26]])
    await line('h')
    expect(await waiting()).toEqual([
      [1, 24],
      [1, 25],
      [1, 26],
    ])
  })

  it('is asked about beside lines of other dimensions, where most resources lost one', async () => {
    await line('a', { since: 10 })
    await line('a', { dimension: 'output_tokens' })
    await line('b', { dimension: 'output_tokens', since: 10 })
    await line('b')
    await line('c', { dimension: 'pages' })
    expect(await waiting()).toEqual([[1, 15]])
    await line('d')
    expect(await waiting()).toEqual([[1, 24]])
  })

  it('is not asked about again where a person kept all that were lost together', async () => {
    const text = ['input_tokens {}']
    await line('a', { since: 10 })
    await line('b', { since: 10 })
    for (const resource of ['a', 'b']) await line(resource, { dimension: 'output_tokens' })
    await review('line_removal', ['a', 'b'], { texts: text, rejected: 11 })
    expect(await waiting()).toEqual([])
    await db.sql`update review set decided_at = ${at(10)}`
    expect(await waiting()).toEqual([[1, 15]])
    await db.sql`update review set decided_at = ${at(11)}, detail = ${db.sql.json({ resources: ['a'], texts: text })}`
    expect(await waiting()).toEqual([[1, 15]])
    await db.sql`
      update review set detail = ${db.sql.json({ resources: ['a', 'b'], texts: ['output_tokens {}'] })}`
    expect(await waiting()).toEqual([[1, 15]])
    await db.sql`update review set kind = 'removal', detail = ${db.sql.json({ resources: ['a', 'b'] })}`
    expect(await waiting()).toEqual([[1, 15]])
  })

  it('is a held one that is judged again at an instant', async () => {
    await line('a', { held: true, fetches: 2, judged: 30 })
    await line('b', { held: true, fetches: 3, judged: 31 })
    await line('c', { held: true, fetches: 3, judged: 31 })
    await line('d', { held: true, fetches: 4 })
    await line('e', { judged: 32 })
    await line('f', { held: true, fetches: 5, judged: 33, source: 'other' })
    expect(await waiting()).toEqual([
      [2, 30],
      [3, 31],
    ])
  })
})

describe('a good fetch of the same bytes', () => {
  const announced = async () => {
    await db.sql`insert into provider (provider, name, created_at) values ('acme', 'Acme', ${at(0)}) on conflict do nothing`
    await db.sql`
      insert into upcoming_price (source, provider, resource, dimension, unit, currency, pricing_tier, price, begins_at,
        effective_from, locator, parser_version, first_seen_at, last_seen_at)
      values ('list', 'acme', 'a', 'input_tokens', 'usd_per_token', 'USD', '{}', 1, ${at(999)}, 'then', '/', 1, ${at(1)}, ${at(1)})`
  }
  const counted = async () => {
    const [row] = await db.sql`select max(missing_count) as missing, max(held_fetches) as held from price_line`
    const [seen] = await db.sql<
      { fetches: number; at: Instant }[]
    >`select fetches, last_seen_at as at from upcoming_price`
    return [row!.missing, row!.held, seen?.fetches, seen && (Date.parse(seen.at) - Date.parse(at(0))) / HOUR]
  }

  it('is counted for what waits and what is announced, unless it may change the state of a line', async () => {
    await announced()
    expect(await confirmPrices(db.sql, 'list', at(20))).toEqual({ due: false })
    expect(await counted()).toEqual([null, null, 2, 20])
    await line('a', { held: true, fetches: 1, judged: 30 })
    expect(await confirmPrices(db.sql, 'list', at(40))).toEqual({ due: false })
    expect(await counted()).toEqual([0, 2, 3, 40])
    expect(await confirmPrices(db.sql, 'list', at(29))).toEqual({ due: false })
    expect(await counted()).toEqual([0, 3, 4, 40])
    expect(await confirmPrices(db.sql, 'list', at(30))).toEqual({ due: true })
    expect(await counted()).toEqual([0, 3, 4, 40])
  })

  it('is expected within 8 hours where the state of a line may change within a day', async () => {
    expect(await recheckAt(db.sql, 'list', at(6))).toBeUndefined()
    await line('a', { held: true, fetches: 1, judged: 30 })
    expect(await recheckAt(db.sql, 'list', at(5.9))).toBeUndefined()
    expect(await recheckAt(db.sql, 'list', at(6))).toBe(at(14))
  })

  it('is replayed once per interval, up to the one that may change the state of a line', async () => {
    const until = async (end: number, intervalHours = 10) => {
      await db.sql`delete from upcoming_price`
      await announced()
      await db.sql`update price_line set held_fetches = 1`
      const due = await confirmUntilDue(db.sql, 'list', {
        last: at(10),
        end: at(end),
        intervalMs: hours(intervalHours),
      })
      const [, held, fetches, seen] = await counted()
      return [due && (Date.parse(due) - Date.parse(at(0))) / HOUR, held, fetches, seen]
    }
    // Nothing waits: only what is announced is counted, at 20 and 30.
    expect(await until(40)).toEqual([undefined, null, 3, 30])
    expect(await until(40.1)).toEqual([undefined, null, 4, 40])
    expect(await until(20)).toEqual([undefined, null, 1, 1])
    await line('a', { held: true, fetches: 1, judged: 35 })
    expect(await until(60)).toEqual([40, 3, 3, 30])
    expect(await until(40)).toEqual([undefined, 3, 3, 30])
    expect(await until(40.1)).toEqual([40, 3, 3, 30])
    expect(await until(30)).toEqual([undefined, 2, 2, 20])
    expect(await until(20)).toEqual([undefined, 1, 1, 1])
    // A third fetch is needed, however long the interval is.
    expect(await until(99, 30)).toEqual([70, 2, 2, 40])
    await db.sql`update price_line set judged_again_at = ${at(12)}`
    expect(await until(99)).toEqual([30, 2, 2, 20])
    await db.sql`update price_line set missing_since = ${at(1)}, missing_count = 2, held_hash = null, judged_again_at = null`
    expect(await until(99)).toEqual([80, 1, 7, 70])
    expect((await counted())[0]).toBe(8)
  })
})
