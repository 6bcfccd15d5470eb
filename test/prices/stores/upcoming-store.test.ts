import { beforeEach, describe, expect, it } from 'vitest'
import type { Instant } from '../../../src/lib/instant.ts'
import type { Upcoming } from '../../../src/prices/upcoming/schema.ts'
import * as upcoming from '../../../src/prices/upcoming/upcoming-store.ts'
import { testDatabase } from '../../support/database.ts'
import { addLine, addRow, addSources, at, emptied, inTransaction, KIND } from './line-rows.ts'

const db = testDatabase()
const HASH = 'a'.repeat(64)
beforeEach(async () => {
  await emptied(db.sql)
  await addSources(db.sql)
  await db.sql`insert into provider (provider, name, created_at) values ('acme', 'A', ${at(0)}), ('best', 'B', ${at(0)})`
  await db.sql`insert into snapshot (hash, size, bytes, created_at) values (${HASH}, 0, '', ${at(0)})`
})

const announced = (resource: string, more: Partial<Upcoming> = {}): Upcoming => ({
  ...{ provider: 'acme', resource, ...KIND },
  ...{ price: '2', beginsAt: at(50), effectiveFrom: '2026-01-03', locator: '/', ...more },
})
const announce = (source: string, hour: number, ...prices: Upcoming[]) =>
  inTransaction(db.sql, (tx) =>
    upcoming.insertUpcoming(tx, at(hour), { source, snapshotHash: HASH, parserVersion: 1 }, prices),
  )
const idOf = async (resource: string) => {
  const [row] = await db.sql<
    { id: string }[]
  >`select upcoming_id as id from upcoming_price where resource = ${resource}`
  return row!.id
}
const end = (resource: string, hour: number) =>
  inTransaction(db.sql, async (tx) =>
    upcoming.endUpcoming(tx, at(hour), [{ id: await idOf(resource), because: 'withdrawn' }]),
  )
const serve = async (resource: string, more: { source?: string; dimension?: string } = {}) => {
  const line = await addLine(db.sql, { resource, ...more })
  return addRow(db.sql, line, `row ${resource} ${line}`, 1, { as: 'current', served: [[1]] })
}

