import { describe, expect, it } from 'vitest'
import { type SourceDeclaration, sourceDeclaration } from '../../../src/catalog/schema.ts'
import { isNeeded } from '../../../src/prices/authority/authority-store.ts'
import type { Observation } from '../../../src/prices/schema.ts'
import { testDatabase } from '../../support/database.ts'
import { EMPTY } from '../../support/empty.ts'
import { day, model, models, observed } from '../observed.ts'
import { declareLists, eventsOf, snapshot } from '../support.ts'

const LIST = sourceDeclaration.parse({ source: 'list', format: 'hand' })
const OWN = sourceDeclaration.parse({
  ...{ source: 'own', format: 'own', rank: 'provider', speaksFor: ['acme'] },
  complete: true,
})

describe('a complete list of a provider', () => {
  const db = testDatabase({ each: true })
  const declare = (...sources: SourceDeclaration[]) => declareLists(db.sql, sources)
  const list = (lines: Observation[], n: number) => snapshot(db.sql, 'list', lines, { source: LIST, at: day(n) })
  const own = (lines: Observation[], n: number) => snapshot(db.sql, 'own', lines, { source: OWN, at: day(n) })
  const served = async () => {
    const rows = await db.sql<{ line: string }[]>`
      select distinct concat_ws(' ', l.source, l.provider, l.resource) as line
      from price_line l join publication p on p.content_hash = l.current_hash and p.unpublished_at is null
      where l.resource not like 'filler%' order by 1`
    return rows.map(({ line }) => line)
  }
  const embedding = observed('embed', 'input_tokens', '0.0000001')
  const image = observed('draw', 'output_images', '0.04', { unit: 'usd_per_image' })

  it('ends without an event what other lists have and it lacks, when it is first read', async () => {
    await declare(OWN, LIST)
    await list(
      [...model('sold', 0.000001), ...model('unsold', 0.000002), ...model('sold', 0.000003, { provider: 'beta' })],
      1,
    )
    const report = await own([...model('sold', 0.000001), ...model('new', 0.000005)], 2)
    expect(report.events).toEqual({ 'resource.added': 1 })
    expect(await served()).toEqual(['list beta sold', 'own acme new', 'own acme sold'])
    expect(await eventsOf(db.sql, 'resource.removed')).toEqual([])
  })

  it('keeps from being served what other lists have from then on', async () => {
    await declare(OWN, LIST)
    await own(model('sold', 0.000001), 1)
    for (let n = 2; n < 25; n += 4) {
      const report = await list(
        [...model('sold', 0.000001), ...model('unsold', 0.000002), ...models(3, { provider: 'beta' })],
        n,
      )
      expect(report.events['resource.added'] ?? 0).toBe(n === 2 ? 3 : 0)
      expect(report.events['resource.removed'] ?? 0).toBe(0)
      await own(model('sold', 0.000001), n + 1)
      expect(await isNeeded(db.sql, 'list', day(n + 2))).toBe(false)
    }
    expect(await served()).toEqual(['own acme sold'])
  })

  it('leaves what its kinds of prices do not say anything about: embeddings beside chat models, and images', async () => {
    await declare(OWN, LIST)
    await list([...model('sold', 0.000001), embedding, image], 1)
    await own(model('sold', 0.000001), 2)
    await list([...model('sold', 0.000001), embedding, image], 3)
    expect(await served()).toEqual(['list acme draw', 'list acme embed', 'own acme sold'])
    // It lists embeddings itself now.
    await own([...model('sold', 0.000001), observed('embed-2', 'input_tokens', '0.0000002')], 4)
    await list([...model('sold', 0.000001), embedding, image], 5)
    expect(await served()).toEqual(['list acme draw', 'own acme embed-2', 'own acme sold'])
  })

  it('ends without an event all that a list which is not declared any more had there, of whatever kinds', async () => {
    const machine = observed('1x_A100', 'instance_hours', '1.39', { unit: 'usd_per_instance_hour', pricingTier: { region: 'CA' } })
    const gpu = observed('NVIDIA A100', 'gpu_hours', '1.39', { unit: 'usd_per_gpu_hour', pricingTier: { offer: 'secure' } })
    await declare(OWN, LIST)
    await list([machine], 1)
    await own([gpu], 2)
    expect(await served()).toEqual(['list acme 1x_A100', 'own acme NVIDIA A100'])
    await declare(OWN)
    const report = await own([gpu], 3)
    expect([report.events, await served()]).toEqual([EMPTY, ['own acme NVIDIA A100']])
    expect(await eventsOf(db.sql, 'resource.removed')).toEqual([])
  }) // biome-ignore format: samples

  it('announces what it drops, and hands nothing back to a list that still has it', async () => {
    await declare(OWN, LIST)
    const both = [...models(12), ...model('dropped', 0.000001)]
    await list(both, 1)
    await own(both, 2)
    for (const n of [3, 4, 5, 6.1]) {
      await own(models(12), n)
      await list(both, n + 0.5)
    }
    expect(await eventsOf(db.sql, 'resource.removed')).toMatchObject([{ source: 'own', resource: 'dropped' }])
    expect(await served()).toEqual([])
  })

  it('keeps serving what it lost with many others for two weeks', async () => {
    await declare(OWN, LIST)
    const all = models(12)
    await own(all, 1)
    for (const n of [2, 3, 4, 5.1]) await own(all.slice(0, 16), n)
    expect(await eventsOf(db.sql, 'resource.removed')).toEqual([])
  })

  it('gives way to the lists while it is stale, and takes over again without an event about what it lacks', async () => {
    await declare(OWN, LIST)
    const listed = [...model('sold', 0.000001), ...model('unsold', 0.000002)]
    await list(listed, 1)
    await own(model('sold', 0.000001), 2)
    await list(listed, 10)
    expect(await served()).toEqual(['list acme sold', 'list acme unsold'])
    expect((await own(model('sold', 0.000001), 11)).events).toEqual(EMPTY)
    expect(await served()).toEqual(['own acme sold'])
    expect(await eventsOf(db.sql, 'resource.removed')).toEqual([])
  })

  it('takes over without an event where it was served before it was declared complete', async () => {
    const before = sourceDeclaration.parse({ ...OWN, complete: undefined })
    await declare(before, LIST)
    const listed = [...model('sold', 0.000001), ...model('unsold', 0.000002)]
    await list(listed, 1)
    await snapshot(db.sql, 'own', model('sold', 0.000001), { source: before, at: day(2) })
    await declare(OWN, LIST)
    // The list is read first: its own end must not be announced later.
    for (const n of [3, 4, 5]) await list(listed, n)
    expect(await served()).toEqual(['list acme unsold', 'own acme sold'])
    expect((await own(model('sold', 0.000001), 6)).events).toEqual(EMPTY)
    for (const n of [7, 10, 11, 12]) await list(listed, n)
    expect(await served()).toEqual(['own acme sold'])
    expect(await eventsOf(db.sql, 'resource.removed')).toEqual([])
  })

  it('serves one price a line in every order of reading, and announces nothing that stays', async () => {
    await declare(OWN, LIST)
    const random = randomOf(7)
    const has = (set: Set<number>) => [...set].flatMap((n) => model(`m${n}`, (n + 1) / 1e6))
    const [mine, theirs] = [new Set([0, 1, 2, 3]), new Set([0, 1, 2, 3, 4, 5])]
    for (let step = 0, now = 1; step < 25; step++, now += random() < 0.15 ? 9 : 1) {
      const set = random() < 0.5 ? mine : theirs
      const n = Math.floor(random() * 6)
      if (random() < 0.3) set.has(n) ? set.delete(n) : set.add(n)
      const lines = [...has(set), ...models(14)]
      await (set === mine ? own(lines, now) : list(lines, now))
      const rows = await db.sql<{ line: string; count: number }[]>`
        select concat_ws(' ', l.resource, l.dimension) as line, count(*)::int as count
        from price_line l join publication p on p.content_hash = l.current_hash and p.unpublished_at is null
        where l.removed_at is null group by 1 having count(*) > 1`
      expect(rows).toEqual([])
    }
  })
})

function randomOf(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
