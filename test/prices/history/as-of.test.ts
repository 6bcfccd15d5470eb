import { readFile } from 'node:fs/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { saveGroup } from '../../../src/aliases/save-group.ts'
import { lastPublication } from '../../../src/catalog/clock/clock-store.ts'
import type { Instant } from '../../../src/lib/instant.ts'
import { providersAt } from '../../../src/prices/history/history-store.ts'
import { restoreRow, withdrawRow } from '../../../src/prices/review/correct-price.ts'
import { decideReview } from '../../../src/prices/review/decide-review.ts'
import type { Observation } from '../../../src/prices/schema.ts'
import { openReviewItems } from '../../../src/prices/store/review-store.ts'
import { testDatabase } from '../../support/database.ts'
import { readPage, readRows } from '../../support/definitions/history.ts'
import { day, model, models, observed } from '../observed.ts'
import { ownList, snapshot } from '../support.ts'

type Row = { provider: string; resource: string; price: string; renamedTo?: string }

describe('an answer depends on nothing but its instant', () => {
  const db = testDatabase({ each: true })
  let n = 0
  beforeEach(() => {
    n = 0
  })

  const next = (source: string, lines: Observation[]) => snapshot(db.sql, source, lines, { at: day(n++) })
  const read = (asOf: Instant, question: { providers?: string[]; alias?: string } = {}) => {
    const alias = question.alias === undefined ? undefined : { reference: question.alias }
    return readPage(db.sql, { asOf, providers: question.providers, alias })
  }
  const rows = async (asOf: Instant, question?: Parameters<typeof read>[1]): Promise<string[]> =>
    (JSON.parse(await read(asOf, question)).prices as Row[])
      .map((row) => `${row.resource} ${row.price}${row.renamedTo ? ` → ${row.renamedTo}` : ''}`)
      .sort()
  const credits = (price: string) =>
    observed('shared', 'input_tokens', price, {
      provider: 'flake',
      unit: 'credit_per_token',
      currency: 'FLAKE_AI_CREDIT',
    })
  const group = (name: string, ...providers: string[]) =>
    saveGroup(db.sql, {
      name,
      members: providers.map((provider) => ({ provider, resource: 'shared' })),
      actor: 'test',
    })

  it('stays the same once a provider prices in credits, and shows its prices in USD no more from then on', async () => {
    const inUsd = model('shared', 0.000001, { provider: 'flake' })
    await next('flake-list', inUsd)
    await next('other-list', model('shared', 0.000003, { provider: 'other' }))
    const before = await read(day(1))
    expect(await rows(day(1))).toHaveLength(4)
    await next('credit-list', [credits('0.5')])
    expect(await read(day(1))).toBe(before)
    expect(await rows(day(2))).toEqual(['shared 0.000003', 'shared 0.000012'])
    expect(await rows(day(2), { providers: ['flake'] })).toEqual(['shared 0.000001', 'shared 0.000004', 'shared 0.5'])
  })

  it('stays the same with alias once a provider prices in credits', async () => {
    await next('flake-list', model('shared', 0.000001, { provider: 'flake' }))
    await next('other-list', model('shared', 0.000003, { provider: 'other' }))
    const { id } = await group('Shared', 'flake', 'other')
    const before = await read(day(1), { alias: id })
    await snapshot(db.sql, 'credit-list', [credits('0.5')])
    expect(await read(day(1), { alias: id })).toBe(before)
    expect(await rows(day(1), { alias: id })).toHaveLength(4)
  })

  const creditRow = async () => {
    const [row] = await db.sql<{ hash: string }[]>`
      select content_hash as hash from publication where provider = 'flake' and resource = 'mistake'`
    return { contentHash: row!.hash, actor: 'test', reason: 'it was never priced in credits', at: day(n++) }
  }

  it.each([
    ['a price in credits', credits('0.5')],
    ['the price of a credit', observed('shared', 'credits', '2', { provider: 'flake', unit: 'usd_per_credit' })],
  ])(
    'hides the prices in USD of a provider for no longer than one mistaken row is published: %s',
    async (_, mistake) => {
      await next('flake-list', model('shared', 0.000001, { provider: 'flake' }))
      const usual = ['shared 0.000001', 'shared 0.000004']
      await next('credit-list', [{ ...mistake, resource: 'mistake' }])
      await withdrawRow(db.sql, await creditRow())
      await restoreRow(db.sql, await creditRow())
      await withdrawRow(db.sql, await creditRow())
      const shown = [usual, [], usual, [], usual]
      const { id } = await group('Shared', 'flake')
      for (const alias of [undefined, id])
        expect(await Promise.all(shown.map((__, i) => rows(day(i), { alias })))).toEqual(shown)
    },
  )

  it('shows a provider again that was hidden before the upgrade, from the upgrade on and without an event', async () => {
    await next('flake-list', model('shared', 0.000001, { provider: 'flake' }))
    await next('flake-credits', [{ ...credits('0.5'), resource: 'mistake' }])
    await next('euro-list', [observed('e', 'input_tokens', '1', { provider: 'euro', currency: 'EUR' })])
    await withdrawRow(db.sql, await creditRow())
    // As version 1.0.0 left it: whoever priced in credits once did so from then on.
    await db.sql`update provider_pricing set in_credits = true where provider = 'flake' and at > ${day(1)}`
    const before = await read(day(3))
    const events = () => db.sql`select seq from event`
    const sent = await events()
    const migration = new URL('../../../src/database/migrations/0092_pricing_follows_rows.sql', import.meta.url)
    await db.sql.unsafe('drop index publication_in_credits')
    await db.sql.unsafe(await readFile(migration, 'utf8'))
    expect(await rows(day(3))).toEqual(['e 1'])
    expect(await read(day(3))).toBe(before)
    expect(await events()).toEqual(sent)
    const stamp = await lastPublication(db.sql)
    expect(stamp > day(3)).toBe(true)
    expect(await providersAt(db.sql, stamp)).toEqual({ creditProviders: [], usualProviders: ['flake'] })
  })

  it('shows with alias the providers that had a price in USD at its instant, and others only when they are named', async () => {
    const euro = { provider: 'euro', unit: 'eur_per_token', currency: 'EUR' }
    const inEuros = [observed('shared', 'input_tokens', '0.000002', euro)]
    await next('euro-list', inEuros)
    await next('dollar-list', model('shared', 0.000003, { provider: 'dollar' }))
    await next('euro-list', [...inEuros, observed('extra', 'input_tokens', '0.000001', { provider: 'euro' })])
    for (let i = 0; i < 4; i++) await next('euro-list', inEuros)
    const { id } = await group('Shared', 'euro', 'dollar')
    const usual = ['shared 0.000003', 'shared 0.000012']
    expect(await rows(day(1), { alias: id })).toEqual(usual)
    expect(await rows(day(1), { alias: id, providers: ['euro'] })).toEqual(['shared 0.000002'])
    expect(await rows(day(1))).toEqual(['shared 0.000002', ...usual])
    expect(await rows(day(2), { alias: id })).toEqual(['shared 0.000002', ...usual])
    expect(await rows(day(6), { alias: id })).toEqual(usual)
  })

  it('shows with alias the providers that were active at its instant', async () => {
    await next('first-list', model('shared', 0.000001, { provider: 'first' }))
    await next('second-list', model('shared', 0.000003, { provider: 'second' }))
    await db.sql`insert into provider_status values ('first', ${day(2)}, 'retired')`
    await db.sql`insert into provider_status values ('second', ${day(2)}, 'pending'), ('second', ${day(3)}, 'active')`
    await next('late-list', model('late', 0.000001, { provider: 'late' }))
    await db.sql`update publication_clock set last_stamp = ${day(4)}`
    const { id } = await group('Shared', 'first', 'second')
    const shown = async (at: Instant) => (await rows(at, { alias: id })).map((row) => row.split(' ')[1])
    expect(await shown(day(0))).toEqual(['0.000001', '0.000004'])
    expect(await shown(day(1))).toEqual(['0.000001', '0.000003', '0.000004', '0.000012'])
    expect(await shown(day(2))).toEqual([])
    expect(await shown(day(3))).toEqual(['0.000003', '0.000012'])
  })
})

