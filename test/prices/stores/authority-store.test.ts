import { beforeEach, describe, expect, it } from 'vitest'
import * as authority from '../../../src/prices/authority/authority-store.ts'
import { completeLists, inputAlone, ownCompleteProviders } from '../../../src/prices/authority/complete-store.ts'
import {
  leftPrices,
  listedInstead,
  overruledLines,
  servedBeside,
} from '../../../src/prices/authority/overruled-store.ts'
import { testDatabase } from '../../support/database.ts'
import { addLine, addRow, at, emptied, inTransaction, KIND } from './line-rows.ts'

const db = testDatabase()
const NOW = at(100)

type SourceFields = {
  rank?: number
  position?: number | null
  speaksFor?: string[] | null
  declared?: boolean
  witness?: boolean
  /** Hours before now. */
  read?: number
  complete?: boolean
}
const source = (name: string, given: SourceFields = {}) => {
  const {
    rank = 2,
    position = 1,
    speaksFor = null,
    declared = true,
    witness = false,
    read = 1,
    complete = false,
  } = given
  return db.sql`
    insert into source (source, kind, format, interval_seconds, rank, position, speaks_for, declared, witness,
                        last_good_at, stale_after_seconds, complete, complete_from)
    values (${name}, 'prices', ${name}, 3600, ${rank}, ${position}, ${speaksFor}, ${declared}, ${witness},
            ${at(100 - read)}, 36000, ${complete}, ${complete ? at(1) : null})`
}
const provider = (...names: string[]) => db.sql`
  insert into provider (provider, name, created_at) select p, p, ${at(0)} from unnest(${names}::text[]) as p`
type ListedFields = {
  missing?: number
  removed?: boolean
  provider?: string
  served?: boolean
  dimension?: string
  tier?: string
}
/** A source lists a resource with one line, which is served. */
async function listed(by: string, resource: string, given: ListedFields = {}) {
  const { missing, removed, provider = 'acme', served = true } = given
  await db.sql`
    insert into resource (source, provider, resource, first_priced_at, removed_at)
    values (${by}, ${provider}, ${resource}, ${at(1)}, ${removed ? at(2) : null}) on conflict do nothing`
  const line = await addLine(db.sql, { ...given, source: by, resource, provider })
  if (served) await addRow(db.sql, line, `${by} ${provider} ${resource} ${line}`, 1, { as: 'current', served: [[1]] })
  if (missing !== undefined)
    await db.sql`update price_line set missing_since = ${at(100 - missing)} where line_id = ${line}`
  return line
}
const shows = (by: string, resource: string, given: { provider?: string; price?: string } = {}) => db.sql`
  insert into witness_price (source, provider, resource, dimension, unit, currency, pricing_tier, price, locator, shown_since)
  values (${by}, ${given.provider ?? 'acme'}, ${resource}, 'input_tokens', 'usd_per_token', 'USD', '{}',
          ${given.price ?? '1'}, '/', ${at(1)})`
type StagedLine = {
  resource: string
  provider?: string
  dimension?: string
  price?: string | null
  tier?: string
  canonical?: string
  from?: string
  locator?: string
}
/** What a snapshot has. */
async function staged(lines: StagedLine[]) {
  await db.sql.unsafe(`drop table if exists staged_test`)
  await db.sql.unsafe(`
    create table staged_test (
      ord bigint generated always as identity, rank text collate "C", provider text not null, resource text not null,
      dimension text, unit text, currency text, pricing_tier text, price numeric, unreadable text, effective_from text,
      canonical_resource text, category text, billing_condition text, locator text not null)`)
  for (const { resource, provider = 'acme', dimension = 'input_tokens', price = '1', tier = '{}', ...more } of lines) {
    const { canonical = null, from = null, locator = '/' } = more
    await db.sql`
      insert into staged_test (provider, resource, dimension, unit, currency, pricing_tier, price, canonical_resource,
                               effective_from, locator)
      values (${provider}, ${resource}, ${dimension}, 'usd_per_token', 'USD', ${tier}, ${price}, ${canonical}, ${from},
              ${locator})`
  }
  return 'staged_test'
}
const stagedNames = async () => {
  const rows = await db.sql<
    { name: string }[]
  >`select provider || ' ' || resource as name from staged_test order by ord`
  return rows.map(({ name }) => name)
}

beforeEach(async () => {
  await emptied(db.sql)
  await provider('acme', 'best')
})

