import { describe, expect, it } from 'vitest'
import { type SourceDeclaration, sourceDeclaration } from '../../src/catalog/schema.ts'
import { HOUR, plus } from '../../src/lib/instant.ts'
import { measureServed } from '../../src/prices/accuracy/measure-served.ts'
import { listContradictedNow, readAccuracy } from '../../src/prices/accuracy/read-accuracy.ts'
import type { Group } from '../../src/prices/accuracy/schema.ts'
import { settleEvidence } from '../../src/prices/confirmation/settle-confirmations.ts'
import { findContradictions } from '../../src/prices/contradicted/find-contradictions.ts'
import type { Observation } from '../../src/prices/schema.ts'
import { testDatabase } from '../support/database.ts'
import { evidenceOf, LIST, PAGE, WITNESS } from './holds/evidence-support.ts'
import { day, observed } from './observed.ts'
import { snapshot } from './support.ts'

const OTHER = sourceDeclaration.parse({ source: 'other', format: 'other-format' })

/** Lines that stay as they are, so that a change of one price is not a change of the whole list. */
const REST = Array.from({ length: 12 }, (_, n) =>
  observed(`rest-${n}`, 'input_tokens', '0.000007', { provider: 'rest' }),
)
const price = (resource: string, value: string, more: Partial<Observation> = {}) =>
  observed(resource, 'input_tokens', value, more)
const NONE = { contradicted: 0, byProvider: 0, independent: 0, ownList: 0, unconfirmed: 0 }

