import { beforeEach, describe, expect, it } from 'vitest'
import { closePeriods, closeUnserved } from '../../../src/prices/confirmation/confirmation-store.ts'
import { otherPrices, recentPrices } from '../../../src/prices/store/evidence-store.ts'
import type { Claim } from '../../../src/prices/store/witness-store.ts'
import { endUpcoming } from '../../../src/prices/upcoming/upcoming-store.ts'
import { testDatabase } from '../../support/database.ts'
import { addLine, addRow, addSources, at, inTransaction } from './line-rows.ts'

const db = testDatabase({ each: true })
beforeEach(() => addSources(db.sql))

describe('what is known about a price', () => {
  it('has the price that was in force before, and those after it, the newest first', async () => {
    const [line, other] = [await addLine(db.sql), await addLine(db.sql, { resource: 'b' })]
    for (const hour of [1, 2, 4]) await addRow(db.sql, line, `${hour}`, hour, { served: [[hour]] })
    await addRow(db.sql, line, 'withdrawn', 5, { served: [[5, 6]] })
    await addRow(db.sql, line, 'now', 7, { served: [[7]], as: 'current' })
    await addRow(db.sql, other, 'old', 1, { served: [[1]], as: 'current' })
    const recent = (hour: number) => recentPrices(db.sql, [line, other], at(hour))
    expect(await recent(3)).toEqual(new Map([[line, { prices: ['4', '2'], isFirst: false }]]))
    expect((await recent(4)).get(line)?.prices).toEqual(['4'])
    expect((await recent(0.5)).get(line)?.prices).toEqual(['4', '2', '1'])
    expect((await recent(0.5)).get(other)).toEqual({ prices: [], isFirst: true })
    expect((await recent(7)).get(line)).toBeUndefined()
  })

  it('has what other sources ask for the same line of the same model, while they list it', async () => {
    const claim = {
      key: 'k',
      resource: 'a',
      canonicalResource: 'maker/a',
      dimension: 'input_tokens',
      unit: 'usd_per_token',
    }
    const add = async (provider: string, source: string, line: object = {}, canonical?: string) =>
      addRow(db.sql, await addLine(db.sql, { provider, source, ...line }), `${provider} ${source}`, 1, {
        ...{ as: 'current', canonical },
      })
    await add('same', 'other')
    await add('model', 'other', { resource: 'x' }, 'maker/a')
    await add('own', 'list')
    await add('tier', 'other', { tier: '{"x":"y"}' })
    await add('unit', 'other', { unit: 'usd_per_image' })
    await add('dimension', 'other', { dimension: 'output_tokens' })
    await add('resource', 'other', { resource: 'b' }, 'maker/b')
    await add('removed', 'other')
    await db.sql`update price_line set removed_at = now() where provider = 'removed'`
    const found = async () =>
      ((await otherPrices(db.sql, 'list', [{ ...claim, pricingTier: '{}' } as Claim])).get('k') ?? [])
        .map(({ provider }) => provider)
        .sort()
    expect(await found()).toEqual(['model', 'same'])
    await db.sql`
      insert into witness_price (source, provider, resource, dimension, unit, currency, pricing_tier, price, locator, shown_since)
      values ('witness', 'shown', 'a', 'input_tokens', 'usd_per_token', 'USD', '{}', 1, '/', now())`
    expect(await found()).toEqual(['model', 'same', 'shown'])
    await db.sql`update source set declared = false where source = 'witness'`
    expect(await found()).toEqual(['model', 'same'])
  })
})

describe('periods of confirmation', () => {
  it('end for rows that are served no longer, and are gone where they began then', async () => {
    const [line, other] = [await addLine(db.sql), await addLine(db.sql, { resource: 'b' })]
    await addRow(db.sql, line, 'served', 1, { served: [[1]] })
    await addRow(db.sql, line, 'ended', 1, { served: [[1, 2]] })
    await addRow(db.sql, other, 'theirs', 1, { served: [[1, 2]] })
    for (const [row, hour] of [
      ['served', 1],
      ['ended', 1],
      ['theirs', 1],
    ] as const)
      await db.sql`
        insert into row_confirmation (content_hash, line_id, provider, source, since, said, superseded, agree, disagree,
                                      by_provider, independent, independent_of_own, basis)
        select ${row}, line_id, provider, source, ${at(hour)}, true, false, '', '', false, false, false, 1 from price_line
        where line_id = (select line_id from price_row where content_hash = ${row})`
    const periods = () => db.sql`select content_hash as row, until from row_confirmation order by 1`
    await inTransaction(db.sql, (tx) => closeUnserved(tx, at(3), [line]))
    expect(await periods()).toEqual([
      { row: 'ended', until: at(3) },
      { row: 'served', until: null },
      { row: 'theirs', until: null },
    ])
    await inTransaction(db.sql, (tx) => closePeriods(tx, at(1), ['served']))
    expect((await periods()).map(({ row }) => row)).toEqual(['ended', 'theirs'])
  })
})

it('an announcement ends once, by itself', async () => {
  await db.sql`insert into provider (provider, name, created_at) values ('acme', 'Acme', now())`
  const ids = await db.sql<{ id: string }[]>`
    insert into upcoming_price (source, provider, resource, dimension, unit, currency, pricing_tier, price, begins_at,
      effective_from, locator, parser_version, first_seen_at, last_seen_at)
    select 'list', 'acme', resource, 'input_tokens', 'usd_per_token', 'USD', '{}', 1, ${at(99)}, '2026-02-01', '/', 1, now(),
           now()
    from unnest(array['a', 'b']) as resource returning upcoming_id::text as id`
  const end = (hour: number, because: 'begun' | 'withdrawn', ...ended: string[]) =>
    inTransaction(db.sql, (tx) =>
      endUpcoming(
        tx,
        at(hour),
        ended.map((id) => ({ id, because })),
      ),
    )
  await end(1, 'begun')
  await end(2, 'begun', ids[0]!.id)
  await end(3, 'withdrawn', ids[0]!.id)
  expect(
    await db.sql`select resource, ended_at as at, ended_because as because from upcoming_price order by 1`,
  ).toEqual([
    { resource: 'a', at: at(2), because: 'begun' },
    { resource: 'b', at: null, because: null },
  ])
})