describe('an announced price', () => {
  it('is decided about by the source that is served for the resource, unless another is for that kind of price', async () => {
    await serve('m')
    await serve('n', { dimension: 'output_tokens' })
    await serve('kind')
    await serve('kind', { source: 'other' })
    await serve('beside')
    await serve('beside', { source: 'other', dimension: 'requests' })
    await serve('theirs', { source: 'other' })
    await addLine(db.sql, { resource: 'unserved' })
    const names = ['theirs', 'n', 'm', 'kind', 'beside', 'unserved', 'unknown']
    const found = await upcoming.decidedUpcoming(
      db.sql,
      'list',
      [...names.map((name) => announced(name)), announced('m', { beginsAt: at(40), dimension: 'pages' })],
      at(40),
    )
    expect(found.map(({ resource, current }) => [resource, current?.price])).toEqual([
      ['n', undefined],
      ['m', '1'],
      ['beside', '1'],
    ])
    expect(found[1]!.current).toEqual({ price: '1', recordedAt: at(1), contentHash: expect.stringContaining('row m') })
    await db.sql`update price_line set removed_at = ${at(2)} where resource = 'm'`
    expect(await upcoming.decidedUpcoming(db.sql, 'list', [announced('m')], at(40))).toEqual([])
  })

  it('is open for its source until it ends, and for others that announce the same line', async () => {
    await serve('m')
    await announce('list', 1, announced('m', { canonicalResource: 'acme/m' }), announced('n'), announced('ended'))
    await announce('other', 2, announced('n'), announced('theirs'), announced('m', { dimension: 'pages' }))
    await end('ended', 3)
    const open = async (source: string, lines: Upcoming[] = [], table?: string) =>
      (await upcoming.openUpcoming(db.sql, source, { lines, table })).map(
        ({ source: of, resource, isListed, current }) =>
          `${of} ${resource}${isListed ? ' listed' : ''}${current ? ` now ${current.price}` : ''}`,
      )
    expect(await open('list')).toEqual(['list m now 1', 'list n'])
    expect(await open('list', [announced('n'), announced('ended')])).toEqual(['list m now 1', 'list n', 'other n'])
    await db.sql.unsafe(`drop table if exists staged_upcoming; create table staged_upcoming as
      select provider, resource, dimension, unit, currency, pricing_tier, price from upcoming_price where resource = 'n' limit 1`)
    expect(await open('list', [], 'staged_upcoming')).toEqual(['list m now 1', 'list n listed'])
    await db.sql`update staged_upcoming set price = 3`
    expect(await open('list', [], 'staged_upcoming')).toEqual(['list m now 1', 'list n'])
    const [first] = await upcoming.openUpcoming(db.sql, 'list', { lines: [] })
    expect(first).toMatchObject({
      price: '2',
      beginsAt: at(50),
      effectiveFrom: '2026-01-03',
      canonicalResource: 'acme/m',
    })
    await db.sql`update price_line set removed_at = ${at(3)} where resource = 'm'`
    expect(await open('list')).toEqual(['list m', 'list n'])
    await end('m', 4)
    await end('ended', 9)
    const ends = await db.sql`
      select resource, ended_at as at from upcoming_price where source = 'list' and ended_at is not null order by 1`
    expect(ends).toEqual([
      { resource: 'ended', at: at(3) },
      { resource: 'm', at: at(4) },
    ])
  })

  it('counts the good fetches that repeat it, those after its first one', async () => {
    await announce('list', 1, announced('m'), announced('ended'))
    await announce('list', 5, announced('new'))
    await announce('other', 1, announced('theirs'))
    await end('ended', 3)
    await upcoming.repeatUpcoming(db.sql, 'list', at(5), 2)
    const counted = async () => {
      const rows = await db.sql<{ resource: string; fetches: number; seen: Instant }[]>`
        select resource, fetches, last_seen_at as seen from upcoming_price order by 1`
      return rows.map(({ resource, fetches, seen }) => [resource, fetches, seen])
    }
    expect(await counted()).toEqual([
      ['ended', 1, at(1)],
      ['m', 3, at(5)],
      ['new', 1, at(5)],
      ['theirs', 1, at(1)],
    ])
    await upcoming.repeatUpcoming(db.sql, 'list', at(4), 1)
    expect((await counted())[1]).toEqual(['m', 4, at(5)])
  })

  it('is due from its instant on, and is shown until then as it was announced', async () => {
    await announce('list', 1, announced('later', { beginsAt: at(60) }), announced('m'), announced('ended'))
    await announce('other', 2, announced('theirs'), announced('m', { provider: 'best' }))
    await end('ended', 3)
    expect(await upcoming.dueUpcoming(db.sql, 'list', at(49))).toEqual([])
    const [due, ...others] = await upcoming.dueUpcoming(db.sql, 'list', at(50))
    expect([due, others]).toMatchObject([{ resource: 'm', price: '2', since: at(1), fetches: 1 }, []])
    const shown = async (hour: number, names?: { provider: string; resource: string }[]) =>
      (await upcoming.upcomingAt(db.sql, at(hour), names)).map(({ provider, resource }) => `${provider} ${resource}`)
    expect(await shown(0)).toEqual([])
    expect(await shown(1)).toEqual(['acme m', 'acme ended', 'acme later'])
    expect(await shown(2)).toEqual(['acme m', 'acme ended', 'acme theirs', 'best m', 'acme later'])
    expect(await shown(3)).toEqual(['acme m', 'acme theirs', 'best m', 'acme later'])
    expect(await shown(50)).toEqual(['acme later'])
    expect(await shown(3, [{ provider: 'acme', resource: 'm' }])).toEqual(['acme m'])
  })
})