describe('rows under the former names of a resource', () => {
  const db = testDatabase({ each: true })
  const PROVIDER = { provider: 'acme' }
  const rest = models(12, PROVIDER)
  let n = 0
  beforeEach(() => {
    n = 0
  })

  const next = (...lines: Observation[][]) =>
    snapshot(db.sql, 'list', [...rest, ...lines.flat()], { at: day(n++), source: ownList('list') })
  const absent = async (...lines: Observation[][]) => {
    for (let i = 0; i < 4; i++) await next(...lines)
  }
  const named = (name: string, price = 0.0000077) => model(name, price, PROVIDER)
  /** Rows of the input price under a name, at an instant. */
  const rows = async (asOf = day(n - 1)): Promise<string[]> => {
    return (await readRows<Row & { dimension: string }>(db.sql, { asOf }))
      .filter((row) => !row.resource.startsWith('filler') && row.dimension === 'input_tokens')
      .map((row) => `${row.resource} ${row.price}${row.renamedTo ? ` → ${row.renamedTo}` : ''}`)
      .sort()
  }

  it('end when the resource is removed, and stay at earlier instants', async () => {
    await next(named('BGE-M3'))
    await next(named('bge-m3'))
    await next(named('bge-m3', 0.000008))
    const listed = day(n - 1)
    await absent()
    expect(await rows()).toEqual([])
    expect(await rows(listed)).toEqual(['BGE-M3 0.0000077 → bge-m3', 'bge-m3 0.0000077', 'bge-m3 0.000008'])
  })

  it('end through a chain of renamings, and return with the resource, or with any of its names', async () => {
    const chain = ['BGE-M3 0.0000077 → bge_m3', 'bge-m3 0.0000077 → bge_m3', 'bge_m3 0.0000077']
    for (const name of ['BGE-M3', 'bge-m3', 'bge_m3']) await next(named(name))
    expect(await rows()).toEqual(chain)
    await absent()
    expect(await rows()).toEqual([])
    await next(named('bge_m3'))
    expect(await rows()).toEqual(chain)
    await absent()
    await next(named('bge-m3'))
    expect(await rows()).toEqual(['BGE-M3 0.0000077 → bge-m3', 'bge-m3 0.0000077'])
    await absent()
    await next(named('BGE-M3', 0.000009))
    expect(await rows()).toEqual(['BGE-M3 0.0000077', 'BGE-M3 0.000009'])
  })

  it('end line by line: with the line that continues them, and return with it', async () => {
    const cached = (name: string) => observed(name, 'cache_read_tokens', '0.0000001', PROVIDER)
    const cacheRows = async () => {
      return (await readRows<Row & { dimension: string }>(db.sql, { asOf: day(n - 1) }))
        .filter((row) => row.dimension === 'cache_read_tokens')
        .map((row) => row.resource)
        .sort()
    }
    await next(named('BGE-M3'), [cached('BGE-M3')])
    await next(named('bge-m3'), [cached('bge-m3')])
    expect(await cacheRows()).toEqual(['BGE-M3', 'bge-m3'])
    // A line of a listed resource is removed after fourteen days.
    for (let i = 0; i < 15; i++) await next(named('bge-m3'))
    expect(await cacheRows()).toEqual([])
    expect(await rows()).toEqual(['BGE-M3 0.0000077 → bge-m3', 'bge-m3 0.0000077'])
    await next(named('bge-m3'), [cached('bge-m3')])
    expect(await cacheRows()).toEqual(['BGE-M3', 'bge-m3'])
  })

  it('stay when their name is listed again before the resource is removed', async () => {
    await next(named('BGE-M3'))
    await next(named('bge-m3'))
    await next(named('BGE-M3'), named('bge-m3'))
    await next(named('BGE-M3'))
    const [item] = await openReviewItems(db.sql)
    const decided = { decision: 'reject' as const, actor: 'test', reason: 'both were sold', at: day(n++) }
    await decideReview(db.sql, { reviewId: item!.reviewId, ...decided })
    await absent(named('BGE-M3'))
    expect(await rows()).toEqual(['BGE-M3 0.0000077'])
  })

  it('end at once where the new name does not have their line', async () => {
    const cached = observed('magistral-2506', 'cache_read_tokens', '0.0000001', PROVIDER)
    const listed = async () => {
      const all = (await readRows<Row & { dimension: string }>(db.sql, { asOf: day(n - 1) })).map(
        ({ resource, dimension, renamedTo }) => `${resource} ${dimension} ${renamedTo ?? ''}`.trim(),
      )
      return all.filter((row) => row.startsWith('magistral')).sort()
    }
    await next(named('magistral-2506'), [cached])
    await next(named('magistral'))
    expect(await listed()).toContain('magistral-2506 cache_read_tokens')
    const [item] = await openReviewItems(db.sql)
    const decided = { decision: 'approve' as const, actor: 'test', reason: 'the same model', at: day(n++) }
    await decideReview(db.sql, { reviewId: item!.reviewId, ...decided })
    expect(await listed()).toEqual([
      'magistral input_tokens',
      'magistral output_tokens',
      'magistral-2506 input_tokens magistral',
      'magistral-2506 output_tokens magistral',
    ])
  })
})
