import { beforeEach, describe, expect, it } from 'vitest'
import type { UnreadablePrice } from '../../../src/prices/schema.ts'
import * as compare from '../../../src/prices/staging/compare-store.ts'
import * as first from '../../../src/prices/staging/first-load-store.ts'
import * as listing from '../../../src/prices/staging/listing-store.ts'
import { testDatabase } from '../../support/database.ts'
import { observed } from '../observed.ts'
import { addLine, addRow, addSources, at, emptied, inTransaction, KIND } from './line-rows.ts'
import { named, names, type StagedLine, staged as stage, unread } from './staged-lines.ts'

const db = testDatabase()
beforeEach(async () => {
  await emptied(db.sql)
  await addSources(db.sql)
})

const staged = (lines: StagedLine[], unreadable: UnreadablePrice[] = []) => stage(db.sql, lines, unreadable)
const shown = async (table: string, ...resources: string[]) => {
  const { observations, unreadable } = await compare.stagedLines(db.sql, table, named(...resources))
  return [
    ...observations.map(({ resource, dimension, price }) => `${resource} ${dimension} ${price}`),
    ...unreadable.map(({ resource, dimension, text }) => `${resource} ${dimension} ${text}`),
  ]
}

describe('the lines of a snapshot', () => {
  it('are read in the order of their ranks, then as they were listed, those of some resources alone', async () => {
    const table = await staged(
      [
        ['a', 'input_tokens', '1', { rank: '2', locator: '/1', category: 'chat', pricingTier: { service: 'batch' } }],
        ['b', 'input_tokens', '2'],
        ['a', 'output_tokens', '3', { rank: '1' }],
        ['a', 'requests', '4', { rank: '2' }],
        ['a', 'input_tokens', '5', { provider: 'best' }],
      ],
      [unread('a', 'pages'), unread('c')],
    )
    expect(await shown(table, 'a')).toEqual(['a output_tokens 3', 'a input_tokens 1', 'a requests 4', 'a pages N/A'])
    expect(await shown(table)).toEqual([])
    const [, line] = (await compare.stagedLines(db.sql, table, named('a'))).observations
    expect(line).toEqual(
      observed('a', 'input_tokens', '1', { locator: '/1', category: 'chat', pricingTier: { service: 'batch' } }),
    )
    expect(await compare.countPrices(db.sql, table)).toBe(5)
    expect((await first.pricedUnits(db.sql, table)).map(({ dimension }) => dimension).sort()).toEqual([
      'input_tokens',
      'output_tokens',
      'requests',
    ])
  })

  it('are kept once: that of the lowest rank, and of those the first, and the others are counted with an example', async () => {
    const table = await staged(
      [
        ['a', 'input_tokens', '1', { rank: '2', locator: '/late' }],
        ['a', 'input_tokens', '2', { rank: '1', locator: '/taken' }],
        ['a', 'input_tokens', '2', { rank: '1', locator: '/same' }],
        ['a', 'input_tokens', '2', { rank: '3', locator: '/same again' }],
        ['a', 'input_tokens', '9', { provider: 'best' }],
        ['a', 'output_tokens', '7', { unit: 'usd_per_image' }],
        ['a', 'output_tokens', '8'],
        ['b', 'input_tokens', '5', { locator: '/first' }],
        ['b', 'input_tokens', '6', { locator: '/second' }],
      ],
      [unread('a', 'input_tokens'), unread('a', 'input_tokens')],
    )
    expect(await compare.dropDuplicates(db.sql, table)).toEqual({
      same: { same: true, count: 2, example: 'a input_tokens at /same' },
      other: { same: false, count: 2, example: 'a input_tokens: 2, then 1 at /late' },
    })
    expect(await shown(table, 'a', 'b')).toEqual([
      ...['a input_tokens 2', 'a output_tokens 7', 'a output_tokens 8', 'b input_tokens 5'],
      ...['a input_tokens N/A', 'a input_tokens N/A'],
    ])
    expect(await compare.dropDuplicates(db.sql, table)).toEqual({ same: undefined, other: undefined })
  })

  it('have no zero for cached tokens beside a price for uncached ones', async () => {
    const table = await staged([
      ['a', 'input_tokens', '1'],
      ['a', 'cache_read_tokens', '0'],
      ['a', 'cache_write_tokens', '2'],
      ['a', 'output_tokens', '0'],
      ['free', 'input_tokens', '0'],
      ['free', 'cache_read_tokens', '0'],
      ['alone', 'cache_read_tokens', '0'],
      ['alone', 'output_tokens', '4'],
      ['alone', 'input_tokens', '4', { provider: 'best' }],
    ])
    expect(await compare.doubtZeros(db.sql, table)).toBe(1)
    expect(await shown(table, 'a')).toEqual([
      ...['a input_tokens 1', 'a cache_write_tokens 2', 'a output_tokens 0', 'a cache_read_tokens 0'],
    ])
    expect((await compare.stagedLines(db.sql, table, named('a'))).unreadable).toHaveLength(1)
  })

  it('say the same in any order, and something else with another price', async () => {
    const lines: StagedLine[] = [
      ['a', 'input_tokens', '1'],
      ['b', 'input_tokens', '2'],
    ]
    const content = async (given: StagedLine[], unreadable: UnreadablePrice[] = []) =>
      compare.contentOf(db.sql, await staged(given, unreadable))
    const said = await content(lines)
    expect(await content(lines.toReversed(), [unread('c')])).toBe(said)
    expect(await content([lines[0]!, ['b', 'input_tokens', '3']])).not.toBe(said)
    expect(await content([])).toBe('0 0 0')
  })

  it('leave the range of their unit where the price is too low or too high, or free where nothing is', async () => {
    const table = await staged(
      [
        ['low', 'input_tokens', '0.9'],
        ['least', 'input_tokens', '1'],
        ['most', 'input_tokens', '5'],
        ['high', 'input_tokens', '5.1'],
        ['free', 'input_tokens', '0'],
        ['high', 'output_tokens', '9999'],
        ['free output', 'output_tokens', '0'],
        ['low output', 'output_tokens', '0.5'],
        ['unit', 'input_tokens', '99', { unit: 'usd_per_image' }],
      ],
      [unread('none', 'input_tokens')],
    )
    const unit = { unit: 'usd_per_token', currency: 'USD' }
    const ranges = [
      { ...unit, dimension: 'input_tokens', least: 1, most: 5, neverFree: false },
      { ...unit, dimension: 'output_tokens', least: 1, most: null, neverFree: true },
    ]
    expect(names(await first.resourcesOutside(db.sql, table, ranges))).toEqual([
      ...['acme free output', 'acme high', 'acme low', 'acme low output'],
    ])
    expect(await first.resourcesOutside(db.sql, table, [])).toEqual([])
  })
})

