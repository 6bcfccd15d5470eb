import { beforeEach, describe, expect, it } from 'vitest'
import { listProviders } from '../../src/catalog/providers/list-providers.ts'
import { nameProviders } from '../../src/catalog/providers/name-providers.ts'
import { providerOverview } from '../../src/catalog/providers/overview-store.ts'
import {
  activateProviders,
  settleProviders,
  unsettledProviders,
} from '../../src/catalog/providers/provider-status-store.ts'
import {
  creditPriced,
  forgetProviders,
  knownProviders,
  namesDiffer,
  recordPricing,
  seeProviders,
  unnamedProviders,
} from '../../src/catalog/providers/provider-store.ts'
import { DAY, HOUR, type Instant, instantOf, MINUTE, plus } from '../../src/lib/instant.ts'
import type { Tx } from '../../src/lib/sql.ts'
import { testDatabase } from '../support/database.ts'

const AT = '2026-11-21T10:00:00.000Z' as Instant
const db = testDatabase()
beforeEach(() =>
  db.sql`
    delete from contradicted_line; delete from unsaid_line; delete from publication; delete from price_line;
    delete from document_version; delete from document; delete from resource; delete from source_provider;
    delete from provider_pricing; delete from provider_status; delete from provider; delete from source`.simple(),
)

const within = <T>(work: (tx: Tx) => Promise<T>) => db.sql.begin(work) as Promise<T>
const addSources = (...names: string[]) => db.sql`
  insert into source (source, kind, format, interval_seconds)
  select s, 'prices', 'curated', 300 from unnest(${names}::text[]) as s`
const endSource = (source: string) =>
  db.sql`update source set ended_at = ${AT}, declared = false where source = ${source}`
const see = (source: string, providers: string[], at = AT) =>
  within((tx) =>
    seeProviders(
      tx,
      source,
      providers.map((provider) => ({ provider, name: provider.toUpperCase() })),
      at,
    ),
  )
const line = async (source: string, provider: string, resource = 'm', more: { held?: boolean } = {}) => {
  const [row] = await db.sql<{ id: string }[]>`
    insert into price_line (source, provider, resource, dimension, unit, currency, pricing_tier, current_hash, held_hash)
    values (${source}, ${provider}, ${resource}, 'input_tokens', 'usd_per_token', 'USD', '{}',
            ${more.held ? null : `${source}${provider}${resource}`}, ${more.held ? 'held' : null})
    returning line_id as id`
  return row!.id
}
const serve = (provider: string, { dimension = 'input_tokens', currency = 'USD' } = {}) => db.sql`
  insert into publication (content_hash, published_at, provider, source, resource, line_id, recorded_at, dimension, currency, body)
  values (${`${provider} ${dimension} ${currency}`}, ${AT}, ${provider}, 's', 'm', 1, ${AT}, ${dimension}, ${currency}, '{}')`
const withdraw = (provider: string, currency = 'USD') => db.sql`
  update publication set unpublished_at = ${plus(AT, 1)} where provider = ${provider} and currency = ${currency}`
const document = async (source: string, provider: string, recordedAt: Instant | null) => {
  await db.sql`
    insert into document (source, provider, document, title, url, updated_at)
    values (${source}, ${provider}, ${source}, 'Terms', 'https://acme.example', ${AT})`
  await db.sql`
    insert into snapshot (hash, size, bytes, created_at) values (${'a'.repeat(64)}, 0, '', ${AT}) on conflict do nothing`
  await db.sql`
    insert into document_version (source, status, first_seen_at, last_seen_at, recorded_at, snapshot_hash, extractor,
                                  markdown, text_hash, normal_hash)
    values (${source}, ${recordedAt ? 'published' : 'candidate'}, ${AT}, ${AT}, ${recordedAt}, ${'a'.repeat(64)}, '1', '', '', '')`
}
const statuses = async (provider: string) => {
  const rows = await db.sql<{ status: string }[]>`
    select status from provider_status where provider = ${provider} order by at`
  return rows.map(({ status }) => status)
}
const settle = (providers: string[], at: Instant) => within((tx) => settleProviders(tx, providers, at))