describe('what other sources list', () => {
  it('is said with who stands before whom, and who decides: the nearest first, then by their place', async () => {
    await source('mine', { position: 3 })
    await source('page', { rank: 0, speaksFor: ['acme'], position: 9 })
    await source('verified', { rank: 1, position: 8 })
    await source('first', { position: 1 })
    await source('later', { position: 4 })
    await source('unplaced', { position: null })
    await source('old', { position: 2, read: 10 })
    await source('undeclared', { rank: 0, declared: false })
    await source('watching', { witness: true })
    for (const by of ['mine', 'page', 'verified', 'first', 'later', 'unplaced', 'old', 'undeclared', 'watching'])
      await listed(by, 'm')
    await listed('first', 'gone', { removed: true })
    await listed('first', 'elsewhere', { provider: 'best' })
    await listed('page', 'lost', { missing: 24 })
    await listed('page', 'missing', { missing: 23 })
    await listed('page', 'unpriced', { served: false })
    const found = await authority.listedElsewhere(db.sql, await staged([{ resource: 'm' }]), 'mine', NOW)
    const said = found.map(({ source: by, resource, above, below, decides }) =>
      [by, resource, above ? 'above' : '', below ? 'below' : '', decides ? 'decides' : ''].filter(Boolean).join(' '),
    )
    expect(said.filter((line) => line.includes(' m '))).toEqual([
      'undeclared m below',
      'page m above decides',
      'verified m above decides',
      'first m above decides',
      'old m above',
      'later m below decides',
      'unplaced m decides',
    ])
    expect(said.filter((line) => !line.includes(' m ')).sort()).toEqual([
      'page lost above',
      'page missing above decides',
      'page unpriced above',
    ])
  })

  it('is said for the providers that a source speaks for', async () => {
    await source('mine', { position: 3 })
    await source('page', { rank: 0, speaksFor: ['acme'], position: 9 })
    await listed('page', 'm', { provider: 'best' })
    const table = await staged([{ resource: 'm', provider: 'best' }])
    expect(await authority.listedElsewhere(db.sql, table, 'mine', NOW)).toMatchObject([{ above: false, below: true }])
    expect(await authority.keptByPeople(db.sql, table, 'page')).toEqual(new Set(['best']))
    await staged([{ resource: 'm' }])
    expect(await authority.keptByPeople(db.sql, table, 'page')).toEqual(new Set())
    expect(await authority.keptByPeople(db.sql, table, 'mine')).toEqual(new Set(['acme']))
  })

  it('is a resource of its own or one that others list too', async () => {
    for (const name of ['mine', 'other']) await source(name)
    await listed('mine', 'm')
    await listed('mine', 'n')
    await listed('mine', 'gone', { removed: true })
    await listed('other', 'n')
    await listed('other', 'm', { provider: 'best' })
    const own = await authority.ownResources(db.sql, 'mine')
    expect(own.map(({ resource, shared }) => [resource, shared]).sort()).toEqual([
      ['m', false],
      ['n', true],
    ])
  })

  it('is served or shown there, by whom could take it over', async () => {
    await source('mine')
    await source('other')
    await source('stale', { read: 10 })
    await source('watching', { witness: true })
    await listed('mine', 'own')
    await listed('other', 'served')
    await listed('other', 'removed', { removed: true })
    await listed('other', 'lost', { missing: 24 })
    await listed('stale', 'stale')
    await listed('watching', 'watched')
    const all = ['own', 'served', 'removed', 'lost', 'stale', 'watched', 'shown', 'waiting']
    const names = all.map((resource) => ({ provider: 'acme', resource }))
    expect(
      [...(await authority.servedElsewhere(db.sql, 'mine', names, NOW))].map((key) => key.split('\x1f').at(-1)),
    ).toEqual([expect.stringContaining('served')])
    await shows('other', 'shown')
    await shows('mine', 'own')
    await shows('stale', 'stale')
    for (const resource of ['watched', 'shown']) await shows('watching', resource)
    for (const resource of ['waiting', 'missing', 'ended']) {
      const line = await addLine(db.sql, { source: 'other', resource })
      await addRow(db.sql, line, `held ${resource}`, 1, { as: 'held' })
    }
    await db.sql`update price_line set missing_since = ${at(1)} where resource = 'missing'`
    await db.sql`update price_line set removed_at = ${at(1)} where resource = 'ended'`
    const more = [...names, { provider: 'acme', resource: 'missing' }, { provider: 'acme', resource: 'ended' }]
    const shown = await authority.shownElsewhere(db.sql, 'mine', more, NOW)
    expect(shown.map(({ resource, isHeir }) => [resource, isHeir]).sort()).toEqual([
      ['shown', true],
      ['waiting', true],
      ['watched', false],
    ])
    expect(await authority.shownElsewhere(db.sql, 'mine', [{ provider: 'acme', resource: 'shown' }], NOW)).toHaveLength(
      1,
    )
    await db.sql`update source set complete = true, complete_from = ${at(1)}, speaks_for = '{acme}' where source = 'mine'`
    expect(await authority.shownElsewhere(db.sql, 'mine', more, NOW)).toEqual([])
  })

  it('is the same line, served by sources that stand before or behind, the farthest first', async () => {
    await source('mine', { position: 3 })
    await source('page', { rank: 0, position: 1 })
    await source('near', { position: 2 })
    await source('far', { position: 4 })
    await source('equal', { position: 3 })
    await source('watching', { witness: true, position: 5 })
    const ids: Record<string, string> = {}
    for (const by of ['mine', 'page', 'near', 'far', 'equal', 'watching']) ids[by] = await listed(by, 'm')
    await listed('far', 'm', { dimension: 'output_tokens' })
    await listed('far', 'n')
    const removed = await listed('far', 'o')
    await db.sql`update price_line set removed_at = ${at(2)} where line_id = ${removed}`
    await listed('far', 'p', { served: false })
    const lines = ['m', 'o', 'p'].map((resource) => ({ ...KIND, provider: 'acme', resource }))
    expect(await authority.sameLinesElsewhere(db.sql, 'mine', lines)).toEqual([
      { source: 'far', lineId: ids.far },
      { source: 'near', lineId: ids.near },
      { source: 'page', lineId: ids.page },
    ])
  })
})

