import { describe, expect, it } from 'vitest'
import { joinKey } from '../../../src/lib/collections.ts'
import { DAY } from '../../../src/lib/instant.ts'
import { pricesHash } from '../../../src/prices/plan/renames/rename-rules.ts'
import { planRenames } from '../../../src/prices/plan/renames/renamed-resource-rules.ts'
import type { Facts, GoneResource } from '../../../src/prices/plan/schema.ts'
import { keyWithinResource } from '../../../src/prices/row-rules.ts'
import type { Observation } from '../../../src/prices/schema.ts'
import { observed } from '../observed.ts'
import { ago, facts, input, line } from './plan-facts.ts'

const gone = (resource: string, more: Partial<Observation> = {}, price = '0.000002'): GoneResource => {
  const lines = [input(resource, price, more), observed(resource, 'output_tokens', '0.000008', more)]
  return { provider: lines[0]!.provider, resource, lines: lines.map((one) => line(one)) }
}
/** A listed resource with the prices of one that is gone. */
const like = ({ provider, lines }: GoneResource, resource: string) => ({
  provider,
  resource,
  prices: pricesHash(new Map(lines.map((one) => [keyWithinResource(one), one.current!.price]))),
})
const renames = (missing: GoneResource[], more: Partial<Facts>, refused: string[] = []) =>
  planRenames(facts([], more), missing, new Set(refused))
const possible = (provider: string, from: string, to: string) => ({
  provider,
  kind: 'rename',
  reason: 'possible_rename',
  resources: [from],
  to,
})

describe('a resource that the snapshot no longer lists', () => {
  const falcon = gone('falcon-9')

  it('is renamed, with its lines, where a new name of its provider is the same and has the same prices', () => {
    const seen = [like(falcon, 'Falcon_9'), { ...like(falcon, 'eagle'), provider: 'zoo' }]
    expect(renames([falcon], { seen })).toEqual({
      renamed: [{ provider: 'acme', from: 'falcon-9', to: 'Falcon_9', lines: falcon.lines, wasPriced: false }],
      toReview: [],
    })
    expect(renames([falcon], { seen: [{ ...like(falcon, 'Falcon_9'), provider: 'zoo' }] }).renamed).toEqual([])
    expect(renames([], { seen })).toEqual({ renamed: [], toReview: [] })
  })

  it('is possibly renamed where the prices differ: a person is asked, except about imported history', () => {
    const seen = [like(gone('falcon-9', {}, '0.000003'), 'Falcon_9')]
    expect(renames([falcon], { seen })).toEqual({ renamed: [], toReview: [possible('acme', 'falcon-9', 'Falcon_9')] })
    expect(renames([falcon], { seen, quiet: true })).toEqual({ renamed: [], toReview: [] })
  })

  it('is possibly renamed where all its prices are zero, not where some are', () => {
    const free = gone('falcon-9', {}, '0')
    expect(renames([free], { seen: [like(free, 'Falcon_9')] }).renamed).toHaveLength(1)
    const lines = free.lines.slice(0, 1)
    const wholly = { ...free, lines }
    expect(renames([wholly], { seen: [like(wholly, 'Falcon_9')] })).toEqual({
      renamed: [],
      toReview: [possible('acme', 'falcon-9', 'Falcon_9')],
    })
  })

  it('is renamed to another spelling that is priced by now, whatever it costs, when it stayed away for three days', () => {
    const away = (days: number) => ({
      ...falcon,
      lines: falcon.lines.map((one) => ({ ...one, missingSince: ago(days * DAY), missingCount: 5 })),
    })
    const seen = [{ ...like(gone('falcon-9', {}, '0.000003'), 'Falcon_9'), since: ago(2 * DAY) }]
    expect(renames([away(2)], { seen }).renamed).toEqual([])
    expect(renames([away(3)], { seen }).renamed).toMatchObject([{ from: 'falcon-9', to: 'Falcon_9', wasPriced: true }])
    // A name that is not priced yet, another maker's, and one that two missing names are spelled like.
    const unpriced = seen.map(({ since: _, ...one }) => one)
    expect(renames([away(3)], { seen: unpriced }).renamed).toEqual([])
    const otherMaker = seen.map((one) => ({ ...one, resource: 'eu/Falcon_9' }))
    expect(renames([away(3)], { seen: otherMaker }).renamed).toEqual([])
    const twin = { ...away(3), resource: 'falcon.9' }
    expect(renames([away(3), twin], { seen }).renamed).toEqual([])
  })

  it('is never surely renamed to a name that was listed before', () => {
    const listed = { ...like(falcon, 'Falcon_9'), since: ago(DAY) }
    expect(renames([falcon], { seen: [listed] })).toEqual({
      renamed: [],
      toReview: [possible('acme', 'falcon-9', 'Falcon_9')],
    })
  })

  it('is possibly renamed where a person decided against a price of the new name', () => {
    const seen = [like(falcon, 'Falcon_9')]
    expect(renames([falcon], { seen }, [joinKey('acme', 'Falcon_9')])).toEqual({
      renamed: [],
      toReview: [possible('acme', 'falcon-9', 'Falcon_9')],
    })
    expect(renames([falcon], { seen }, [joinKey('zoo', 'Falcon_9'), joinKey('acme', 'eagle')]).renamed).toHaveLength(1)
  })

  it('may be succeeded by a name that was listed after its first price', () => {
    const [first, second] = gone('falcon-9-20260205').lines
    const [old, young] = [ago(90 * DAY), ago(9 * DAY)]
    const lines = [
      { ...first!, current: { ...first!.current!, recordedAt: young } },
      { ...second!, current: { ...second!.current!, recordedAt: old } },
    ]
    const dated = { provider: 'acme', resource: '9-falcon-20260205', lines }
    const asked = (since: ReturnType<typeof ago>) =>
      renames([dated], { seen: [{ provider: 'acme', resource: 'falcon-9', prices: 'others', since }] }).toReview.length
    expect([asked(ago(89 * DAY)), asked(ago(90 * DAY)), asked(ago(91 * DAY))]).toEqual([1, 0, 0])
  })

  it('is not asked about again when a person said that it is not the same', () => {
    const rejected = new Set([joinKey('acme', 'falcon-9', 'Falcon_9')])
    expect(renames([falcon], { seen: [like(falcon, 'Falcon_9')], rejected })).toEqual({ renamed: [], toReview: [] })
    expect(renames([falcon], { seen: [like(falcon, 'falcon 9')], rejected }).renamed).toHaveLength(1)
  })
})

describe('an open question about a renaming', () => {
  const [falcon, eagle] = [gone('falcon-9'), gone('eagle')]
  const open = (from: string, to = 'new', provider = 'acme') => ({ provider, from, to })

  it('stays open while the old name is missing', () => {
    const openRenames = [open('falcon-9'), open('listed'), open('eagle', 'new', 'zoo')]
    expect(renames([falcon, eagle], { openRenames }).toReview).toEqual([possible('acme', 'falcon-9', 'new')])
  })

  it('ends when the old name is renamed, or when another name is asked about', () => {
    const openRenames = [open('falcon-9'), open('eagle')]
    const renamed = renames([falcon, eagle], { openRenames, seen: [like(falcon, 'Falcon_9')] })
    expect(renamed.renamed).toHaveLength(1)
    expect(renamed.toReview).toEqual([possible('acme', 'eagle', 'new')])
    const repriced = like(gone('falcon-9', {}, '0.000003'), 'Falcon_9')
    expect(renames([falcon], { openRenames, seen: [repriced] }).toReview).toEqual([
      possible('acme', 'falcon-9', 'Falcon_9'),
    ])
  })
})
