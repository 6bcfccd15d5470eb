import { beforeEach, describe, expect, it } from 'vitest'
import { catalogAnswer } from '../../src/catalog/catalog-answer-store.ts'
import {
  formerNames,
  listedName,
  listResources,
  recordRenames,
  settleCanonicalIds,
  unlistResources,
} from '../../src/catalog/resource-store.ts'
import { findResourceChoices, listProviderChoices } from '../../src/catalog/search/find-choices.ts'
import { searchCatalog } from '../../src/catalog/search/search-catalog.ts'
import { DAY, HOUR, type Instant, plus } from '../../src/lib/instant.ts'
import type { Tx } from '../../src/lib/sql.ts'
import { testDatabase } from '../support/database.ts'

const AT = '2026-11-21T10:00:00.000Z' as Instant
const db = testDatabase()
beforeEach(async () => {
  await db.sql`
    delete from row_confirmation; delete from good_fetch; delete from price_line; delete from document;
    delete from resource_rename; delete from resource; delete from provider_pricing; delete from provider_status;
    delete from provider; delete from source`.simple()
  await db.sql`
    insert into source (source, kind, format, interval_seconds)
    select s, 'prices', 'curated', 300 from unnest(array['a', 'b', 'ended']) as s`
  await db.sql`
    insert into provider (provider, name, created_at)
    values ('acme', 'Acme', ${AT}), ('best', 'best models', ${AT}), ('zeta', 'The Acme clone', ${AT})`
})

const within = <T>(work: (tx: Tx) => Promise<T>) => db.sql.begin(work) as Promise<T>
const acme = (...names: string[]) => names.map((resource) => ({ provider: 'acme', resource }))
const list = (source: string, names: string[], at = AT, provider = 'acme') =>
  within((tx) =>
    listResources(
      tx,
      source,
      names.map((resource) => ({ provider, resource })),
      at,
    ),
  )
const unlist = (source: string, names: string[], at = plus(AT, HOUR)) =>
  within((tx) => unlistResources(tx, source, acme(...names), at))
const rename = (source: string, from: string, to: string, at = AT, provider = 'acme') =>
  within((tx) => recordRenames(tx, source, [{ provider, from, to }], at))
const listed = async () => {
  const rows = await db.sql<{ name: string }[]>`
    select concat_ws(' ', source, provider, resource) as name from resource where removed_at is null order by 1`
  return rows.map(({ name }) => name)
}