describe('the evidence of a source', () => {
  it('is needed where no source before it decides about the resource any more', async () => {
    await source('mine', { position: 3 })
    await source('page', { rank: 0, speaksFor: ['acme'], position: 9 })
    const needed = () => authority.isNeeded(db.sql, 'mine', NOW)
    expect(await needed()).toBe(false)
    await shows('mine', 'm')
    expect(await needed()).toBe(true)
    await listed('page', 'm')
    expect(await needed()).toBe(false)
    await db.sql`update source set last_good_at = ${at(90)} where source = 'page'`
    expect(await needed()).toBe(true)
    await db.sql`update source set last_good_at = ${at(99)}, witness = true where source = 'page'`
    expect(await needed()).toBe(true)
    await db.sql`update source set witness = false where source = 'page'`
    await db.sql`update resource set removed_at = ${at(2)}`
    expect(await needed()).toBe(true)
    await db.sql`update resource set removed_at = null`
    await db.sql`update price_line set missing_since = ${at(70)}`
    expect(await needed()).toBe(true)
    await db.sql`update price_line set missing_since = null`
    await db.sql`update source set rank = 2 where source = 'page'`
    expect(await needed()).toBe(true)
    // Its complete list says that there is nothing else to sell.
    await db.sql`update source set rank = 0, complete = true, complete_from = ${at(1)} where source = 'page'`
    await shows('mine', 'unlisted')
    expect(await needed()).toBe(false)
    await shows('mine', 'unlisted', { provider: 'best' })
    expect(await needed()).toBe(true)
  })

  it('is what others decide about of its snapshot, and keeps the instant at which a price came', async () => {
    await source('mine', { position: 3 })
    await source('page', { rank: 0, position: 9 })
    await listed('page', 'm')
    const table = await staged([
      { resource: 'm', price: '2' },
      { resource: 'm', dimension: 'output_tokens', price: '4' },
      { resource: 'm', dimension: 'requests', price: null },
      { resource: 'n', price: '5' },
    ])
    const covered = [{ provider: 'acme', resource: 'm', by: 'page' }]
    const outside = { source: 'mine', covered, overruled: { instead: [], by: new Set<string>() } }
    await shows('mine', 'm', { price: '2' })
    await shows('mine', 'n')
    await shows('page', 'm')
    await inTransaction(db.sql, (tx) => authority.forgetEvidence(tx, table, outside as never))
    const evidence = async () => {
      const rows = await db.sql<{ line: string; since: string }[]>`
        select concat_ws(' ', source, resource, dimension, price) as line, shown_since as since from witness_price order by 1`
      return rows.map(({ line, since }) => [line, since])
    }
    expect(await evidence()).toEqual([
      ['mine m input_tokens 2', at(1)],
      ['page m input_tokens 1', at(1)],
    ])
    const taken = await inTransaction(db.sql, (tx) => authority.moveToEvidence(tx, table, outside as never, at(5)))
    // Output tokens are of a kind that the page has nowhere: they are left to the list.
    expect(taken).toBe(1)
    expect(await evidence()).toEqual([
      ['mine m input_tokens 2', at(1)],
      ['page m input_tokens 1', at(1)],
    ])
    expect(await stagedNames()).toEqual(['acme m', 'acme n'])
    await staged([{ resource: 'm', price: '3' }])
    await inTransaction(db.sql, (tx) => authority.moveToEvidence(tx, table, outside as never, at(6)))
    expect((await evidence())[0]).toEqual(['mine m input_tokens 3', at(6)])
    expect(await stagedNames()).toEqual([])
    // Of a price that stays, the rest is as the snapshot has it now, its place in it too.
    await staged([{ resource: 'm', price: '3', canonical: 'maker/m', from: '2026-01-02', locator: '/7' }])
    await inTransaction(db.sql, (tx) => authority.moveToEvidence(tx, table, outside as never, at(7)))
    expect((await evidence())[0]).toEqual(['mine m input_tokens 3', at(6)])
    const [kept] = await db.sql`
      select canonical_resource, effective_from, locator from witness_price where source = 'mine'`
    expect(Object.values(kept!)).toEqual(['maker/m', '2026-01-02', '/7'])
  })
})

