import { describe, expect, it } from 'vitest'
import { DAY, HOUR, type Instant, plus } from '../../src/lib/instant.ts'
import { readPriceLimits } from '../../src/prices/ingest/read-price-limits.ts'
import { differsWidely } from '../../src/prices/plan/content-rules.ts'
import { difference } from '../../src/prices/plan/difference-rules.ts'
import { countsOf, listedResources } from '../../src/prices/plan/listing-rules.ts'
import { familyOf } from '../../src/prices/plan/origin-rules.ts'
import { planIngest } from '../../src/prices/plan/plan-rules.ts'
import type { Facts, Plan } from '../../src/prices/plan/schema.ts'
import { identityOf, lineKey } from '../../src/prices/row-rules.ts'
import type { KnownLine, Observation, UnreadablePrice } from '../../src/prices/schema.ts'
import { observed } from './support.ts'

const now = '2026-11-22T10:00:00.000Z' as Instant
const ago = (ms: number) => plus(now, -ms)
const limits = await readPriceLimits()
let lineIds = 0

/** The published line of an observation, as it was before. */
const line = (seen: Observation, more: Partial<KnownLine> = {}): KnownLine => ({
  ...identityOf(seen),
  lineId: String(++lineIds),
  missingCount: 0,
  current: { price: seen.price, contentHash: 'h', recordedAt: ago(90 * DAY) },
  ...more,
})
const held = (price: string, more: Partial<NonNullable<KnownLine['held']>> = {}): Pick<KnownLine, 'held'> => ({
  held: {
    contentHash: 'held',
    price,
    recordedAt: ago(2 * DAY),
    reasons: ['large_change'],
    standing: { since: ago(2 * DAY), fetches: 2 },
    ...more,
  },
})
const keyed = (lines: KnownLine[]) => new Map(lines.map((one) => [lineKey(one), one]))
const facts = (known: KnownLine[], more: Partial<Facts> = {}): Facts => ({
  now,
  first: false,
  quiet: false,
  recentPrices: new Map(),
  others: new Map(),
  witnesses: new Map(),
  limits,
  listed: { resources: countsOf(listedResources(known)), withDimension: new Map() },
  seen: [],
  published: { sellersOf: () => [], ofProvider: () => [], sharesOfInput: () => [] },
  rejected: new Set(),
  openRenames: [],
  ...more,
})
function plan(
  known: KnownLine[],
  seen: Observation[],
  more: Partial<Facts> = {},
  unreadable: UnreadablePrice[] = [],
): Plan {
  const lines = keyed(known)
  return planIngest(lines, difference(lines, seen, unreadable), facts(known, more))
}
const input = (resource: string, price: string, more: Partial<Observation> = {}) =>
  observed(resource, 'input_tokens', price, more)
/** Models of one provider that stay as they are. */
const others = (count: number) => Array.from({ length: count }, (_, n) => input(`other-${n}`, '0.000001'))