describe('resources', () => {
  it('are priced for the first time once, by whichever source', async () => {
    expect((await list('a', ['m', 'n'])).map(({ resource }) => resource).sort()).toEqual(['m', 'n'])
    expect(await list('b', ['n', 'o'])).toEqual(acme('o'))
    expect(await list('a', ['n'], AT, 'best')).toEqual([{ provider: 'best', resource: 'n' }])
    expect(await listed()).toEqual(['a acme m', 'a acme n', 'a best n', 'b acme n', 'b acme o'])
  })

  it('are listed by one source and not by another, and keep since when they are priced', async () => {
    await list('a', ['m', 'n'])
    await list('b', ['m'])
    await list('a', ['m'], AT, 'best')
    await unlist('a', ['m'])
    expect(await listed()).toEqual(['a acme n', 'a best m', 'b acme m'])
    const seen = { provider: 'acme', resource: 'm', canonicalResource: 'acme/m', category: 'chat' }
    expect(await within((tx) => listResources(tx, 'a', [seen], plus(AT, DAY)))).toEqual([])
    expect(
      await db.sql`
      select first_priced_at as at, canonical_resource as canonical, category, removed_at as removed from resource
      where (source, provider, resource) = ('a', 'acme', 'm')`,
    ).toEqual([{ at: AT, canonical: 'acme/m', category: 'chat', removed: null }])
  })

  it('keep the canonical id that a list no longer says, and note when what a filter can name changed', async () => {
    const hour = (n: number) => plus(AT, n * HOUR)
    const seen = async (n: number, canonicalResource?: string) => {
      const one = { provider: 'acme', resource: 'm', ...(canonicalResource && { canonicalResource }) }
      await within((tx) => listResources(tx, 'a', [one], hour(n)))
      const [row] = await db.sql`select canonical_resource as id, changed_at as at from resource`
      return [row!.id, row!.at]
    }
    expect(await seen(0, 'maker/m')).toEqual(['maker/m', null])
    expect(await seen(1, 'maker/m')).toEqual(['maker/m', null])
    expect(await seen(2)).toEqual(['maker/m', null])
    expect(await seen(3, 'maker/n')).toEqual(['maker/n', hour(3)])
    expect(await seen(4, 'maker/n')).toEqual(['maker/n', hour(3)])
    await unlist('a', ['m'], hour(5))
    expect(await seen(6)).toEqual(['maker/n', hour(6)])
  })

  it('have the canonical id of the newest price that has one, of those that are listed, and none where none has', async () => {
    const priced = async (dimension: string, hour: number, id: string | null) => {
      const [line] = await db.sql<{ id: string }[]>`
        insert into price_line (source, provider, resource, dimension, unit, currency, pricing_tier, current_hash)
        values ('a', 'acme', 'm', ${dimension}, 'usd_per_token', 'USD', '{}', ${`row ${dimension}`}) returning line_id as id`
      await db.sql`
        insert into price_row (content_hash, line_id, price, recorded_at, canonical_resource, parser_version)
        values (${`row ${dimension}`}, ${line!.id}, 1, ${plus(AT, hour * HOUR)}, ${id}, 1)`
    }
    const settled = async (hours: number, canonicalResource?: string) => {
      const one = { provider: 'acme', resource: 'm', ...(canonicalResource && { canonicalResource }) }
      await within((tx) => settleCanonicalIds(tx, 'a', [one], plus(AT, hours * HOUR)))
      const [row] = await db.sql`select canonical_resource as id, changed_at as at from resource`
      return [row!.id, row!.at]
    }
    await within((tx) => listResources(tx, 'a', [{ ...acme('m')[0]!, canonicalResource: 'maker/old' }], AT))
    await priced('input_tokens', 1, 'maker/m')
    await priced('output_tokens', 2, 'maker/newer')
    await priced('requests', 3, null)
    expect(await settled(4, 'maker/old')).toEqual(['maker/old', null])
    expect(await settled(4)).toEqual(['maker/newer', plus(AT, 4 * HOUR)])
    expect(await settled(5)).toEqual(['maker/newer', plus(AT, 4 * HOUR)])
    await db.sql`update price_line set removed_at = ${AT} where dimension = 'output_tokens'`
    expect(await settled(6)).toEqual(['maker/m', plus(AT, 6 * HOUR)])
    await db.sql`update price_line set removed_at = ${AT}`
    expect(await settled(7)).toEqual([null, plus(AT, 7 * HOUR)])
    await db.sql`delete from price_row`
  })
})

describe('a name', () => {
  const now = (resource: string, source = 'a', provider = 'acme') =>
    within((tx) => listedName(tx, source, { provider, resource }))
  const former = async (...names: string[]) =>
    (await within((tx) => formerNames(tx, 'a', acme(...names))))
      .map(({ resource, listed: to }) => `${resource} → ${to}`)
      .sort()

  it('leads to the one that is listed now, through every renaming of its source that is in force', async () => {
    await list('a', ['third', 'plain'])
    await rename('a', 'first', 'second')
    await rename('a', 'second', 'wrong')
    await rename('a', 'second', 'third', plus(AT, HOUR))
    await rename('a', 'of-another', 'second', AT, 'best')
    expect(await Promise.all(['plain', 'third', 'second', 'first', 'unknown'].map((name) => now(name)))).toEqual([
      'plain',
      'third',
      'third',
      'third',
      undefined,
    ])
    expect([await now('first', 'b'), await now('first', 'a', 'best')]).toEqual([undefined, undefined])
    expect(await former('third', 'plain')).toEqual(['first → third', 'second → third'])
    await unlist('a', ['third'])
    expect(await now('first')).toBeUndefined()
    await db.sql`update resource_rename set ended_at = ${plus(AT, DAY)} where old_resource = 'second'`
    await list('a', ['second', 'third'])
    expect([await now('first'), await now('second')]).toEqual(['second', 'second'])
    expect(await former('third', 'second')).toEqual(['first → second'])
  })

  it('does not lead to where an earlier renaming of it led', async () => {
    await list('a', ['wrong', 'last'])
    await rename('a', 'old', 'wrong')
    await rename('a', 'old', 'next', plus(AT, HOUR))
    await rename('a', 'next', 'last', plus(AT, 2 * HOUR))
    expect(await now('old')).toBe('last')
  })

  it('that is listed itself leads nowhere else, and names that lead round and round end', async () => {
    await list('a', ['m'])
    await rename('a', 'm', 'n')
    await rename('a', 'n', 'm')
    expect(await now('m')).toBe('m')
    expect(await now('n')).toBe('m')
    await rename('b', 'x', 'y')
    await rename('b', 'y', 'x')
    expect(await now('x', 'b')).toBeUndefined()
    expect(await former('m')).toEqual(['n → m'])
  })

  it('of other providers or sources is not a former name', async () => {
    await rename('b', 'old', 'm')
    await rename('a', 'older', 'm', AT, 'best')
    expect(await former('m')).toEqual([])
  })
})