describe('the status of a provider', () => {
  it('is pending from when a source names it, under the name that it was given first', async () => {
    await addSources('a', 'b')
    await see('a', ['acme'])
    await within((tx) => seeProviders(tx, 'b', [{ provider: 'acme', name: 'Another' }], plus(AT, DAY)))
    expect(await listProviders(db.sql)).toMatchObject([
      { provider: 'acme', name: 'ACME', status: 'pending', activatedAt: null, freshness: 'unknown' },
    ])
    expect(await statuses('acme')).toEqual(['pending'])
    expect(await db.sql`select source from source_provider order by 1`).toEqual([{ source: 'a' }, { source: 'b' }])
  })

  it('is active from its first price on, for the first time once', async () => {
    await addSources('a')
    await see('a', ['acme', 'best'])
    const activate = (providers: string[], at: Instant, options = {}) =>
      within((tx) => activateProviders(tx, providers, at, options))
    const [first] = await activate(['acme'], plus(AT, HOUR))
    expect(first).toEqual({ provider: 'acme', name: 'ACME' })
    expect(await activate(['acme'], plus(AT, 2 * HOUR))).toEqual([])
    expect([await statuses('acme'), await statuses('best')]).toEqual([['pending', 'active'], ['pending']])
    expect((await listProviders(db.sql)).map(({ status, activatedAt }) => [status, activatedAt])).toEqual([
      ['active', plus(AT, HOUR)],
      ['pending', null],
    ])
    await see('a', ['at-once'], plus(AT, DAY))
    expect(await activate(['at-once'], plus(AT, DAY))).toEqual([{ provider: 'at-once', name: 'AT-ONCE' }])
    expect(await statuses('at-once')).toEqual(['active'])
    // One that existed before the directory has no instant of its own.
    await activate(['best'], plus(AT, DAY), { older: true })
    expect((await listProviders(db.sql)).find(({ provider }) => provider === 'best')).toMatchObject({
      status: 'active',
      activatedAt: null,
    })
  })

  it('is active again when something of it is served again, which is not the first time', async () => {
    await addSources('a')
    await see('a', ['acme'])
    await within((tx) => activateProviders(tx, ['acme'], plus(AT, 1)))
    await settle(['acme'], plus(AT, 2))
    expect(await statuses('acme')).toEqual(['pending', 'active', 'retired'])
    expect(await within((tx) => activateProviders(tx, ['acme'], plus(AT, 3)))).toEqual([])
    expect(await statuses('acme')).toEqual(['pending', 'active', 'retired', 'active'])
  })

  it('follows from what there is of it: a served price, a text in force, a source that names it', async () => {
    await addSources('a', 'terms', 'other')
    await see('a', ['priced', 'read', 'named', 'held-text'])
    for (const provider of ['priced', 'read']) await within((tx) => activateProviders(tx, [provider], plus(AT, 1)))
    await serve('priced')
    await document('terms', 'read', AT)
    await document('other', 'held-text', null)
    const all = ['priced', 'read', 'named', 'held-text']
    const now = async () => Promise.all(all.map(async (provider) => (await statuses(provider)).at(-1)))
    await settle(all, plus(AT, 2))
    expect(await now()).toEqual(['active', 'active', 'pending', 'pending'])
    await withdraw('priced')
    await settle(all, plus(AT, 3))
    expect(await now()).toEqual(['retired', 'active', 'pending', 'pending'])
    await endSource('terms')
    await settle(['priced'], plus(AT, 4))
    expect(await now()).toEqual(['retired', 'active', 'pending', 'pending'])
    await settle(all, plus(AT, 5))
    expect(await now()).toEqual(['retired', 'retired', 'pending', 'pending'])
    await endSource('a')
    await settle(all, plus(AT, 6))
    expect(await now()).toEqual(['retired', 'retired', 'retired', 'retired'])
    // What is over is not recorded again.
    await settle(all, plus(AT, 7))
    expect(await statuses('named')).toEqual(['pending', 'retired'])
    await serve('priced', { currency: 'EUR' })
    await serve('named')
    await settle(all, plus(AT, 8))
    // The first activation is an event, which is left to others.
    expect(await now()).toEqual(['active', 'retired', 'retired', 'retired'])
    await settle(['priced'], plus(AT, 8))
    expect(await statuses('priced')).toEqual(['pending', 'active', 'retired', 'active'])
  })

  it('is to be settled where it is retired and something of it is there again', async () => {
    await addSources('a', 'b', 'terms', 'candidate', 'ended')
    await see('a', ['never-active', 'active', 'once-active'])
    await see('terms', ['with-text'])
    await see('candidate', ['with-candidate'])
    await see('ended', ['of-ended'])
    await document('terms', 'with-text', AT)
    await document('candidate', 'with-candidate', null)
    for (const provider of ['active', 'once-active', 'with-text', 'with-candidate'])
      await db.sql`insert into provider_status values (${provider}, ${plus(AT, 1)}, 'active')`
    for (const provider of ['never-active', 'once-active', 'with-text', 'with-candidate', 'of-ended'])
      await db.sql`insert into provider_status values (${provider}, ${plus(AT, 2)}, 'retired')`
    await db.sql`insert into provider_status values ('active', ${plus(AT, 3)}, 'active')`
    await endSource('ended')
    expect((await unsettledProviders(db.sql)).sort()).toEqual(['never-active', 'with-text'])
  })
})