describe('the difference of a snapshot', () => {
  const of = (known: KnownLine[], seen: Observation[], unreadable: UnreadablePrice[] = []) =>
    difference(keyed(known), seen, unreadable)

  it('is what is new, changed, revised, confirmed, waiting or missing; the rest is counted', () => {
    const known = [
      line(input('same', '1')),
      line(input('cheaper', '2')),
      line(input('described', '1')),
      line(input('back', '1'), { missingSince: ago(HOUR) }),
      line(input('relisted', '1'), { removedAt: ago(HOUR) }),
      line(input('held', '1'), held('9')),
      line(input('decided', '1'), { decidedPrice: '7' }),
      line(input('withdrawn', '1'), held('9')),
      line(input('gone', '1')),
      line(input('long gone', '1'), { removedAt: ago(HOUR) }),
      line(input('unpriced', '1'), { current: undefined }),
    ]
    const seen = [
      input('same', '1'),
      input('same', '3'),
      input('cheaper', '1'),
      input('described', '1', { category: 'chat' }),
      input('back', '1'),
      input('relisted', '1'),
      input('held', '9'),
      input('decided', '7'),
      input('withdrawn', '1'),
      input('unpriced', '4'),
      input('fresh', '5'),
    ]
    const found = of(known, seen)
    const names = (lines: { resource: string }[]) => lines.map(({ resource }) => resource)
    expect(found.proposals.map(({ line: { resource }, kind, money }) => [resource, kind, money.price])).toEqual([
      ['cheaper', 'changed', '1'],
      ['described', 'revised', '1'],
      ['unpriced', 'new', '4'],
      ['fresh', 'new', '5'],
    ])
    expect(names(found.confirmed)).toEqual(['back', 'relisted', 'withdrawn'])
    expect(names(found.waiting)).toEqual(['held', 'decided'])
    expect(names(found.missing)).toEqual(['gone'])
    expect([found.unchanged, found.duplicates]).toEqual([1, 1])
    expect(of([line(input('decided', '1'), { decidedPrice: '7' })], [input('decided', '1')]).confirmed).toHaveLength(1)
  })

  it('has no absence where the snapshot lists something that is no price', () => {
    const known = [line(input('m1', '1')), line(observed('m1', 'output_tokens', '2')), line(input('m2', '1'))]
    const text = { provider: 'acme', resource: 'm1', locator: '/', text: 'N/A' }
    expect(of(known, [], [text]).unreadable.map(({ line: { dimension }, text: read }) => [dimension, read])).toEqual([
      ['input_tokens', 'N/A'],
      ['output_tokens', 'N/A'],
    ])
    const one = { ...text, dimension: 'output_tokens' as const, unit: 'usd_per_token', currency: 'USD' }
    const found = of(known, [input('m2', '1'), input('m1', '1')], [one])
    expect(found.unreadable.map(({ line: { dimension } }) => dimension)).toEqual(['output_tokens'])
    expect(found.missing).toEqual([])
    // A resource that is listed with prices is missing those that it does not list.
    expect(of(known, [input('m1', '1')], [text]).missing.map(({ dimension }) => dimension)).toEqual([
      'output_tokens',
      'input_tokens',
    ])
  })

  it('is wide from five resources on', () => {
    const wide = (count: number, known: KnownLine[] = []) => differsWidely(of(known, others(count)))
    expect([wide(4), wide(5)]).toEqual([false, true])
    const missing = others(5).map((seen) => line(seen))
    expect(differsWidely(of(missing, []))).toBe(true)
    expect(
      differsWidely(
        of(
          missing.map((one) => ({ ...one, missingSince: now })),
          [],
        ),
      ),
    ).toBe(false)
    expect(
      differsWidely(
        of(
          missing.map((one) => ({ ...one, current: undefined })),
          [],
        ),
      ),
    ).toBe(false)
    expect(
      differsWidely(
        of(
          missing.map((one) => ({ ...one, removedAt: now })),
          others(5),
        ),
      ),
    ).toBe(true)
    expect(
      differsWidely(
        of(
          missing.map((one) => ({ ...one, missingSince: now })),
          others(5),
        ),
      ),
    ).toBe(true)
    expect(
      differsWidely(
        of(
          missing.map((one) => ({ ...one, ...held('9') })),
          others(5),
        ),
      ),
    ).toBe(false)
  })
})