describe('what differs from what is published', () => {
  /** A line of `list` whose price is 1, in another state than it usually is. */
  const published = async (resource: string, change: object = {}, source = 'list') => {
    const line = await addLine(db.sql, { resource, source })
    await addRow(db.sql, line, `${source} ${resource}`, 1, { as: 'current', price: '1' })
    if (Object.keys(change).length > 0) await db.sql`update price_line set ${db.sql(change)} where line_id = ${line}`
    return line
  }

  it('are resources with a line that is new, gone, changed, or in a state that the snapshot ends', async () => {
    for (const suffix of ['', ' gone']) {
      await published(`same${suffix}`)
      await published(`held${suffix}`, { held_hash: 'h' })
      await published(`decided${suffix}`, { decided_price: '2' })
      await published(`missing${suffix}`, { missing_since: at(1) })
      await published(`removed${suffix}`, { removed_at: at(1) })
      await published(`removed and held${suffix}`, { removed_at: at(1), held_hash: 'h' })
    }
    await published('price')
    await published('detail')
    await published('theirs', {}, 'other')
    const unnoted = await published('unnoted')
    await db.sql`update price_line set content = null where line_id = ${unnoted}`
    const listed = ['same', 'held', 'decided', 'missing', 'removed', 'removed and held', 'unnoted', 'new']
    const table = await staged(
      [
        ...listed.map((resource): StagedLine => [resource, 'input_tokens', '1']),
        ['price', 'input_tokens', '2'],
        ['detail', 'input_tokens', '1', { category: 'chat' }],
      ],
      [unread('unread')],
    )
    const differing = await inTransaction(db.sql, (tx) => compare.differingResources(tx, table, 'list'))
    expect([...new Set(names(differing))]).toEqual([
      ...['acme decided', 'acme decided gone', 'acme detail', 'acme held', 'acme held gone', 'acme missing'],
      ...['acme missing gone', 'acme new', 'acme price', 'acme removed', 'acme removed and held'],
      ...['acme removed and held gone', 'acme same gone'],
    ])
    expect(await first.hasLines(db.sql, 'list')).toBe(true)
    expect(await first.hasLines(db.sql, 'witness')).toBe(false)
  })

  it('are counted among the resources of a provider that are priced, all and by dimension', async () => {
    await published('a')
    await published('b')
    await addRow(db.sql, await addLine(db.sql, { resource: 'a', dimension: 'pages' }), 'pages', 1, { as: 'current' })
    await addRow(db.sql, await addLine(db.sql, { resource: 'a', tier: '{"x":"y"}' }), 'tier', 1, { as: 'current' })
    await published('gone', { removed_at: at(1) })
    await addLine(db.sql, { resource: 'unpriced' })
    await published('theirs', {}, 'other')
    await addRow(db.sql, await addLine(db.sql, { provider: 'best' }), 'best', 1, { as: 'current' })
    const counts = async (...providers: string[]) => {
      const { resources, withDimension } = await listing.listedCounts(db.sql, 'list', providers)
      return [...resources, ...withDimension].map(([key, count]) => `${key.replace('\x1f', ' ')} ${count}`).sort()
    }
    expect(await counts('acme')).toEqual(['acme 2', 'acme input_tokens 2', 'acme pages 1'])
    expect(await counts('acme', 'best')).toContain('best input_tokens 1')
    expect(await counts()).toEqual([])
  })

  it('are compared with published prices of the same kind, as far as they are wanted', async () => {
    await published('a')
    await published('gone', { removed_at: at(1) })
    await published('theirs', {}, 'other')
    for (const [n, line] of [{ dimension: 'pages' }, { tier: '{"x":"y"}' }, { unit: 'usd_per_image' }].entries())
      await addRow(db.sql, await addLine(db.sql, { resource: 'b', ...line }), `other ${n}`, 1, { as: 'current' })
    await addRow(db.sql, await addLine(db.sql, { resource: 'c' }), 'c', 1, { as: 'current', canonical: 'maker/c' })
    const prices = async (kinds: listing.PriceKind[], isWanted = (_: { resource: string }) => true) =>
      (await listing.listedPrices(db.sql, 'list', kinds, isWanted))
        .map(({ resource, canonicalResource }) => `${resource} ${canonicalResource ?? ''}`.trim())
        .sort()
    expect(await prices([KIND])).toEqual(['a', 'c maker/c'])
    expect(await prices([KIND], ({ resource }) => resource === 'a')).toEqual(['a'])
    expect(await prices([])).toEqual([])
  })

  it('are among the names that a snapshot lists, with since when they are priced and what their prices are', async () => {
    await published('a')
    await addRow(db.sql, await addLine(db.sql, { resource: 'a', dimension: 'pages' }), 'a pages', 5, { as: 'current' })
    await addRow(db.sql, await addLine(db.sql, { resource: 'b', dimension: 'pages' }), 'b pages', 3, { as: 'current' })
    await published('b', { removed_at: at(1) })
    await published('theirs', {}, 'other')
    const table = await staged(
      [
        ['theirs', 'input_tokens', '1', { rank: '2' }],
        ['b', 'output_tokens', '2', { rank: '3' }],
        ['b', 'input_tokens', '1', { rank: '1' }],
        ['a', 'input_tokens', '1', { rank: '1' }],
        ['a', 'output_tokens', '2', { rank: '1' }],
        ['x', 'input_tokens', '1', { provider: 'best' }],
      ],
      [unread('unread')],
    )
    const seen = await listing.seenResources(db.sql, table, 'list', ['acme'])
    expect(seen.map(({ resource, since }) => [resource, since])).toEqual([
      ['b', at(3)],
      ['a', at(1)],
      ['theirs', undefined],
    ])
    const [b, a, theirs] = seen.map(({ prices }) => prices)
    expect([b === a, b === theirs]).toEqual([true, false])
    expect(await listing.seenResources(db.sql, table, 'list', [])).toEqual([])
  })
})