describe('the providers of a source', () => {
  it('are forgotten when it names them no longer, unless it has prices of them, served or held', async () => {
    await addSources('a', 'b')
    await see('a', ['kept', 'served', 'held', 'gone', 'elsewhere', 'had'])
    await see('b', ['elsewhere', 'only-b'])
    await line('a', 'served')
    await line('a', 'held', 'm', { held: true })
    await line('b', 'gone')
    const had = await line('a', 'had')
    await db.sql`update price_line set current_hash = null where line_id = ${had}`
    const differ = (named: string[], source = 'a') => namesDiffer(db.sql, source, named)
    expect(await differ(['kept', 'served', 'held', 'gone', 'elsewhere', 'had'])).toBe(false)
    expect(await differ(['kept', 'served', 'held', 'gone', 'elsewhere', 'had', 'only-b'])).toBe(true)
    expect(await differ(['kept'])).toBe(true)
    await within((tx) => forgetProviders(tx, 'a', ['kept'], plus(AT, 1)))
    expect(await differ(['kept'])).toBe(false)
    const named = await db.sql<{ source: string; provider: string }[]>`
      select source, provider from source_provider order by source, provider`
    expect(named.map(({ source, provider }) => `${source} ${provider}`)).toEqual([
      ...['a held', 'a kept', 'a served'],
      ...['b elsewhere', 'b only-b'],
    ])
    expect([await statuses('gone'), await statuses('elsewhere'), await statuses('kept')]).toEqual([
      ['pending', 'retired'],
      ['pending'],
      ['pending'],
    ])
  })

  it('are new to it or known, whatever other sources name', async () => {
    await addSources('a', 'b')
    await see('a', ['acme'])
    const declared = [
      { source: 'a', provider: 'acme' },
      { source: 'a', provider: 'best' },
      { source: 'b', provider: 'acme' },
    ]
    expect(await unnamedProviders(db.sql, declared)).toEqual(declared.slice(1))
    expect(await knownProviders(db.sql, ['acme', 'best'])).toEqual(new Set(['acme']))
  })

  it('are renamed where they are known under another name, and nothing is published otherwise', async () => {
    await addSources('a')
    await see('a', ['acme', 'best'])
    const clock = () => db.sql`select last_stamp from publication_clock`
    const before = await clock()
    await nameProviders(db.sql, [
      { provider: 'acme', name: 'ACME' },
      { provider: 'unknown', name: 'Unknown' },
    ])
    expect(await clock()).toEqual(before)
    await nameProviders(db.sql, [{ provider: 'acme', name: 'Acme, Inc.' }])
    expect((await listProviders(db.sql)).map(({ name }) => name)).toEqual(['Acme, Inc.', 'BEST'])
    expect(await clock()).not.toEqual(before)
  })
})

