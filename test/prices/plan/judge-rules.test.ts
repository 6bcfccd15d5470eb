import { describe, expect, it } from 'vitest'
import { DAY } from '../../../src/lib/instant.ts'
import { publishedPrices } from '../../../src/prices/plan/evidence/evidence-rules.ts'
import { pricesHash } from '../../../src/prices/plan/renames/rename-rules.ts'
import type { Facts, Plan } from '../../../src/prices/plan/schema.ts'
import { keyWithinResource } from '../../../src/prices/row-rules.ts'
import type { KnownLine, Observation } from '../../../src/prices/schema.ts'
import { observed } from '../observed.ts'
import { ago, held, input, line, now, others, plan } from './plan-facts.ts'

const output = (resource: string, price: string, more: Partial<Observation> = {}) =>
  observed(resource, 'output_tokens', price, more)
const cacheRead = (resource: string, price: string) => observed(resource, 'cache_read_tokens', price)
const lines = (seen: Observation[]) => seen.map((one) => line(one))
const published = ({ publish }: Plan) => publish.map(({ line: { resource } }) => resource)
const holds = ({ hold }: Plan) =>
  hold.map(({ proposal: { line }, verdict }) => [line.resource, line.dimension, verdict.reasons])
const names = (count: number) => Array.from({ length: count }, (_, n) => `m${n}`)
const pricesOf = (known: KnownLine[]) =>
  pricesHash(new Map(known.map((one) => [keyWithinResource(one), one.current!.price])))
/** A set that was listed once before. */
const SINCE = { wait: { since: ago(2 * DAY), fetches: 1 } }
const SPOT = { pricingTier: { service: 'spot' } }

describe('the relations between the prices of a resource', () => {
  const known = lines([input('m1', '0.000004'), output('m1', '0.00001'), cacheRead('m1', '0.000001')])

  it('are a doubt about the price that breaks them; the others wait with it', () => {
    const seen = [input('m1', '0.000003'), output('m1', '0.000009'), cacheRead('m1', '0.0000031')]
    expect(holds(plan([...known.slice(0, 2), line(cacheRead('m1', '0.000002'))], seen))).toEqual([
      ['m1', 'input_tokens', ['with_its_set']],
      ['m1', 'output_tokens', ['with_its_set']],
      ['m1', 'cache_read_tokens', ['cache_read_above_input']],
    ])
  })

  it('are a doubt about what changed, where the price that breaks them stayed', () => {
    const seen = [input('m1', '0.000011'), output('m1', '0.00001'), cacheRead('m1', '0.000001')]
    expect(holds(plan(known, seen))).toEqual([['m1', 'input_tokens', ['output_slightly_below_input']]])
  })

  it('are not a doubt where they were broken before', () => {
    const before = lines([input('m1', '0.000004'), output('m1', '0.000003')])
    expect(holds(plan(before, [input('m1', '0.000005'), output('m1', '0.0000035')]))).toEqual([])
  })

  it('are a doubt where a price that is missing, and still served, would break them', () => {
    expect(holds(plan(known, [input('m1', '0.0000035'), output('m1', '0.00001')]))).toEqual([])
    const dear = lines([input('m1', '0.000004'), output('m1', '0.00001'), cacheRead('m1', '0.0000038')])
    expect(holds(plan(dear, [input('m1', '0.0000035'), output('m1', '0.00001')]))).toEqual([
      ['m1', 'input_tokens', ['contradicts_missing_line']],
    ])
    const removed = dear.map((one, n) => (n === 2 ? { ...one, removedAt: ago(DAY) } : one))
    expect(holds(plan(removed, [input('m1', '0.0000035'), output('m1', '0.00001')]))).toEqual([])
  })

  it('of a new resource are unusual where they contradict each other', () => {
    const seen = [input('m1', '0.000004'), output('m1', '0.000001')]
    expect(holds(plan(lines(others(1)), [...others(1), ...seen]))).toEqual([
      ['m1', 'input_tokens', ['with_its_set']],
      ['m1', 'output_tokens', ['unusual_first_price']],
    ])
    expect(holds(plan(lines(others(1)), [...others(1), input('m1', '0.000004'), output('m1', '0.000008')]))).toEqual([])
    // A line that is new in a known resource is not a first price of the resource.
    expect(holds(plan(lines([input('m1', '0.000004')]), seen))).toEqual([
      ['m1', 'output_tokens', ['output_below_input']],
    ])
  })
})