describe('the plan of a snapshot', () => {
  const published = ({ publish }: Plan) => publish.map(({ line: { resource } }) => resource)
  const holds = ({ hold }: Plan) => hold.map(({ proposal, verdict }) => [proposal.line.resource, verdict.reasons])

  it('publishes ordinary changes and revisions, each with its verdict', () => {
    const known = [line(input('m1', '0.000002')), line(input('m2', '0.000001'))]
    const result = plan(known, [input('m1', '0.0000015'), input('m2', '0.000001', { category: 'chat' })])
    expect(published(result)).toEqual(['m2', 'm1'])
    expect([...result.verdicts.values()]).toMatchObject([{ reasons: [], standing: { since: now, fetches: 1 } }])
    expect(result.hold).toEqual([])
  })

  it('publishes of a first snapshot what is not implausible', () => {
    const result = plan([], [input('m1', '0.000002'), input('m2', '5')], { first: true })
    expect(published(result)).toEqual(['m1'])
    expect(holds(result)).toEqual([['m2', ['implausible_price']]])
  })

  it('holds a change by four for a day and three fetches, with all that changed beside it', () => {
    const output = (price: string) => observed('m1', 'output_tokens', price)
    const known = [line(input('m1', '0.000004')), line(output('0.000008')), ...others(9).map((seen) => line(seen))]
    const seen = [input('m1', '0.000001'), output('0.000007'), ...others(9)]
    expect(holds(plan(known, seen))).toEqual([
      ['m1', ['large_change']],
      ['m1', ['with_its_set']],
    ])
    const waits = (since: Instant, fetches: number) => {
      const of = { standing: { since, fetches } }
      const lines = [
        { ...known[0]!, ...held('0.000001', of) },
        { ...known[1]!, ...held('0.000007', of) },
        ...known.slice(2),
      ]
      const { released, waiting } = plan(lines, seen)
      return [released.length, waiting.length, (released[0] ?? waiting[0])!.verdict.standing.fetches]
    }
    expect(waits(ago(DAY), 2)).toEqual([2, 0, 3])
    expect(waits(ago(DAY - 1), 2)).toEqual([0, 2, 3])
    expect(waits(ago(DAY), 1)).toEqual([0, 2, 2])
  })

  it('begins to count again when a part of a held set is no longer repeated', () => {
    const known = [
      line(input('m1', '0.000004'), held('0.000001')),
      line(observed('m1', 'output_tokens', '0.000008'), held('0.000002')),
    ]
    const { released, waiting, superseded } = plan(known, [
      input('m1', '0.000001'),
      observed('m1', 'output_tokens', '0.000008'),
    ])
    expect(released).toEqual([])
    expect(waiting.map(({ verdict }) => verdict.standing)).toEqual([{ since: now, fetches: 1 }])
    expect(superseded).toEqual([known[1]])
  })

  it('counts a set from its youngest part', () => {
    const of = (since: Instant, fetches: number) => held('0.000001', { standing: { since, fetches } })
    const known = [
      line(input('m1', '0.000004'), of(ago(3 * DAY), 5)),
      line(observed('m1', 'output_tokens', '0.000008'), of(ago(2 * DAY), 3)),
    ]
    const { released } = plan(known, [input('m1', '0.000001'), observed('m1', 'output_tokens', '0.000001')])
    expect(released.map(({ verdict }) => verdict.standing)).toEqual([
      { since: ago(2 * DAY), fetches: 4 },
      { since: ago(2 * DAY), fetches: 4 },
    ])
  })

  it('leaves a price that a person decided about, and one that cannot be read', () => {
    const decided = line(input('m1', '0.000004'), { ...held('0.000001'), decidedPrice: '0.000001' })
    const unread = line(input('m2', '0.000004'))
    const result = plan([decided, unread], [input('m1', '0.000001')], {}, [
      { provider: 'acme', resource: 'm2', locator: '/', text: 'soon' },
    ])
    expect(result.unjudged).toEqual([decided, unread])
    expect(result.waiting).toEqual([])
    expect(result.toReview).toEqual([
      {
        provider: 'acme',
        kind: 'unreadable',
        reason: 'unreadable_price',
        resources: ['m2'],
        texts: ['m2 input_tokens {} = soon'],
      },
    ])
  })

  it('holds a fifth and more of the resources of a provider as one change, five at least', () => {
    const known = Array.from({ length: 20 }, (_, n) => line(input(`m${n}`, '0.000004')))
    const changed = (count: number) =>
      known.map(({ resource }, n) => input(resource, n < count ? '0.000003' : '0.000004'))
    expect(plan(known, changed(4)).hold).toEqual([])
    const five = plan(known, changed(5))
    expect(five.hold.map(({ inMassChange, verdict }) => [inMassChange, verdict.reasons])).toEqual(
      Array(5).fill([true, ['mass_change']]),
    )
    expect(published(plan(known, changed(5), { quiet: true }))).toHaveLength(5)
  })

  it('holds a provider of which three prices flipped their unit', () => {
    const known = Array.from({ length: 40 }, (_, n) => line(input(`m${n}`, '0.000004')))
    const flipped = (count: number) =>
      known.map(({ resource }, n) => input(resource, n < count ? '0.00000004' : '0.000004'))
    expect(holds(plan(known, flipped(2)))).toEqual([
      ['m0', ['power_of_ten']],
      ['m1', ['power_of_ten']],
    ])
    expect(plan(known, flipped(3)).hold.map(({ verdict }) => verdict.reasons)).toEqual(
      Array(3).fill(['power_of_ten', 'provider_flipped_unit']),
    )
  })

  it('holds a price that goes back to what it was within days', () => {
    const known = [line(input('m1', '0.000004'))]
    const recentPrices = new Map([[known[0]!.lineId, { prices: ['0.000003'], isFirst: false }]])
    expect(holds(plan(known, [input('m1', '0.000003')], { recentPrices }))).toEqual([['m1', ['flips_back']]])
    expect(plan(known, [input('m1', '0.000003')]).hold).toEqual([])
  })

  it('holds a new line that differs from a missing one in its currency or unit alone', () => {
    const known = [line(input('m1', '0.000004')), line(observed('m2', 'output_tokens', '0.000004'))]
    const result = plan(known, [
      input('m1', '0.000004', { currency: 'EUR', unit: 'eur_per_token' }),
      observed('m2', 'output_tokens', '0.000004', { unit: 'usd_per_character' }),
    ])
    expect(holds(result)).toEqual([
      ['m1', ['currency_changed']],
      ['m2', ['unit_changed']],
    ])
    // The old line stays as it is until somebody decided.
    expect(result.missing).toEqual([])
  })
})