describe('the catalog of a provider', () => {
  let count = 0
  const line = async (
    resource: string,
    dimension: string,
    more: { source?: string; hash?: string | null; provider?: string } = {},
  ) => {
    const { source = 'a', hash = `hash ${count++}`, provider = 'acme' } = more
    await db.sql`
      insert into price_line (source, provider, resource, dimension, unit, currency, pricing_tier, current_hash)
      values (${source}, ${provider}, ${resource}, ${dimension}, 'usd_per_token', 'USD', '{}', ${hash})`
  }

  it('lists what is listed by any source once, with the dimensions that are served', async () => {
    await list('a', ['n', 'm', 'Z', 'gone'])
    await list('b', ['m'])
    await list('a', ['of-another'], AT, 'best')
    await db.sql`update resource set canonical_resource = 'x/' || source where resource = 'm'`
    await unlist('a', ['gone'])
    for (const [resource, dimension] of [
      ['m', 'output_tokens'],
      ['m', 'input_tokens'],
      ['n', 'requests'],
    ])
      await line(resource!, dimension!)
    await line('m', 'input_tokens', { source: 'b' })
    await line('m', 'pages', { hash: null })
    await line('m', 'input_images')
    await db.sql`update price_line set removed_at = ${AT} where dimension = 'input_images'`
    const answer = (await catalogAnswer(db.sql, 'acme'))!
    expect(answer.resources).toEqual([
      { resource: 'Z', canonicalResource: null, dimensions: [], confirmedAt: null },
      { resource: 'm', canonicalResource: 'x/a', dimensions: ['input_tokens', 'output_tokens'], confirmedAt: null },
      { resource: 'n', canonicalResource: null, dimensions: ['requests'], confirmedAt: null },
    ])
    expect(await catalogAnswer(db.sql, 'unknown')).toBeUndefined()
    expect(await catalogAnswer(db.sql, 'zeta')).toEqual({ resources: [], docs: [], updatedAt: null })
  })

  it('says when all prices of a resource were last confirmed: when their sources were read well last, while they say so', async () => {
    await list('a', ['m'])
    await line('m', 'input_tokens', { hash: 'in' })
    await line('m', 'output_tokens', { hash: 'out', source: 'b' })
    // Of the same name, and never read.
    await line('m', 'requests', { source: 'ended', provider: 'best' })
    const confirmedAt = async () => (await catalogAnswer(db.sql, 'acme'))!.resources[0]!.confirmedAt
    expect(await confirmedAt()).toBeNull()
    for (const [source, hours] of [
      ['a', 1],
      ['a', 5],
      ['b', 3],
    ] as const)
      await db.sql`insert into good_fetch (source, at, rank, stale_after_seconds) values (${source}, ${plus(AT, hours * HOUR)}, 2, 3600)`
    const confirm = (hash: string, said: boolean, at: Instant) => db.sql`
      insert into row_confirmation (content_hash, since, line_id, provider, source, said, superseded, confirmed_at, agree,
                                    disagree, by_provider, independent, independent_of_own, basis)
      select current_hash, ${AT}, line_id, provider, source, ${said}, false, ${at}, '', '', false, false, false, 1
      from price_line where current_hash = ${hash}`
    expect(await confirmedAt()).toBe(plus(AT, 3 * HOUR))
    for (const hash of ['in', 'out']) await confirm(hash, true, AT)
    expect(await confirmedAt()).toBe(plus(AT, 3 * HOUR))
    await db.sql`update row_confirmation set said = false, confirmed_at = ${plus(AT, HOUR)} where content_hash = 'in'`
    expect(await confirmedAt()).toBe(plus(AT, HOUR))
    await db.sql`update row_confirmation set contradicted_since = ${AT} where content_hash = 'out'`
    expect(await confirmedAt()).toBeNull()
    await db.sql`update row_confirmation set until = ${plus(AT, 1)} where content_hash = 'out'`
    expect(await confirmedAt()).toBe(plus(AT, HOUR))
    await db.sql`update row_confirmation set until = null where content_hash = 'out'`
    await db.sql`update price_line set removed_at = ${AT} where current_hash = 'out'`
    expect(await confirmedAt()).toBe(plus(AT, HOUR))
  })

  it('names the documents that are declared, and says when anything of it changed last', async () => {
    const document = (source: string, name: string, updatedAt: Instant, provider = 'acme') => db.sql`
      insert into document (source, provider, document, title, url, updated_at)
      values (${source}, ${provider}, ${name}, ${name.toUpperCase()}, ${`https://acme.example/${name}`}, ${updatedAt})`
    const updatedAt = async () => (await catalogAnswer(db.sql, 'acme'))!.updatedAt
    await db.sql`
      insert into source (source, kind, format, interval_seconds)
      select s, 'terms', 'page', 300 from unnest(array['t', 'u', 'v']) as s`
    await list('a', ['m'])
    await list('a', ['x'], plus(AT, 99 * DAY), 'best')
    await rename('a', 'x', 'y', plus(AT, 98 * DAY), 'best')
    await document('v', 'other', plus(AT, 97 * DAY), 'best')
    expect(await updatedAt()).toBe(AT)
    await unlist('a', ['m'], plus(AT, HOUR))
    expect(await updatedAt()).toBe(plus(AT, HOUR))
    await list('a', ['m'], plus(AT, 1.5 * HOUR))
    expect(await updatedAt()).toBe(plus(AT, 1.5 * HOUR))
    await list('a', ['m'], plus(AT, 1.6 * HOUR))
    expect(await updatedAt()).toBe(plus(AT, 1.5 * HOUR))
    await rename('a', 'old', 'm', plus(AT, 2 * HOUR))
    expect(await updatedAt()).toBe(plus(AT, 2 * HOUR))
    await db.sql`update resource_rename set ended_at = ${plus(AT, 3 * HOUR)} where provider = 'acme'`
    expect(await updatedAt()).toBe(plus(AT, 3 * HOUR))
    await document('t', 'terms', plus(AT, 4 * HOUR))
    await document('u', 'privacy', AT)
    expect(await updatedAt()).toBe(plus(AT, 4 * HOUR))
    expect((await catalogAnswer(db.sql, 'acme'))!.docs).toEqual([
      { doc: 'privacy', url: 'https://acme.example/privacy' },
      { doc: 'terms', url: 'https://acme.example/terms' },
    ])
    await db.sql`update source set declared = false, ended_at = ${plus(AT, 5 * HOUR)} where source = 't'`
    expect(await updatedAt()).toBe(plus(AT, 5 * HOUR))
    expect((await catalogAnswer(db.sql, 'acme'))!.docs.map(({ doc }) => doc)).toEqual(['privacy'])
  })
})

