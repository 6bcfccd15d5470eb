import { describe, expect, it } from 'vitest'
import { DAY } from '../../../src/lib/instant.ts'
import { pricesHash } from '../../../src/prices/plan/renames/rename-rules.ts'
import type { Facts, Plan } from '../../../src/prices/plan/schema.ts'
import { absentState } from '../../../src/prices/publish/line-state-rules.ts'
import { keyWithinResource } from '../../../src/prices/row-rules.ts'
import type { KnownLine, Observation, UnreadablePrice } from '../../../src/prices/schema.ts'
import { observed } from '../observed.ts'
import { ago, held, input, line, others, plan } from '../plan/plan-facts.ts'

const CONFIRMED = { missingSince: ago(10 * DAY), missingCount: 9 }
const staying = others(20)
const absent = (resource: string, more: Partial<KnownLine> = CONFIRMED, seen: Partial<Observation> = {}) =>
  line(input(resource, '0.000002', seen), more)
const cacheOf = (resource: string, more: Partial<KnownLine> = CONFIRMED) =>
  line(observed(resource, 'cache_read_tokens', '0.000001'), more)
/** The plan of a snapshot of a provider with 20 resources that stay, and lines that are missing. */
const lost = (
  known: KnownLine[],
  more: Partial<Facts> = {},
  seen: Observation[] = [],
  unreadable: UnreadablePrice[] = [],
) => plan([...known, ...staying.map((one) => line(one))], [...staying, ...seen], more, unreadable)
const names = (plan: Plan) => plan.removed.map(({ resource }) => resource)
const items = ({ toReview }: Plan) => toReview.map(({ reason, resources }) => [reason, resources])

describe('a missing resource', () => {
  it('is removed when the absence of all its lines is confirmed', () => {
    expect(names(lost([absent('m1'), cacheOf('m1')]))).toEqual(['m1'])
    expect(names(lost([absent('m1'), cacheOf('m1', { missingSince: ago(DAY), missingCount: 9 })]))).toEqual([])
  })

  it('is listed while something stands in place of its prices that cannot be read', () => {
    const text = { provider: 'acme', resource: 'm1', locator: '/', text: 'N/A' }
    const result = lost([absent('m1'), cacheOf('m1')], {}, [], [text])
    expect([result.removed, result.retired, result.missing]).toEqual([[], [], []])
    expect(items(result)).toEqual([['unreadable_price', ['m1']]])
    expect(lost([absent('m1')], { quiet: true }, [], [text]).toReview).toEqual([])
  })

  it('is not removed beside its renaming, nor while a person is asked about one', () => {
    const old = absent('falcon-9')
    const prices = pricesHash(new Map([[keyWithinResource(old), '0.000002']]))
    const seen = [input('Falcon_9', '0.000002')]
    const renamed = lost([old], { seen: [{ provider: 'acme', resource: 'Falcon_9', prices }] }, seen)
    expect([renamed.renamed.length, names(renamed), renamed.missing]).toEqual([1, [], []])
    const possible = lost([old], { seen: [{ provider: 'acme', resource: 'Falcon_9', prices: 'others' }] }, seen)
    expect([names(possible), items(possible)]).toEqual([[], [['possible_rename', ['falcon-9']]]])
    expect(possible.missing).toEqual([old])
  })

  it('is one of those that a person confirms where many are missing, renamed ones not counted', () => {
    const old = absent('falcon-9')
    const prices = pricesHash(new Map([[keyWithinResource(old), '0.000002']]))
    const seen = { provider: 'acme', resource: 'Falcon_9', prices }
    const listed = (count: number) => ({ resources: new Map([['acme', count]]), withDimension: new Map() })
    const two = [absent('m2'), absent('m1')]
    const asked = (count: number, known: KnownLine[], named = seen) =>
      items(lost(known, { listed: listed(count), seen: [named] }, [input('Falcon_9', '0.000002')]))
    expect(asked(20, [...two, old])).toEqual([['mass_disappearance', ['m1', 'm2']]])
    expect(asked(21, [...two, old])).toEqual([])
    const elsewhere = absent('falcon-9', CONFIRMED, { provider: 'zoo' })
    expect(asked(20, [...two, elsewhere], { ...seen, provider: 'zoo' })).toEqual([])
  })

  it('is asked about once its absence is confirmed', () => {
    const three = ['m1', 'm2', 'm3']
    expect(lost(three.map((name) => absent(name, {}))).toReview).toEqual([])
    const asked = lost(three.map((name) => absent(name)))
    expect([items(asked), asked.retired]).toEqual([[['mass_disappearance', three]], []])
  })

  it('is never removed together with its whole provider, not even in imported history', () => {
    const quiet = { quiet: true, lastIngestedAt: ago(DAY) }
    expect(items(plan([absent('m1')], [], quiet))).toEqual([['whole_provider_missing', ['m1']]])
    expect(
      names(
        lost(
          ['m1', 'm2', 'm3'].map((name) => absent(name)),
          quiet,
        ),
      ),
    ).toEqual(['m1', 'm2', 'm3'])
  })
})