describe('the evidence of a verdict', () => {
  const known = lines([input('m1', '0.000004'), output('m1', '0.000008')])
  const ofProvider = { count: 1, least: 4e-6, most: 4e-6, median: 4e-6 }
  const facts = { published: publishedPrices([{ ...known[0]!, price: '0.000004' }]) }

  it('is gathered for doubtful changes, and is the two prices of an ordinary one', () => {
    const ordinary = [...plan(known, [input('m1', '0.000003'), output('m1', '0.000008')], facts).verdicts.values()]
    expect(ordinary.map(({ evidence }) => evidence)).toEqual([
      { before: '0.000004', after: '0.000003', fitBefore: 'plausible', fitAfter: 'plausible' },
    ])
    const [doubtful] = plan(known, [input('m1', '0.000001'), output('m1', '0.000008')], facts).hold
    expect(doubtful?.verdict.evidence?.provider).toEqual(ofProvider)
  })

  it('is gathered for prices that are held, however little they changed', () => {
    const waits = [
      { ...known[0]!, ...held('0.000003') },
      { ...known[1]!, ...held('0.000002') },
    ]
    const { waiting, released } = plan(waits, [input('m1', '0.000003'), output('m1', '0.000002')], facts)
    expect([...waiting, ...released].map(({ verdict }) => verdict.evidence?.provider)[0]).toEqual(ofProvider)
  })

  it('is none of the prices of a first snapshot', () => {
    const result = plan([], [input('m1', '5')], { first: true })
    expect(result.hold.map(({ inMassChange, verdict }) => [inMassChange, verdict.evidence])).toEqual([
      [false, undefined],
    ])
  })
})