describe('a choice for a webhook', () => {
  it('is any provider that is not retired, by name, with its documents and whether it prices in credits', async () => {
    for (const [provider, status] of [
      ['acme', 'pending'],
      ['acme', 'active'],
      ['best', 'active'],
      ['best', 'retired'],
    ])
      await db.sql`
        insert into provider_status (provider, at, status)
        values (${provider!}, ${plus(AT, status === 'retired' || status === 'active' ? (status === 'retired' ? 2 : 1) : 0)}, ${status!})`
    await db.sql`update provider set name = 'zeta' where provider = 'acme'`
    await db.sql`
      insert into provider_pricing (provider, at, in_credits, in_usd)
      values ('acme', ${AT}, false, true), ('acme', ${plus(AT, 1)}, true, true), ('zeta', ${AT}, true, true),
             ('zeta', ${plus(AT, 1)}, false, true)`
    for (const [source, name] of [
      ['a', 'Terms'],
      ['b', 'Privacy'],
      ['ended', 'Old'],
    ])
      await db.sql`
        insert into document (source, provider, document, title, url, updated_at)
        values (${source!}, 'acme', ${name!.toLowerCase()}, ${name!}, 'https://acme.example', ${AT})`
    await db.sql`update source set declared = false, ended_at = ${AT} where source = 'ended'`
    expect(await listProviderChoices(db.sql)).toEqual([
      { provider: 'zeta', name: 'The Acme clone', creditPriced: false, documents: [] },
      {
        ...{ provider: 'acme', name: 'zeta', creditPriced: true },
        documents: [
          { document: 'privacy', title: 'Privacy' },
          { document: 'terms', title: 'Terms' },
        ],
      },
    ])
  })

  it('is a listed resource whose name or canonical id holds the text: those that begin with it first, then the shortest', async () => {
    await list('a', ['gpt-mini', 'a-GPT', 'GPT-5', 'gone-gpt', 'other'])
    await list('b', ['GPT-5'])
    await list('a', ['gpt-5'], AT, 'best')
    await unlist('a', ['gone-gpt'])
    await db.sql`update resource set canonical_resource = 'openai/gpt' where resource = 'other'`
    await db.sql`update resource set canonical_resource = source || '/GPT-5' where resource = 'GPT-5'`
    const names = async (search: string, providers?: string[]) =>
      (await findResourceChoices(db.sql, { search, providers })).map(
        ({ provider, resource }) => `${provider} ${resource}`,
      )
    expect(await names('gPt')).toEqual(['acme GPT-5', 'best gpt-5', 'acme gpt-mini', 'acme a-GPT', 'acme other'])
    expect(await names('gpt', ['best'])).toEqual(['best gpt-5'])
    expect(await names('openai/')).toEqual(['acme other'])
    expect((await findResourceChoices(db.sql, { search: 'gpt-5', providers: ['acme'] }))[0]).toEqual({
      ...{ provider: 'acme', resource: 'GPT-5', canonicalResource: 'a/GPT-5' },
    })
    await list(
      'a',
      Array.from({ length: 60 }, (_, n) => `many-${n}`),
    )
    expect(await names('many')).toHaveLength(50)
  })
})

