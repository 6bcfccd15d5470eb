import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { saveGroup } from '../../src/aliases/save-group.ts'
import type { aliasesAnswer, catalogAnswer, historyAnswer } from '../../src/api/schema.ts'
import { databaseNow } from '../../src/catalog/clock/clock-store.ts'
import { closeAsOf } from '../../src/catalog/clock/close-as-of.ts'
import { listProviders } from '../../src/catalog/providers/list-providers.ts'
import { collectDueSources } from '../../src/collecting/collect-due-sources.ts'
import { endNamedSource } from '../../src/collecting/end-sources.ts'
import { DAY, HOUR, type Instant, instantOf, MINUTE, plus } from '../../src/lib/instant.ts'
import { listReviews } from '../../src/prices/review/list-reviews.ts'
import { testApi } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { collectingSystem } from './support.ts'

const db = testDatabase({ each: true })
const api = testApi(db)
const system = collectingSystem(db, (_, response) => void response.writeHead(404).end())

const price = (resource: string, amount: string, provider = 'acme') => ({
  ...{ provider, resource, dimension: 'input_tokens', price: amount, per: 1_000_000 },
})
const write = (source: string, prices: object[]) =>
  writeFileSync(join(system.folder, `${source}.json`), JSON.stringify({ providers: [], prices }))
const source = (name: string, more: object = {}) => ({ source: name, format: 'curated', url: `${name}.json`, ...more })

let now: Instant
const check = (sources: object[], at = now) =>
  collectDueSources(system.declare(sources), at, { budgetMs: 60_000, startCollecting: async () => {} })
const later = (ms: number) => plus(now, ms)
/** What is served at an instant, also one that is not 15 minutes old. */
async function served(at?: Instant) {
  const asOf = at ?? (await databaseNow(db.sql))
  await closeAsOf(db.sql, asOf)
  const rows = await db.sql<{ resource: string; source: string }[]>`
    select resource, source from publication
    where published_at <= ${asOf} and (unpublished_at is null or unpublished_at > ${asOf}) order by source, resource`
  return rows.map((row) => `${row.source} ${row.resource}`)
}
const catalogued = async (provider = 'acme') => {
  const { json } = await api.get(`/v1/catalog?provider=${provider}`)
  return (json as z.infer<typeof catalogAnswer>).resources.map(({ resource }) => resource)
}
const aliases = async () => (await api.get('/v1/comparison/aliases')).json as z.infer<typeof aliasesAnswer>
const events = async (type: string) => {
  const rows = await db.sql<{ body: string }[]>`select body from event where type = ${type} order by seq`
  return rows.map(({ body }) => JSON.parse(body))
}
const statuses = async () =>
  Object.fromEntries((await listProviders(db.sql)).map(({ provider, status }) => [provider, status]))