describe('how a provider prices', () => {
  it('is in credits while a price in credits, or of a credit, is served, and is recorded where it changes', async () => {
    await addSources('a')
    await see('a', ['acme', 'best', 'sold'])
    const note = (at: number) => within((tx) => recordPricing(tx, ['acme', 'best', 'sold'], plus(AT, at)))
    const noted = async (provider: string) => {
      const rows = await db.sql<{ credits: boolean; usd: boolean }[]>`
        select in_credits as credits, in_usd as usd from provider_pricing where provider = ${provider} order by at`
      return rows.map(({ credits, usd }) => [credits, usd])
    }
    await serve('acme', { currency: 'ACME_AI_CREDIT' })
    await serve('best')
    await serve('sold', { dimension: 'credits', currency: 'EUR' })
    await note(1)
    await note(2)
    expect([await noted('acme'), await noted('best'), await noted('sold')]).toEqual([
      [[true, false]],
      [[false, true]],
      [[true, false]],
    ])
    expect(await creditPriced(db.sql, ['acme', 'best'])).toEqual(new Set(['acme']))
    expect(await creditPriced(db.sql, ['acme', 'best', 'sold', 'unknown'])).toEqual(new Set(['acme', 'sold']))
    await serve('acme')
    await note(3)
    await withdraw('acme', 'ACME_AI_CREDIT')
    await note(4)
    expect(await noted('acme')).toEqual([
      [true, false],
      [true, true],
      [false, true],
    ])
    expect(await creditPriced(db.sql, ['acme'])).toEqual(new Set())
    await withdraw('acme')
    await note(4)
    expect((await noted('acme')).at(-1)).toEqual([false, false])
    // One that never sold anything is not recorded.
    await see('a', ['none'])
    await within((tx) => recordPricing(tx, ['none'], plus(AT, 9)))
    expect(await noted('none')).toEqual([])
  })
})

