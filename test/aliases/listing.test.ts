import { beforeAll, describe, expect, it } from 'vitest'
import { createFirstGroups } from '../../src/aliases/create-first-groups.ts'
import { listAliases, listGroups } from '../../src/aliases/list-groups.ts'
import { modelsOfResources } from '../../src/aliases/model-name-store.ts'
import { listedResources } from '../../src/aliases/proposal-store.ts'
import { saveGroup } from '../../src/aliases/save-group.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { testDatabase } from '../support/database.ts'
import { addProviders } from '../support/webhooks/subscriptions.ts'

const DAY = 24 * 3_600_000
const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString()

type ResourceRow = { source?: string; provider?: string; resource: string; canonical?: string; removed?: boolean }

async function addResources(sql: Sql, resources: ResourceRow[]): Promise<void> {
  await sql`insert into resource ${sql(
    resources.map(({ source = 'list', provider = 'acme', resource, canonical = null, removed = false }) => ({
      ...{ source, provider, resource, canonical_resource: canonical },
      ...{ first_priced_at: ago(90), removed_at: removed ? ago(1) : null },
    })),
  )}`
}

describe('the listing of alias groups', () => {
  const db = testDatabase()
  const member = (text: string) => {
    const [provider, resource] = text.split(' ')
    return { provider: provider!, resource: resource! }
  }
  const save = (name: string, ...members: string[]) =>
    saveGroup(db.sql, { name, members: members.map(member), actor: 'ada' })
  const texts = (members: { provider: string; resource: string }[]) =>
    members.map(({ provider, resource }) => `${provider} ${resource}`)

  beforeAll(async () => {
    await addProviders(db.sql, ['acme', 'resale', 'gone', 'back'])
    await db.sql`
      insert into provider_status (provider, at, status)
      values ('gone', ${ago(9)}, 'active'), ('gone', ${ago(3)}, 'retired'),
             ('back', ${ago(9)}, 'retired'), ('back', ${ago(3)}, 'active')`
    await db.sql`
      insert into source (source, kind, format, interval_seconds, last_good_at, ended_at)
      values ('list', 'prices', 'curated', 3600, ${ago(2)}, null), ('ended', 'prices', 'curated', 3600, ${ago(2)}, ${ago(1)})`
    await addResources(db.sql, [
      { resource: 'z', canonical: 'maker/z' },
      { resource: 'kept', canonical: 'maker/b' },
      { resource: 'own' },
      { resource: 'removed', removed: true, canonical: 'maker/removed' },
      { resource: 'alone', removed: true, canonical: 'maker/alone/v2' },
      { source: 'ended', resource: 'ended' },
      { source: 'ended', resource: 'kept', canonical: 'maker/a' },
      { provider: 'resale', resource: 'ended' },
      { provider: 'resale', resource: 'a' },
      { provider: 'gone', resource: 'm' },
      { provider: 'back', resource: 'm' },
    ])
    const line = { source: 'list', provider: 'acme', resource: 'z', dimension: 'd', unit: 'u', currency: 'USD' }
    const lines = [
      { seen: true },
      { resource: 'kept', removed_at: ago(8), missing_since: ago(6) },
      { resource: 'Z', removed_at: ago(6), missing_since: ago(9) },
      { resource: 'own', missing_since: ago(8) },
      { resource: 'own', seen: false, dimension: 'other' },
      { provider: 'resale', resource: 'a', missing_since: ago(6) },
      { provider: 'resale', resource: 'a', dimension: 'other', missing_since: ago(9) },
      { provider: 'back', resource: 'm', source: 'ended' },
    ]
    for (const [n, { seen = true, ...given }] of lines.entries())
      await db.sql`insert into price_line ${db.sql({ ...line, pricing_tier: '{}', ...given, current_hash: seen ? `h${n}` : null })}`
    const { id } = await save('zebra', 'resale b', 'acme z', 'acme left')
    await saveGroup(db.sql, { id, name: 'zebra', members: ['resale b', 'acme z'].map(member), actor: 'ada' })
    await save('zebra plus', 'acme z', 'acme removed')
    await save('Mixed', 'resale ended', 'acme ended', 'acme kept', 'acme unknown', 'resale a', 'acme own', 'back m')
    await save('All gone', 'acme ended', 'gone m')
    await saveGroup(db.sql, {
      id: 'Mixed',
      name: 'mixed',
      members: [
        'acme Z',
        'resale ended',
        'acme ended',
        'acme kept',
        'acme unknown',
        'resale a',
        'acme own',
        'back m',
      ].map(member),
      actor: 'ada',
    })
  })

  it('has each group by name, with the members that some source or no source names, by provider and name', async () => {
    const { groups } = await listAliases(db.sql)
    expect(
      groups.map(({ resource, revision, retired, members }) => [resource, revision, retired, texts(members)]),
    ).toEqual([
      ['All gone', 1, true, []],
      ['mixed', 2, false, ['acme Z', 'acme kept', 'acme own', 'acme unknown', 'back m', 'resale a', 'resale ended']],
      ['zebra', 2, false, ['acme z', 'resale b']],
      ['zebra plus', 1, false, ['acme removed', 'acme z']],
    ])
  })

  it('says which members have had no price for a week, and when they last had one', async () => {
    const { unpriced } = await listAliases(db.sql)
    const days = (at: string | null) => at && Math.round((Date.now() - Date.parse(at)) / DAY)
    expect(unpriced.map(({ group, lastPricedAt, ...one }) => [group, ...texts([one]), days(lastPricedAt)])).toEqual([
      ['mixed', 'acme Z', 9],
      ['mixed', 'acme kept', 8],
      ['mixed', 'acme own', 8],
      ['mixed', 'acme unknown', null],
      ['mixed', 'resale ended', null],
      ['zebra', 'resale b', null],
      ['zebra plus', 'acme removed', null],
    ])
  })

  it('says what each listed resource is compared as: its first group, else its canonical id, else itself', async () => {
    const { resources } = await listAliases(db.sql)
    expect(resources.map((one) => [...texts([one]), one.canonicalResource, one.comparisonResource])).toEqual([
      ['acme ended', null, 'All gone'],
      ['acme kept', 'maker/a', 'mixed'],
      ['acme own', null, 'mixed'],
      ['acme z', 'maker/z', 'zebra'],
      ['back m', null, 'mixed'],
      ['gone m', null, 'All gone'],
      ['resale a', null, 'mixed'],
      ['resale ended', null, 'mixed'],
    ])
  })

  it('names models by their group, else by their canonical id', async () => {
    const models = await modelsOfResources(db.sql)
    const found = Object.fromEntries(models.map(({ name, canonical, ...one }) => [texts([one])[0], [name, canonical]]))
    expect(found).toMatchObject({
      'acme z': ['zebra', 'maker/z'],
      'acme kept': ['mixed', 'maker/a'],
      'acme removed': ['zebra plus', 'maker/removed'],
      'gone m': ['All gone', undefined],
    })
    expect(found).not.toHaveProperty('acme left')
    expect(models.filter(({ group }) => group === undefined)).toEqual([
      { provider: 'acme', resource: 'alone', name: 'alone/v2', canonical: 'maker/alone/v2' },
    ])
  })

  it('proposes groups of what is listed now and not of retired providers, with every canonical id', async () => {
    const listed = await listedResources(db.sql)
    expect(listed.map(({ canonicalResources, ...one }) => [...texts([one]), ...canonicalResources.sort()])).toEqual([
      ['acme ended'],
      ['acme kept', 'maker/a', 'maker/b'],
      ['acme own'],
      ['acme z', 'maker/z'],
      ['back m'],
      ['resale a'],
      ['resale ended'],
    ])
  })
})