describe('a source that is no longer declared', () => {
  beforeEach(async () => {
    now = instantOf(Date.now())
    write('main', [price('m1', '3'), price('m2', '4'), price('g1', '5', 'globex')])
    write('second', [price('m2', '4')])
    await check([source('main')])
    await check([source('main'), source('second')])
  })

  /** The list without `main`; an hour later the other source is read, and takes over what it lists too. */
  async function undeclare(more: object[] = []) {
    await check([source('second'), ...more])
    await check([source('second'), ...more], later(2 * HOUR))
  }

  it('is served for 7 days, in prices, catalog and aliases alike, in case the file was mistyped', async () => {
    await undeclare()
    await check([source('second')], later(7 * DAY - MINUTE))
    expect(await served()).toEqual(['main g1', 'main m1', 'second m2'])
    expect(await catalogued()).toEqual(['m1', 'm2'])
    expect((await aliases()).resources.map(({ resource }) => resource)).toEqual(['m1', 'm2', 'g1'])
    expect(await events('resource.removed')).toEqual([])
    await check([source('main'), source('second')], later(7 * DAY))
    await check([source('second')], later(8 * DAY))
    expect(await served()).toHaveLength(3)
  })

  it('ends after 7 days: its price lines were removed, `resource.removed`, and prices, catalog and aliases agree', async () => {
    const before = await databaseNow(db.sql)
    const answered = await served(before)
    await undeclare()
    await check([source('second')], later(7 * DAY + MINUTE))
    expect(await served()).toEqual(['second m2'])
    expect(await served(before)).toEqual(answered)
    expect(await catalogued()).toEqual(['m2'])
    expect((await aliases()).resources.map(({ resource }) => resource)).toEqual(['m2'])
    expect(await statuses()).toEqual({ acme: 'active' })
    const removed = await events('resource.removed')
    expect(removed.map(({ provider, resource }) => `${provider} ${resource}`).sort()).toEqual(['acme m1', 'globex g1'])
    expect(removed[0]).toMatchObject({ source: 'main', reason: 'source_ended', lines: [{ dimension: 'input_tokens' }] })
    const stamps = await db.sql`select distinct unpublished_at from publication where resource in ('m1', 'g1')`
    expect(stamps).toHaveLength(1)
  })

  it('with `enabled` false ends in the same way', async () => {
    const off = [source('main', { enabled: false }), source('second')]
    await undeclare([off[0]!])
    await check(off, later(7 * DAY + MINUTE))
    expect(await served()).toEqual(['second m2'])
  })

  it('declared again, its prices are back as they were: nothing is priced for the first time', async () => {
    await undeclare()
    await check([source('second')], later(7 * DAY + MINUTE))
    const before = [await events('resource.added'), await events('provider.added')].map(({ length }) => length)
    await check([source('main'), source('second')], later(8 * DAY))
    expect(await served()).toEqual(['main g1', 'main m1', 'main m2'])
    expect(await catalogued()).toEqual(['m1', 'm2'])
    expect(await statuses()).toEqual({ acme: 'active', globex: 'active' })
    expect([await events('resource.added'), await events('provider.added')].map(({ length }) => length)).toEqual(before)
    const restored = await events('price.corrected')
    expect(restored.map(({ action, resource }) => `${action} ${resource}`).sort()).toEqual([
      'restored g1',
      'restored m1',
    ])
    await check([source('second')], later(8 * DAY + MINUTE))
    expect(await served()).toHaveLength(3)
  })

  it('retired: `true` only when no member is listed any more; members of an ended source are not', async () => {
    const member = (provider: string, resource: string) => ({ provider, resource })
    await saveGroup(db.sql, { name: 'One', members: [member('acme', 'm1')], actor: 'test' })
    await saveGroup(db.sql, { name: 'Both', members: [member('acme', 'm1'), member('acme', 'm2')], actor: 'test' })
    await undeclare()
    await check([source('second')], later(7 * DAY + MINUTE))
    const { groups, unpriced } = await aliases()
    expect(groups.map(({ resource, retired, members }) => [resource, retired, members])).toEqual([
      ['Both', false, [member('acme', 'm2')]],
      ['One', true, []],
    ])
    expect(unpriced).toEqual([])
  })

  it('leaves nothing for a person to decide: a price of it that was held cannot be approved any more', async () => {
    write('main', [price('m1', '3000'), price('m2', '4'), price('g1', '5', 'globex')])
    await check([source('main'), source('second')], later(DAY))
    expect(await listReviews(db.sql, {}, 10)).toHaveLength(1)
    await check([source('second')], later(DAY))
    await check([source('second')], later(9 * DAY))
    expect(await listReviews(db.sql, {}, 10)).toEqual([])
    const held = await db.sql`select from price_line where source = 'main' and held_hash is not null`
    expect(held).toHaveLength(0)
  })

  it('an operator ends it at once, and never one that is declared', async () => {
    await expect(endNamedSource(db.sql, 'main', now)).rejects.toThrow(/is declared/)
    await expect(endNamedSource(db.sql, 'none', now)).rejects.toThrow(/no source none/)
    await check([source('second')])
    await expect(endNamedSource(db.sql, 'main', now)).rejects.toThrow(/take over 1 resources of main/)
    await check([source('second')], later(2 * HOUR))
    expect(await endNamedSource(db.sql, 'main', now)).toBe(2)
    expect(await served()).toEqual(['second m2'])
    await expect(endNamedSource(db.sql, 'main', now)).rejects.toThrow(/ended at/)
  })

  it('a larger source ends in several publications, and a check that died goes on where it stopped', async () => {
    await db.sql`
      insert into resource (source, provider, resource, first_priced_at)
      select 'main', 'acme', 'n' || n, clock_timestamp() from generate_series(1, 5000) as n`
    await undeclare()
    expect(await endNamedSource(db.sql, 'main', now)).toBe(5_002)
    expect(await served()).toEqual(['second m2'])
    expect(await events('resource.removed')).toHaveLength(2)
  })

  it('a document is in the catalog until its source ends; its texts stay', async () => {
    const options = { provider: 'acme', document: 'terms-of-use', title: 'Terms of use' }
    const terms = { source: 'terms', format: 'document', url: `${system.base}/terms`, options }
    const docs = async () => ((await api.get('/v1/catalog?provider=acme')).json as z.infer<typeof catalogAnswer>).docs
    await check([source('main'), terms])
    await check([source('main')])
    expect(await docs()).toHaveLength(1)
    await check([source('main')], later(7 * DAY + MINUTE))
    expect(await docs()).toEqual([])
    await check([source('main'), terms], later(8 * DAY))
    expect(await docs()).toHaveLength(1)
  })

  it('a walk that was begun before goes on, and the same asOf returns the same rows', async () => {
    const asOf = plus(await databaseNow(db.sql), -16 * MINUTE)
    await db.sql`update publication set published_at = published_at - interval '1 h'`
    await db.sql`update provider_status set at = at - interval '1 h'`
    await db.sql`update provider_pricing set at = at - interval '1 h'`
    const read = async (query: string) =>
      (await api.get(`/v1/prices/history?${query}`)).json as z.infer<typeof historyAnswer>
    const whole = await read(`asOf=${asOf}`)
    const first = await read(`asOf=${asOf}&limit=1`)
    await undeclare()
    await endNamedSource(db.sql, 'main', now)
    expect(whole.prices).toHaveLength(3)
    expect(await read(`asOf=${asOf}`)).toEqual(whole)
    expect((await read(`cursor=${first.nextCursor}`)).prices).toEqual(whole.prices.slice(1))
  })
})