describe('a snapshot', () => {
  it('gives its resources the names that they are served under, and loses second names', async () => {
    const table = await staged([
      { resource: 'a' },
      { resource: 'a', dimension: 'requests', price: null },
      { resource: 'b' },
      { resource: 'a', provider: 'best' },
    ])
    await authority.respell(db.sql, table, [{ provider: 'acme', from: 'b', to: 'c' }])
    expect(await stagedNames()).toEqual(['acme a', 'acme a', 'acme c', 'best a'])
    expect(await authority.dropSecondNames(db.sql, table, [{ provider: 'acme', resource: 'a' }])).toBe(1)
    expect(await stagedNames()).toEqual(['acme c', 'best a'])
    expect(await authority.stagedResources(db.sql, table, ['acme'])).toEqual([{ provider: 'acme', resource: 'c' }])
  })

  it('has kinds of prices, and resources that are priced for input alone', async () => {
    const table = await staged([
      { resource: 'a' },
      { resource: 'a', dimension: 'output_tokens' },
      { resource: 'embedding' },
      { resource: 'unread', price: null, dimension: 'requests' },
      { resource: 'b', provider: 'best', dimension: 'pages', tier: '{"region":"eu"}' },
    ])
    expect([...(await authority.stagedKinds(db.sql, table, ['acme']))].map((kind) => kind.trim()).sort()).toEqual([
      'acme input_tokens',
      'acme output_tokens',
    ])
    expect((await inputAlone(db.sql, table)).map(({ resource }) => resource).sort()).toEqual(['b', 'embedding'])
  })

  it('makes the lines that take a resource over once, and none of what it cannot name', async () => {
    await source('mine')
    const table = await staged([{ resource: 'a' }, { resource: 'a' }, { resource: 'b' }])
    await db.sql`update staged_test set unit = null where resource = 'b'`
    await addLine(db.sql, { source: 'mine', resource: 'a' })
    const taking = ['a', 'b'].map((resource) => ({ provider: 'acme', resource }))
    await authority.createTakingLines(db.sql, table, 'mine', taking)
    expect(await db.sql`select resource from price_line`).toEqual([{ resource: 'a' }])
  })
})