describe('many changes of one provider', () => {
  const known = (count: number, more: Partial<Observation> = {}) =>
    lines(names(count).map((name) => input(name, '0.000004', more)))
  const repriced = (count: number, of: number, price: string, more: Partial<Observation> = {}) =>
    names(of).map((name, n) => input(name, n < count ? price : '0.000004', more))
  const reasons = ({ hold }: Plan) => new Set(hold.flatMap(({ verdict }) => verdict.reasons))

  it('are a mass change with all that is new beside them', () => {
    const seen = repriced(5, 20, '0.000003')
    const result = plan(known(20), [...seen, ...names(5).map((name) => output(name, '0.000008'))])
    expect(result.hold).toHaveLength(10)
    expect(result.hold.every(({ inMassChange }) => inMassChange)).toBe(true)
    expect([...reasons(result)]).toEqual(['mass_change'])
  })

  it('are none where they are new prices, or spot prices, which move together', () => {
    const fresh = names(9).map((name) => output(name, '0.000008'))
    expect(plan(known(20), [...repriced(0, 20, ''), ...fresh]).hold).toEqual([])
    expect(plan(known(20), [...repriced(4, 20, '0.000003'), ...fresh]).hold).toEqual([])
    expect(plan(known(20, SPOT), repriced(9, 20, '0.000003', SPOT)).hold).toEqual([])
  })

  it('are counted among the resources that the provider has published', () => {
    const listed = (count: number) => ({ resources: new Map([['acme', count]]), withDimension: new Map() })
    const held = (count: number) => plan(known(20), repriced(5, 20, '0.000003'), { listed: listed(count) }).hold.length
    expect([held(24), held(25)]).toEqual([5, 0])
  })

  it('are those that began in one snapshot: what is held since an earlier one is not part of them', () => {
    const waits = known(20).map((one, n) => (n === 0 ? { ...one, ...held('0.000001', SINCE) } : one))
    const seen = repriced(5, 20, '0.000003').map((one, n) => (n === 0 ? input(one.resource, '0.000001') : one))
    const result = plan(waits, seen)
    expect(published(result)).toEqual(['m1', 'm2', 'm3', 'm4'])
    expect(result.waiting.map(({ verdict }) => verdict.reasons)).toEqual([['large_change']])
  })

  it('were read in another unit where three of them, and more than three tenths, differ by a power of ten', () => {
    const seen = (flipped: number, changed: number) =>
      names(40).map((name, n) => input(name, n < flipped ? '0.00000004' : n < changed ? '0.000003' : '0.000004'))
    const flips = (flipped: number, changed: number, more: Observation[] = [], facts: Partial<Facts> = {}) =>
      reasons(plan(known(40), [...seen(flipped, changed), ...more], facts)).has('provider_flipped_unit')
    const listed = { resources: new Map([['acme', 1_000]]), withDimension: new Map() }
    expect([flips(3, 9, [], { listed }), flips(3, 10, [], { listed }), flips(2, 2)]).toEqual([true, false, false])
    const fresh = names(2).map((name) => output(name, '0.000008'))
    expect(flips(3, 9, fresh, { listed })).toBe(true)
  })

  it('were read right where others charge the same for every price of a resource', () => {
    const cheaper = (name: string) => input(name, '0.00000004')
    const sellers = (name: string) =>
      ['a', 'b'].map((provider) => ({ ...line(cheaper(name)), provider, price: '0.00000004' }))
    const judged = (confirmed: string[]) =>
      plan(
        known(40),
        names(40).map((name, n) => (n < 4 ? cheaper(name) : input(name, '0.000004'))),
        {
          published: publishedPrices(confirmed.flatMap(sellers)),
        },
      )
    expect(holds(judged(names(4)))).toEqual([])
    expect(published(judged(['m3']))).toEqual(['m3'])
    expect(judged(['m3']).hold.map(({ verdict }) => verdict.reasons)).toEqual(
      Array(3).fill(['power_of_ten', 'provider_flipped_unit']),
    )
  })

  it('that correct implausible prices are not a misread unit', () => {
    const dear = lines(names(4).map((name) => input(name, '4')))
    expect(
      holds(
        plan(
          dear,
          names(4).map((name) => input(name, '0.000004')),
        ),
      ),
    ).toEqual([])
  })
})

describe('the same change of the same price under other names of the provider', () => {
  const known = (['a/falcon', 'b/eagle', 'c/hawk'] as const).map((name) => line(input(name, '0.00002')))
  const sellers = ['x', 'y'].map((provider) => ({ ...line(input('falcon', '0')), provider, price: '0.00002' }))
  const plans = (prices: string[]) =>
    plan(
      known,
      known.map(({ resource }, n) => input(resource, prices[n]!)),
      { published: publishedPrices(sellers) },
    )

  it('has the same doubt, though no one else may sell under those names', () => {
    expect(holds(plans(['0.0000012', '0.0000012', '0.0000013']))).toEqual([
      ['a/falcon', 'input_tokens', ['very_large_change', 'unlike_other_sellers']],
      ['b/eagle', 'input_tokens', ['very_large_change', 'unlike_other_sellers']],
      ['c/hawk', 'input_tokens', ['very_large_change']],
    ])
  })

  it('is not a doubt about first prices', () => {
    const seen = [input('a/falcon', '0.0000012'), input('z/new', '0.0000012')]
    const result = plan(known.slice(0, 1), seen, { published: publishedPrices(sellers) })
    expect(holds(result)).toEqual([['a/falcon', 'input_tokens', ['very_large_change', 'unlike_other_sellers']]])
    expect(published(result)).toEqual(['z/new'])
  })
})