describe('the daily measure of served prices', () => {
  const db = testDatabase({ each: true })

  const { declare, fetched, witness } = evidenceOf(db)
  const read = async (source: SourceDeclaration, lines: Observation[], n: number) => {
    await snapshot(db.sql, source.source, [...lines, ...REST], { source, at: plus(day(n), -1000) })
    await fetched(source, n)
  }
  const settle = async (n: number) => {
    await findContradictions(db.sql, day(n))
    await settleEvidence(db.sql, day(n), day(n))
  }
  const of = (groups: Group[], provider = 'acme') =>
    groups
      .filter((group) => group.provider === provider)
      .map(({ provider: _, said: __, published: ___, hoursMedian: ____, hoursP90: _____, ...counts }) => counts)
      .sort((a, b) => (a.rank < b.rank ? -1 : 1))
  const measure = async (n: number, provider = 'acme') => of((await measureServed(db.sql, day(n))).groups, provider)

  describe('counts prices', () => {
    it('as confirmed by their provider where its own page says so, as long as it is read', async () => {
      await declare(PAGE)
      await read(PAGE, [price('m', '0.000001'), price('n', '0.000002')], 1)
      expect(await measure(1.5)).toEqual([{ rank: 'provider', ...NONE, byProvider: 2 }])
      // The page speaks for acme alone: of others it is a list.
      expect(await measure(1.5, 'rest')).toEqual([{ rank: 'community', ...NONE, ownList: 12 }])
      expect(await measure(9)).toEqual([{ rank: 'provider', ...NONE, unconfirmed: 2 }])
    })

    it('as said by their own list alone, or confirmed by one of another origin', async () => {
      await declare(LIST, WITNESS)
      await read(LIST, [price('m', '0.000001'), price('n', '0.000002')], 1)
      await witness([price('m', '0.000001')], 1)
      await settle(1.1)
      expect(await measure(1.5)).toEqual([{ rank: 'community', ...NONE, independent: 1, ownList: 1 }])
    })

    it('as confirmed by their provider where its page is evidence, and as contradicted once it differs', async () => {
      await declare(LIST, { ...WITNESS, rank: 'provider' })
      await read(LIST, [price('m', '0.000001'), price('n', '0.000002')], 1)
      await witness([price('m', '0.000001'), price('n', '0.0000025')], 1, { ...WITNESS, rank: 'provider' })
      await settle(1.1)
      expect(await measure(1.5)).toEqual([{ rank: 'community', ...NONE, byProvider: 1, contradicted: 1 }])
    })

    it('as contradicted where other sources have contradicted them for 48 hours, not where one only differs', async () => {
      const second = { ...WITNESS, source: 'second', format: 'second-format' }
      await declare(LIST, WITNESS, second)
      await read(LIST, [price('m', '0.000001'), price('n', '0.000002')], 1)
      await witness([price('m', '0.000003'), price('n', '0.000003')], 1)
      await witness([price('m', '0.000003')], 1, second)
      await settle(2)
      expect(await measure(2)).toEqual([{ rank: 'community', ...NONE, ownList: 2 }])
      await settle(4)
      expect(await measure(4)).toEqual([{ rank: 'community', ...NONE, contradicted: 1, ownList: 1 }])
    })

    it('as contradicted where their own page has another price that waits, and as unconfirmed where a list lost them', async () => {
      await declare(PAGE, LIST)
      await read(PAGE, [price('m', '0.000001'), price('n', '0.000002'), price('o', '0.000004')], 1)
      await read(
        LIST,
        [price('x', '0.000001', { provider: 'seller' }), price('y', '0.000002', { provider: 'seller' })],
        1.1,
      )
      await read(PAGE, [price('m', '0.001'), price('n', '0.000002')], 2)
      await read(LIST, [price('x', '0.000001', { provider: 'seller' })], 2.1)
      await settle(2.2)
      expect(await measure(2.5)).toEqual([
        { rank: 'provider', ...NONE, byProvider: 1, contradicted: 1, unconfirmed: 1 },
      ])
      expect(await measure(2.5, 'seller')).toEqual([{ rank: 'community', ...NONE, ownList: 1, unconfirmed: 1 }])
    })

    it('once, as they are served: nothing of removed lines, of held ones and of rows before', async () => {
      await declare(LIST)
      await read(LIST, [price('m', '0.000001'), price('n', '0.000002')], 1)
      await read(LIST, [price('m', '0.0000011'), price('n', '0.000002')], 2)
      expect(await measure(2.5)).toEqual([{ rank: 'community', ...NONE, ownList: 2 }])
      await db.sql`update price_line set removed_at = ${day(2)} where resource = 'n'`
      await db.sql`update price_line set current_hash = null where resource = 'rest-1'`
      expect(await measure(2.5)).toEqual([{ rank: 'community', ...NONE, ownList: 1 }])
      expect(await measure(2.5, 'rest')).toEqual([{ rank: 'community', ...NONE, ownList: 11 }])
    })

    it('by when their own source last said so, up to the instant alone', async () => {
      await declare(LIST)
      await read(LIST, [price('m', '0.000001'), price('n', '0.000002')], 1)
      const said = async (n: number) => {
        const { groups } = await measureServed(db.sql, day(n))
        return groups.find(({ provider }) => provider === 'acme')!.said
      }
      const none = { day: 0, week: 0, month: 0, before: 0 }
      expect(await said(1.5)).toEqual({ ...none, day: 2 })
      await read(LIST, [price('m', '0.000001')], 3)
      expect(await said(2.5)).toMatchObject({ week: 2 })
      expect(await said(3.5)).toEqual({ ...none, day: 1, week: 1 })
      expect(await said(20)).toEqual({ ...none, month: 2 })
      expect(await said(40)).toEqual({ ...none, before: 2 })
      // A row that was recorded after the last fetch is as old as it is.
      await db.sql`delete from good_fetch`
      await db.sql`update price_row set recorded_at = ${day(39.5)} where content_hash in (
        select current_hash from price_line where resource = 'm')`
      expect(await said(40)).toEqual({ ...none, day: 1, before: 1 })
    })
  })

  describe('counts the hours that changes took', () => {
    const M = { provider: 'acme', rank: 'community' as const }
    const lags = async (n: number) => {
      const { total, groups } = await measureServed(db.sql, day(n))
      const shown = groups.map(({ provider, rank, published, hoursMedian, hoursP90 }) =>
        published === 0 ? [] : [{ provider, rank, published, hoursMedian, hoursP90 }],
      )
      return { total, groups: shown.flat() }
    }
    const at = (hours: number) => hours / 24
    const lag = (published: number, hoursMedian: number | null, hoursP90 = hoursMedian) => ({
      ...{ published, hoursMedian, hoursP90 },
    })
    /** Reads at the instant itself, so that hours are whole. */
    const take = async (source: SourceDeclaration, lines: Observation[], n: number) => {
      await snapshot(db.sql, source.source, [...lines, ...REST], { source, at: day(n) })
    }

    it('from the first sight at a witness, in the day before the instant', async () => {
      await declare(LIST, WITNESS)
      await take(LIST, [price('m', '0.000001'), price('n', '0.000002')], 1)
      await witness([price('m', '0.0000011'), price('n', '0.0000029')], 5)
      await take(LIST, [price('m', '0.0000011'), price('n', '0.0000021')], 5 + at(6))
      expect(await lags(5 + at(5))).toEqual({ total: lag(0, null), groups: [] })
      expect(await lags(5 + at(6))).toEqual({ total: lag(2, 3, 5.4), groups: [{ ...M, ...lag(2, 3, 5.4) }] })
      expect((await lags(6 + at(5.99))).total).toEqual(lag(2, 3, 5.4))
      expect((await lags(6 + at(6))).total).toEqual(lag(0, null))
    })

    it('by provider and rank, and over all', async () => {
      await declare(PAGE, LIST, WITNESS)
      const elsewhere = { provider: 'seller' }
      await take(PAGE, [price('m', '0.000001')], 1)
      await take(LIST, [price('s', '0.000001', elsewhere)], 1.1)
      await witness([price('m', '0.0000011'), price('s', '0.0000011', elsewhere)], 5)
      await take(PAGE, [price('m', '0.0000011')], 5 + at(2))
      await take(LIST, [price('s', '0.0000011', elsewhere)], 5 + at(4))
      const { total, groups } = await lags(5.5)
      expect(total).toEqual(lag(2, 3, 3.8))
      expect(groups.sort((a, b) => (a.provider < b.provider ? -1 : 1))).toEqual([
        { provider: 'acme', rank: 'provider', ...lag(1, 2) },
        { provider: 'seller', rank: 'community', ...lag(1, 4) },
      ])
    })

    it('from its own first reading where it was held, and from that of another list that held or serves it', async () => {
      await declare(LIST, OTHER)
      const lines = (one: string, two: string) => [price('m', one), price('n', two)]
      await take(LIST, lines('0.000001', '0.000002'), 1)
      await take(OTHER, lines('0.000001', '0.000002'), 1.1)
      const [line] = await db.sql<{ id: string; hash: string }[]>`
        insert into price_line (source, provider, resource, dimension, unit, currency, pricing_tier)
        select 'other', provider, resource, dimension, unit, currency, pricing_tier from price_line
        where source = 'list' and resource = 'm' returning line_id as id`
      const hash = 'a'.repeat(64)
      await db.sql`
        insert into price_row (content_hash, line_id, price, recorded_at, parser_version)
        values (${hash}, ${line!.id}, 0.0000011, ${day(5)}, 1)`
      await db.sql`update price_line set held_hash = ${hash}, held_since = ${day(5)}, held_fetches = 1 where line_id = ${line!.id}`
      await take(LIST, lines('0.0000011', '0.0000021'), 5 + at(8))
      expect((await lags(5.5)).total).toEqual(lag(2, 4, 7.2))
      await db.sql`update price_line set held_hash = null, held_since = null, held_fetches = 0, current_hash = ${hash}
        where line_id = ${line!.id}`
      expect((await lags(5.5)).total).toMatchObject({ hoursMedian: 4 })
      await db.sql`update price_line set removed_at = ${day(5)} where line_id = ${line!.id}`
      expect((await lags(5.5)).total).toEqual(lag(2, 0))
      await db.sql`update price_row set recorded_at = ${day(5 + at(5))} where content_hash in (
        select current_hash from price_line where source = 'list' and resource = 'm')`
      expect((await lags(5.5)).total).toMatchObject({ published: 2, hoursMedian: 1.5 })
    })

    it('not from before the price was published that it replaces, and not below zero', async () => {
      await declare(LIST, WITNESS)
      await take(LIST, [price('m', '0.000001')], 1)
      await witness([price('m', '0.0000011')], 2)
      await take(LIST, [price('m', '0.0000012')], 5)
      await take(LIST, [price('m', '0.0000011')], 5 + at(3))
      expect((await lags(5.5)).total).toEqual(lag(1, 3))
      await db.sql`update price_row set recorded_at = ${day(6)} where price = 0.0000011`
      await db.sql`update witness_price set shown_since = ${day(6)}`
      expect((await lags(5.5)).total).toEqual(lag(1, 0))
    })

    it('of no price that readers saw before, of nothing of a list’s first day, and of nothing that is gone', async () => {
      await declare(LIST, WITNESS)
      await witness([price('m', '0.0000011')], 0)
      await take(LIST, [price('m', '0.000001')], 1)
      await take(LIST, [price('m', '0.0000011')], 1 + at(23))
      expect((await lags(2)).total).toEqual(lag(0, null))
      await take(LIST, [price('m', '0.0000012')], 5)
      await take(LIST, [price('m', '0.0000012', { effectiveFrom: '2026-01-01' })], 5 + at(1))
      // The price is the same: it was revised.
      expect((await lags(5.5)).total).toEqual(lag(0, null))
      await take(LIST, [price('m', '0.0000013')], 5 + at(2))
      expect((await lags(5.5)).total).toEqual(lag(1, 0))
      await db.sql`update price_line set removed_at = ${day(5.2)} where resource = 'm'`
      expect((await lags(5.5)).total).toEqual(lag(0, null))
      await db.sql`update price_line set removed_at = null where resource = 'm'`
      await db.sql`update publication set unpublished_at = ${day(5.3)} where unpublished_at is null and resource = 'm'`
      expect((await lags(5.5)).total).toEqual(lag(0, null))
    })
  })

  it('replaces what was measured before on the day, and keeps other days', async () => {
    await declare(LIST)
    await read(LIST, [price('m', '0.000001'), price('gone', '0.000002', { provider: 'seller' })], 1)
    expect(await readAccuracy(db.sql)).toEqual({ history: [] })
    const first = await measureServed(db.sql, day(1.2))
    expect(first).toMatchObject({ day: '2026-01-02', served: 14, contradicted: 0 })
    await measureServed(db.sql, day(2.2))
    await db.sql`update accuracy_run set published = 9, hours_median = 9, hours_p90 = 9 where day = '2026-01-03'`
    await db.sql`update price_line set removed_at = ${day(2)} where provider = 'seller'`
    const again = await measureServed(db.sql, plus(day(2.2), HOUR))
    const { newest, history } = await readAccuracy(db.sql)
    const { served, contradicted: _, ...recorded } = again
    expect(served).toBe(13)
    expect(newest).toEqual({ ...recorded, groups: expect.any(Array) })
    expect(newest!.measuredAt).toBe(plus(day(2.2), HOUR))
    expect(newest!.groups.map(({ provider }) => provider)).toEqual(['rest', 'acme'])
    expect(newest!.groups.find(({ provider }) => provider === 'acme')).toEqual(
      again.groups.find(({ provider }) => provider === 'acme'),
    )
    const none = { published: 0, hoursMedian: null, hoursP90: null }
    expect(history).toEqual([
      { day: first.day, ...NONE, ownList: 14, ...none },
      { day: again.day, ...NONE, ownList: 13, ...none },
    ])
  })

  it('shows the newest 30 days, also those on which nothing was served', async () => {
    for (let n = 0; n < 32; n++) await measureServed(db.sql, day(n))
    const { history } = await readAccuracy(db.sql)
    expect(history).toHaveLength(30)
    expect([history[0]!.day, history.at(-1)!.day]).toEqual(['2026-01-03', '2026-02-01'])
    expect(history[0]).toMatchObject(NONE)
  })

  it('lists the prices of a provider that it counts as contradicted, those contradicted longest first', async () => {
    const witnesses = ['first', 'second'].map((source) => ({ ...WITNESS, source, format: `${source}-format` }))
    await declare(LIST, ...witnesses)
    const lines = (m: string, n: string, more = {}) => [price('m', m, more), price('n', n, more)]
    const seller = { provider: 'seller' }
    const third = price('o', '0.0000015')
    await read(LIST, [...lines('0.000001', '0.000002'), third, ...lines('0.000001', '0.000002', seller)], 1)
    const shown = [price('o', '0.0000035'), ...lines('0.000003', '0.000004'), ...lines('0.000003', '0.000004', seller)]
    for (const one of witnesses)
      await witness(
        shown.filter(({ resource }) => resource === 'n'),
        1,
        one,
      )
    for (const one of witnesses) await witness(shown, 2, one)
    await witness([...shown, price('rest-1', '0.000009', { provider: 'rest' })], 2, witnesses[0])
    await settle(5)
    const found = await listContradictedNow(db.sql, 'acme', day(5))
    const others = (value: string) => witnesses.map(({ source }) => ({ source, rank: 'community', price: value }))
    expect(found).toMatchObject([
      { resource: 'n', source: 'list', price: '0.000002', since: day(1), others: others('0.000004') },
      { resource: 'm', source: 'list', price: '0.000001', since: day(2), others: others('0.000003') },
      { resource: 'o', source: 'list', price: '0.0000015', since: day(2), others: others('0.0000035') },
    ])
    expect(found).toHaveLength(3)
    expect(await listContradictedNow(db.sql, 'rest', day(5))).toEqual([])
  })
})