describe('the first groups', () => {
  const db = testDatabase({ each: true })
  it('are made of the first names, in one publication without events, and only where there are none', async () => {
    await addProviders(db.sql, ['acme', 'resale'])
    await db.sql`insert into source (source, kind, format, interval_seconds) values ('list', 'prices', 'curated', 3600)`
    const models = { 'claude-sonnet-4': 'anthropic/claude-sonnet-4', 'gpt-5-mini': 'openai/gpt-5-mini' }
    for (const [resource, canonical] of Object.entries(models))
      await addResources(db.sql, [
        { resource, canonical },
        { provider: 'resale', resource, canonical },
      ])
    expect(await createFirstGroups(db.sql)).toBe(2)
    const groups = await listGroups(db.sql)
    expect(groups.map(({ name, revision, members }) => [name, revision, members.length])).toEqual([
      ['claude-sonnet-4', 1, 2],
      ['gpt-5-mini', 1, 2],
    ])
    expect(new Set(groups.map(({ updatedAt }) => updatedAt)).size).toBe(1)
    expect(await db.sql`select from event`).toHaveLength(0)
    const revisions = await db.sql`select actor, revision from alias_revision`
    expect([...revisions]).toEqual([
      { actor: 'first start', revision: 1 },
      { actor: 'first start', revision: 1 },
    ])
    expect((await listAliases(db.sql)).version).toBeGreaterThanOrEqual(2)
    await addResources(db.sql, [
      { resource: 'o3', canonical: 'openai/o3' },
      { provider: 'resale', resource: 'o3', canonical: 'openai/o3' },
    ])
    expect(await createFirstGroups(db.sql)).toBe(0)
    expect(await listGroups(db.sql)).toEqual(groups)
  })
})