describe('the plan of a snapshot', () => {
  it('publishes the new name of a renamed resource without judging its prices', () => {
    const old = [line(input('falcon-9', '0.000004'), { missingSince: ago(DAY) }), line(output('falcon-9', '0.000001'))]
    const seen = [input('Falcon_9', '0.000004'), output('Falcon_9', '0.000001')]
    const { publish, renamed, verdicts, hold } = plan([...old, ...lines(others(9))], [...others(9), ...seen], {
      seen: [{ provider: 'acme', resource: 'Falcon_9', prices: pricesOf(old) }],
    })
    expect(renamed.map(({ from, to }) => [from, to])).toEqual([['falcon-9', 'Falcon_9']])
    expect(publish.map(({ line: { resource } }) => resource)).toEqual(['Falcon_9', 'Falcon_9'])
    expect([verdicts.size, hold]).toEqual([0, []])
  })

  it('supersedes held rows that the source replaces, takes back or no longer lists', () => {
    const rows = (['replaced', 'back', 'gone'] as const).map((name) => line(input(name, '0.000004'), held('0.000001')))
    const plain = (['cheaper', 'again', 'missing'] as const).map((name) => line(input(name, '0.000004')))
    const again = { ...plain[1]!, missingSince: ago(DAY) }
    const seen = [
      input('replaced', '0.0000011'),
      input('back', '0.000004'),
      input('cheaper', '0.000003'),
      input('again', '0.000004'),
    ]
    const { superseded, confirmed } = plan([...rows, plain[0]!, again, plain[2]!], seen)
    expect(superseded.map(({ resource }) => resource)).toEqual(['replaced', 'back', 'gone'])
    expect(confirmed.map(({ resource }) => resource)).toEqual(['back', 'again'])
  })

  it('leaves as they are prices that a person decided about, and those that cannot be read', () => {
    const decided = line(input('decided', '0.000004'), { decidedPrice: '0.000001' })
    const unread = line(input('unread', '0.000004'), held('0.000001'))
    const waits = line(input('waits', '0.000004'), held('0.000001', SINCE))
    const seen = [input('decided', '0.000001'), input('waits', '0.000001')]
    const text = { provider: 'acme', resource: 'unread', locator: '/', text: 'N/A' }
    const result = plan([decided, unread, waits], seen, {}, [text])
    expect(result.unjudged).toEqual([decided, unread])
    expect(result.waiting.map(({ line }) => line)).toEqual([waits])
    const released = { ...waits, ...held('0.000001', { wait: { since: ago(DAY), fetches: 2 } }) }
    expect(plan([released], [input('waits', '0.000001')]).unjudged).toEqual([])
    expect(plan([waits], [input('waits', '0.000001')], { quiet: true }).unjudged).toEqual([waits])
  })

  it('publishes details beside prices that are held', () => {
    const known = lines([input('m1', '0.000004'), output('m1', '0.000008')])
    const result = plan(known, [input('m1', '0.000001'), output('m1', '0.000008', { category: 'chat' })])
    expect(result.publish.map(({ line: { dimension }, kind }) => [dimension, kind])).toEqual([
      ['output_tokens', 'revised'],
    ])
    expect(result.verdicts.size).toBe(0)
    expect(holds(result)).toEqual([['m1', 'input_tokens', ['large_change']]])
  })

  it('counts from now on how long a set stands that has a new line', () => {
    const known = [line(input('m1', '0.000004'), held('0.000001')), line(output('m1', '0.000008'))]
    const { waiting, hold } = plan(known, [input('m1', '0.000001'), output('m1', '0.000007')])
    const began = { since: now, fetches: 1 }
    expect([waiting[0]?.verdict.wait, hold[0]?.verdict.wait]).toEqual([began, began])
  })
})