describe('the search of the catalog', () => {
  it('finds five providers, those whose name begins with the text first, by slug or name', async () => {
    expect((await searchCatalog(db.sql, 'ACME')).providers).toEqual([
      { provider: 'acme', name: 'Acme' },
      { provider: 'zeta', name: 'The Acme clone' },
    ])
    expect((await searchCatalog(db.sql, 'zet')).providers).toMatchObject([{ provider: 'zeta' }])
    await db.sql`
      insert into provider (provider, name, created_at)
      select 'p' || n, 'Acme ' || repeat('x', n), ${AT} from generate_series(1, 5) as n`
    expect((await searchCatalog(db.sql, 'acme')).providers.map(({ provider }) => provider)).toEqual([
      ...['acme', 'p1', 'p2', 'p3', 'p4'],
    ])
  })

  it('finds listed resources that hold every word: equal ones first, then those that begin so, short before long, ten at once', async () => {
    await list('a', ['mini-gpt', 'gpt', 'gpt-4-mini', 'gpt-mini', 'GPT', 'gone gpt', 'claude'])
    await list('b', ['gpt'])
    await list('b', ['gpt'], AT, 'best')
    await unlist('a', ['gone gpt'])
    const all = async (text: string) => {
      const found: string[] = []
      let next: string | null | undefined
      do {
        const page = await searchCatalog(db.sql, text, next ?? undefined)
        expect(page.resources.length).toBeLessThanOrEqual(10)
        found.push(...page.resources.map(({ provider, resource }) => `${provider} ${resource}`))
        if (next) expect(page.providers).toEqual([])
        next = page.next
      } while (next)
      return found
    }
    expect(await all('gpt')).toEqual([
      ...['acme GPT', 'acme gpt', 'best gpt', 'acme gpt-mini', 'acme gpt-4-mini', 'acme mini-gpt'],
    ])
    expect(await all('MINI  gpt')).toEqual(['acme gpt-mini', 'acme mini-gpt', 'acme gpt-4-mini'])
    await list(
      'a',
      Array.from({ length: 21 }, (_, n) => `many-${String(n).padStart(2, '0')}`),
    )
    const many = await all('many')
    expect(many).toEqual(Array.from({ length: 21 }, (_, n) => `acme many-${String(n).padStart(2, '0')}`))
    expect((await searchCatalog(db.sql, 'claude')).next).toBeNull()
    await expect(searchCatalog(db.sql, 'gpt', 'bm9uZQ')).rejects.toMatchObject({
      code: 'invalid_query',
      field: 'after',
    })
  })
})