describe('the freshness of a provider', () => {
  const now = instantOf(Date.now())
  const readAt = (source: string, at: Instant | null) => db.sql`
    update source set last_good_at = ${at}, last_checked_at = ${at} where source = ${source}`
  const freshness = async () => {
    const [listed] = await listProviders(db.sql)
    return listed!.freshness
  }

  it('is that of the sources that are served for it', async () => {
    await addSources('served', 'unserved')
    await see('served', ['acme'])
    await see('unserved', ['acme'])
    await line('served', 'acme')
    expect(await freshness()).toBe('unknown')
    await readAt('unserved', now)
    expect(await freshness()).toBe('unknown')
    await readAt('served', plus(now, -DAY))
    expect(await freshness()).toBe('stale')
    await readAt('served', now)
    await readAt('unserved', plus(now, -DAY))
    expect(await freshness()).toBe('fresh')
    const [listed] = await listProviders(db.sql)
    expect(listed).toMatchObject({ lastCheckedAt: now, confirmedAt: now })
    await db.sql`update source set declared = false where source = 'served'`
    expect(await freshness()).toBe('stale')
    await endSource('served')
    expect(await freshness()).toBe('stale')
    await readAt('unserved', now)
    expect(await freshness()).toBe('fresh')
  })

  it('of several served sources is that of the one read longest ago', async () => {
    await addSources('a', 'b')
    for (const source of ['a', 'b']) {
      await see(source, ['acme'])
      await line(source, 'acme')
    }
    await readAt('a', now)
    expect(await freshness()).toBe('stale')
    expect((await listProviders(db.sql))[0]).toMatchObject({ lastCheckedAt: now, confirmedAt: null })
    await readAt('b', plus(now, -MINUTE))
    expect(await freshness()).toBe('fresh')
    expect((await listProviders(db.sql))[0]).toMatchObject({ lastCheckedAt: now, confirmedAt: plus(now, -MINUTE) })
  })

  it('where nothing is served is that of any source that names it, and documents say nothing about it', async () => {
    await addSources('a', 'b', 'terms')
    await db.sql`update source set kind = 'terms' where source = 'terms'`
    for (const source of ['a', 'b', 'terms']) await see(source, ['acme'])
    await readAt('terms', now)
    expect(await freshness()).toBe('unknown')
    await readAt('a', plus(now, -DAY))
    expect(await freshness()).toBe('stale')
    await readAt('b', now)
    expect(await freshness()).toBe('fresh')
    expect((await listProviders(db.sql))[0]).toMatchObject({ lastCheckedAt: now, confirmedAt: null })
    await db.sql`delete from source_provider where source <> 'terms'`
    expect(await freshness()).toBe('unknown')
  })

  it('is stale where its source no longer says more than half of what is served, or is contradicted about it', async () => {
    await addSources('a', 'b')
    await see('a', ['acme'])
    await readAt('a', now)
    const lines: string[] = []
    for (const resource of ['m', 'n', 'o', 'p']) lines.push(await line('a', 'acme', resource))
    await see('b', ['other'])
    const others = await line('b', 'other')
    const unsaid = (id: string) => db.sql`insert into unsaid_line (line_id) values (${id})`
    await unsaid(others)
    await unsaid(lines[0]!)
    await db.sql`
      insert into contradicted_line (line_id, price, other_price, sources, since)
      select l, 1, 2, '{b}', ${AT} from unnest(${lines.slice(0, 2)}::bigint[]) as l`
    expect(await freshness()).toBe('fresh')
    await unsaid(lines[2]!)
    expect(await freshness()).toBe('stale')
    // Only what is served counts.
    await db.sql`update price_line set removed_at = ${AT} where line_id = ${lines[2]!}`
    expect(await freshness()).toBe('stale')
    await db.sql`update price_line set current_hash = null where line_id = ${lines[1]!}`
    expect(await freshness()).toBe('fresh')
  })
})

describe('the overview of providers', () => {
  it('has every provider by slug, retired ones too, with its sources and what it lists', async () => {
    await addSources('a', 'b', 'ended')
    await see('b', ['zeta', 'acme'])
    await see('a', ['acme'])
    await see('ended', ['acme', 'old'])
    for (const [source, resource] of [
      ['a', 'm'],
      ['b', 'm'],
      ['b', 'n'],
      ['b', 'gone'],
    ])
      await db.sql`
        insert into resource (source, provider, resource, first_priced_at)
        values (${source!}, 'acme', ${resource!}, ${AT})`
    await db.sql`update resource set removed_at = ${AT} where resource = 'gone'`
    await endSource('ended')
    await settle(['old'], plus(AT, HOUR))
    await db.sql`update source set last_checked_at = ${AT}, last_good_at = ${AT} where source = 'a'`
    expect(await providerOverview(db.sql)).toEqual([
      {
        ...{ provider: 'acme', name: 'ACME', status: 'pending', since: AT, freshness: 'stale' },
        ...{ lastCheckedAt: AT, sources: ['a', 'b'], resources: 2 },
      },
      {
        ...{ provider: 'old', name: 'OLD', status: 'retired', since: plus(AT, HOUR), freshness: 'unknown' },
        ...{ lastCheckedAt: null, sources: [], resources: 0 },
      },
      {
        ...{ provider: 'zeta', name: 'ZETA', status: 'pending', since: AT, freshness: 'unknown' },
        ...{ lastCheckedAt: null, sources: ['b'], resources: 0 },
      },
    ])
    expect((await listProviders(db.sql)).map(({ provider }) => provider)).toEqual(['acme', 'zeta'])
  })
})