describe('a resource that vanished together with many', () => {
  const at = (days: number) => ({ missingSince: ago(days * DAY), missingCount: 9, missingReason: 'mass_disappearance' })
  const listed = (count: number) => ({ listed: { resources: new Map([['acme', count]]), withDimension: new Map() } })

  it('stays a person’s to remove when its provider gains unrelated resources, which raise what may be removed', () => {
    const fourteen = Array.from({ length: 14 }, (_, n) => `gone-${n}`)
    const known = fourteen.map((name) => absent(name, at(10)))
    expect(items(lost(known, listed(148)))).toEqual([['mass_disappearance', fourteen.toSorted()]])
    expect(names(lost(known, listed(148)))).toEqual([])
  })

  it('is removed once it stayed away for 14 days, unless any source lists it', () => {
    const three = ['m1', 'm2', 'm3']
    const lostFor = (days: number, more: Partial<Facts> = {}) =>
      lost(
        three.map((name) => absent(name, at(days))),
        more,
      )
    expect(names(lostFor(13.9))).toEqual([])
    expect(names(lostFor(14))).toEqual(three)
    const witnessed = lostFor(14, { listedElsewhere: new Set([['acme', 'm2'].join('\u001f')]) })
    expect([names(witnessed), items(witnessed)]).toEqual([['m1', 'm3'], [['mass_disappearance', ['m2']]]])
  })

  it('notes at first why a person is asked, and not again', () => {
    const three = ['m1', 'm2', 'm3'].map((name) => absent(name, {}))
    const { missing, reasonsToAsk } = lost(three)
    const noted = (line: KnownLine) => absentState(line, ago(0), reasonsToAsk).missingReason
    expect(missing.map(noted)).toEqual(Array(3).fill('mass_disappearance'))
    expect(noted({ ...three[0]!, missingSince: ago(DAY), missingCount: 1 })).toBeUndefined()
  })
})

describe('a resource that three providers lost', () => {
  const providers = ['p1', 'p2', 'p3']
  const rest = providers.flatMap((provider) => staying.map((seen) => ({ ...seen, provider })))
  const everywhere = (since: (n: number) => number, more: Partial<Facts> = {}, seen = rest) => {
    const known = providers.map((provider, n) =>
      absent('m1', { ...CONFIRMED, missingSince: ago(since(n)) }, { provider }),
    )
    return plan([...known, ...seen.map((one) => line(one))], seen, more)
  }

  it('is removed when they lost it one after the other', () => {
    expect(names(everywhere((n) => (5 + n) * DAY))).toEqual(['m1', 'm1', 'm1'])
    expect(items(everywhere(() => 5 * DAY))).toEqual(Array(3).fill(['missing_everywhere', ['m1']]))
  })

  it('is asked about where they lost other resources with the same ending', () => {
    const known = providers.map((provider, n) => absent(`m${n}:batch`, CONFIRMED, { provider }))
    const all = plan([...known, ...rest.map((one) => line(one))], rest)
    expect(items(all)).toEqual([0, 1, 2].map((n) => ['missing_everywhere', [`m${n}:batch`]]))
  })

  it('is removed in imported history', () => {
    const quiet = { quiet: true, lastIngestedAt: ago(DAY) }
    expect(names(everywhere(() => 20 * DAY, quiet))).toEqual(['m1', 'm1', 'm1'])
  })

  it('is asked about with all else that the provider lost, where that is much', () => {
    expect(
      items(
        everywhere(
          () => 5 * DAY,
          {},
          rest.filter(({ provider }) => provider !== 'p1'),
        ),
      ),
    ).toEqual([
      ['whole_provider_missing', ['m1']],
      ['missing_everywhere', ['m1']],
      ['missing_everywhere', ['m1']],
    ])
  })
})

describe('a missing price of a listed resource', () => {
  it('is served for 14 days beside a price that waits for another reason than to contradict it', () => {
    const retired = (waits: KnownLine, price: string, ms: number) =>
      lost([waits, cacheOf('m1', { missingSince: ago(ms), missingCount: 9 })], {}, [input('m1', price)]).retired.length
    const doubtful = absent('m1', held('0.000009'))
    expect([retired(doubtful, '0.000009', 13 * DAY), retired(doubtful, '0.000009', 14 * DAY)]).toEqual([0, 1])
    const decided = absent('m1', { decidedPrice: '0.000009' })
    expect([retired(decided, '0.000009', 13 * DAY), retired(decided, '0.000009', 14 * DAY)]).toEqual([0, 1])
  })
})