describe('a list', () => {
  it('is behind another one that people keep, where that one is declared before it', async () => {
    await source('mine', { position: 3 })
    await source('after', { position: 4 })
    await source('page', { rank: 0, position: 1 })
    await source('watching', { witness: true, position: 1 })
    await source('gone', { declared: false, position: 1 })
    const behind = () => authority.isBehind(db.sql, 'mine')
    expect(await behind()).toBe(false)
    await source('before', { position: 2 })
    expect(await behind()).toBe(true)
    await db.sql`update source set rank = 1 where source = 'mine'`
    expect(await behind()).toBe(false)
    await db.sql`update source set rank = 2, declared = false where source = 'mine'`
    expect(await behind()).toBe(false)
  })

  it('is complete for the providers that it speaks for, once it was read as such, and while it is read', async () => {
    await source('mine', { position: 3 })
    await source('page', { rank: 0, speaksFor: ['acme'], complete: true, position: 9 })
    const table = await staged([{ resource: 'm' }, { resource: 'n', provider: 'best' }])
    const lists = () => completeLists(db.sql, table, 'mine', NOW)
    expect(await lists()).toEqual([{ provider: 'acme', source: 'page', inputAlone: false }])
    await listed('page', 'embedding')
    expect(await lists()).toMatchObject([{ inputAlone: true }])
    await db.sql`update price_line set removed_at = ${NOW}`
    expect(await lists()).toMatchObject([{ inputAlone: false }])
    await db.sql`update price_line set removed_at = null`
    await listed('page', 'embedding', { dimension: 'output_tokens' })
    expect(await lists()).toMatchObject([{ inputAlone: false }])
    const is = async (change: Record<string, unknown>) => {
      await db.sql`update source set ${db.sql(change)} where source = 'page'`
      return (await lists()).length
    }
    expect(await is({ complete_from: null })).toBe(0)
    expect(await ownCompleteProviders(db.sql, 'page')).toEqual(new Set(['acme']))
    expect(await is({ complete_from: at(1), witness: true })).toBe(0)
    expect(await is({ witness: false, last_good_at: at(90) })).toBe(0)
    expect(await is({ last_good_at: at(99), rank: 2, position: 4 })).toBe(0)
    expect(await is({ position: 2 })).toBe(1)
    expect(await is({ complete: false })).toBe(0)
    expect(await ownCompleteProviders(db.sql, 'page')).toEqual(new Set())
  })
})

describe('a source that decides about lines in place of another', () => {
  const contradicted = (line: string, by: string | null, price = '1') => db.sql`
    insert into contradicted_line (line_id, price, other_price, sources, since, decided_by)
    values (${line}, ${price}, 9, '{x}', ${at(1)}, ${by})`

  it('is known to both, and no longer where the other shows another price now', async () => {
    for (const name of ['mine', 'other', 'third']) await source(name)
    await contradicted(await listed('mine', 'm'), 'other')
    await contradicted(await listed('mine', 'changed'), 'other')
    await contradicted(await listed('mine', 'undecided'), null)
    await contradicted(await listed('other', 'n'), 'mine')
    await contradicted(await listed('other', 'o'), 'third')
    const table = await staged([{ resource: 'm' }, { resource: 'changed', price: '2' }, { resource: 'n' }])
    const lines = await inTransaction(db.sql, (tx) => overruledLines(tx, table, 'mine'))
    expect(lines.instead.map(({ resource, of }) => [resource, of])).toEqual([['n', 'other']])
    expect([...lines.by].map((key) => key.split(' ')[0])).toEqual(['other'])
    expect([...lines.by][0]).toContain('m')
    expect(await inTransaction(db.sql, (tx) => listedInstead(tx, table, lines))).toMatchObject([{ resource: 'n' }])
    await db.sql`update staged_test set price = null where resource = 'n'`
    expect(await inTransaction(db.sql, (tx) => listedInstead(tx, table, lines))).toEqual([])
    const left = await db.sql<{ resource: string }[]>`
      select resource from contradicted_line join price_line using (line_id) order by 1`
    expect(left.map(({ resource }) => resource)).toEqual(['m', 'n', 'o', 'undecided'])
  })

  it('is served beside others for the lines that both have', async () => {
    for (const name of ['mine', 'other', 'third']) await source(name)
    await listed('other', 'm')
    await listed('other', 'm', { dimension: 'output_tokens' })
    await listed('third', 'm')
    await listed('other', 'unserved', { served: false })
    const table = await staged([{ resource: 'm' }, { resource: 'unserved' }, { resource: 'unread', price: null }])
    const beside = ['m', 'unserved', 'unread'].map((resource) => ({ provider: 'acme', resource, sources: ['other'] }))
    const found = await inTransaction(db.sql, (tx) => servedBeside(tx, table, beside as never))
    expect(found).toEqual([{ ...KIND, of: 'other', provider: 'acme', resource: 'm' }])
  })

  it('knows the prices that the other left there, unless its own rank is better', async () => {
    await source('mine', { rank: 2 })
    await source('other', { rank: 2 })
    const line = await addLine(db.sql, { source: 'other', resource: 'm' })
    await addRow(db.sql, line, 'first', 1, { price: '5', served: [[1, 2]] })
    await addRow(db.sql, line, 'never', 2, { price: '6' })
    await addRow(db.sql, line, 'now', 3, { price: '7', as: 'current', served: [[3]] })
    await contradicted(line, 'mine')
    const left = async () => [...(await inTransaction(db.sql, (tx) => leftPrices(tx, 'mine'))).values()]
    expect(await left()).toEqual([['5']])
    await db.sql`update source set rank = 1 where source = 'mine'`
    expect(await left()).toEqual([])
  })
})