describe('the absences of a snapshot', () => {
  const staying = others(20)
  const absent = (resource: string, more: Partial<KnownLine> = {}) => line(input(resource, '0.000002'), more)
  const lost = (known: KnownLine[], more: Partial<Facts> = {}, seen = staying) =>
    plan([...known, ...staying.map((one) => line(one))], seen, more)
  const confirmed = { missingSince: ago(3 * DAY), missingCount: 2 }

  it('are confirmed by three fetches over three days', () => {
    const removed = (more: Partial<KnownLine>) => {
      const result = lost([absent('m1', more)])
      expect(result.missing.length + result.removed.length).toBe(1)
      return result.removed.length
    }
    expect(removed({})).toBe(0)
    expect(removed(confirmed)).toBe(1)
    expect(removed({ ...confirmed, missingSince: ago(3 * DAY - 1) })).toBe(0)
    expect(removed({ ...confirmed, missingCount: 1 })).toBe(0)
  })

  it('are a person’s to confirm where a tenth of a provider or all of it is gone', () => {
    const gone = (count: number) => Array.from({ length: count }, (_, n) => absent(`m${n}`, confirmed))
    expect(lost(gone(2)).removed).toHaveLength(2)
    const many = lost(gone(3))
    expect(many.removed).toEqual([])
    expect(many.missing).toHaveLength(3)
    expect(many.toReview).toEqual([
      { provider: 'acme', kind: 'removal', reason: 'mass_disappearance', resources: ['m0', 'm1', 'm2'] },
    ])
    expect(lost(gone(3), { quiet: true, lastIngestedAt: ago(DAY) }).removed).toHaveLength(3)
    expect(lost(gone(1), { quiet: true, lastIngestedAt: ago(DAY - 1) }).removed).toEqual([])
    expect(lost(gone(1), { quiet: true }).removed).toEqual([])
    const whole = plan(gone(1), [])
    expect(whole.toReview).toMatchObject([{ kind: 'removal', reason: 'whole_provider_missing', resources: ['m0'] }])
  })

  it('are no removal that a person rejected', () => {
    expect(lost([absent('m1', confirmed)], { rejected: new Set([['acme', 'm1'].join('\u001f')]) }).removed).toEqual([])
  })

  it('are a person’s where three providers lose one name at the same time', () => {
    const providers = ['p1', 'p2', 'p3']
    const known = (count: number) =>
      providers.slice(0, count).map((provider) => line(input('m1', '0.000002', { provider }), confirmed))
    const rest = providers.flatMap((provider) => others(20).map((seen) => ({ ...seen, provider })))
    const all = (count: number) => plan([...known(count), ...rest.map((seen) => line(seen))], rest)
    expect(all(3).removed).toEqual([])
    expect(all(3).toReview.map(({ provider, reason }) => [provider, reason])).toEqual(
      providers.map((provider) => [provider, 'missing_everywhere']),
    )
    expect(all(2).removed).toHaveLength(2)
  })

  it('of a line in a resource that stays end after 14 days, of a step after one', () => {
    const tier = (pricingTier: Observation['pricingTier']) =>
      observed('other-0', 'output_tokens', '0.000002', { pricingTier })
    const retired = (pricingTier: Observation['pricingTier'], ms: number) =>
      lost([line(tier(pricingTier), { missingSince: ago(ms), missingCount: 9 })]).retired.length
    expect([retired({}, 14 * DAY), retired({}, 14 * DAY - 1)]).toEqual([1, 0])
    expect([retired({ context: 'gt_200k' }, DAY), retired({ context: 'gt_200k' }, DAY - 1)]).toEqual([1, 0])
  })

  it('of a line that held prices contradict end after three days', () => {
    const doubt = held('0.000009', { reasons: ['contradicts_missing_line'] })
    const cache = (ms: number) =>
      line(observed('m1', 'cache_read_tokens', '0.000001'), { missingSince: ago(ms), missingCount: 9 })
    const retired = (ms: number) =>
      lost([line(input('m1', '0.000002'), doubt), cache(ms)], {}, [...staying, input('m1', '0.000009')]).retired.length
    expect([retired(3 * DAY), retired(3 * DAY - 1)]).toEqual([1, 0])
  })

  it('of one dimension in many resources at once are a person’s after a day', () => {
    const cached = staying.slice(0, 6).map(({ resource }) => observed(resource, 'cache_read_tokens', '0.000001'))
    const withDimension = new Map([[['acme', 'cache_read_tokens'].join('\u001f'), 6]])
    const result = (ms: number) => {
      const known = cached.map((seen) => line(seen, { missingSince: ago(ms), missingCount: 9 }))
      const all = [...known, ...staying.map((one) => line(one))]
      return plan(all, staying, { listed: { resources: new Map([['acme', 1_000]]), withDimension } })
    }
    expect(result(DAY).toReview).toEqual([
      {
        provider: 'acme',
        kind: 'line_removal',
        reason: 'lines_missing_everywhere',
        resources: ['other-0', 'other-1', 'other-2', 'other-3', 'other-4', 'other-5'],
        texts: ['cache_read_tokens {}'],
      },
    ])
    expect(result(DAY - 1).toReview).toEqual([])
    expect(result(20 * DAY).retired).toEqual([])
  })

  it('are a renaming where a new name has the same prices and nearly the same words', () => {
    const old = absent('claude-sonnet-4', { missingSince: ago(HOUR) })
    const seen = [...staying, input('claude-sonnet-4.0', '0.000002')]
    const result = lost(
      [old],
      { openRenames: [{ provider: 'acme', from: 'claude-sonnet-4', to: 'claude-sonnet-4.0' }] },
      seen,
    )
    expect(result.toReview).toEqual([
      {
        provider: 'acme',
        kind: 'rename',
        reason: 'possible_rename',
        resources: ['claude-sonnet-4'],
        to: 'claude-sonnet-4.0',
      },
    ])
    expect(result.removed).toEqual([])
    expect(lost([], { openRenames: [{ provider: 'acme', from: 'x', to: 'y' }] }).toReview).toEqual([])
  })
})

describe('the family of a source', () => {
  it('are the lists that copy each other: a witness from it proves nothing', () => {
    const copies = ['litellm', 'models-dev', 'genai-prices', 'llm-prices']
    expect(familyOf('litellm')).toEqual(copies)
    expect(familyOf('llm-prices')).toEqual(copies)
    expect(familyOf('openrouter')).toEqual(['openrouter', ...copies])
    expect(familyOf('azure')).toEqual(['azure'])
  })
})
