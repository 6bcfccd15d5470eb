import { describe, expect, it } from 'vitest'
import { DAY, type Instant, plus } from '../../src/lib/instant.ts'
import { difference } from '../../src/prices/plan/difference/difference-rules.ts'
import { lineSets } from '../../src/prices/plan/sets/line-set-rules.ts'
import { lineKey } from '../../src/prices/row-rules.ts'
import type { AnnouncedPrice, Observation } from '../../src/prices/schema.ts'
import { asDiffering, plausibleUpcoming } from '../../src/prices/upcoming/judge-rules.ts'
import type { DecidedUpcoming, OpenUpcoming } from '../../src/prices/upcoming/schema.ts'
import { isUnchanged, nextAnnounced, upcomingDifference } from '../../src/prices/upcoming/upcoming-rules.ts'
import { observed } from './observed.ts'
import { ago, facts, input, keyed, line, now } from './plan/plan-facts.ts'

const NEW_YEAR = '2027-01-01T00:00:00.000Z' as Instant
const announced = (price: string, from: Instant = NEW_YEAR, more: Partial<Observation> = {}): AnnouncedPrice => ({
  observation: observed('m', 'input_tokens', price, more),
  from,
})
const same = ({ resource }: { resource: string }) => resource

describe('what a snapshot announces', () => {
  const kept = (...prices: AnnouncedPrice[]) => nextAnnounced(prices, now, same)

  it('is the next price of each line, under the name that is served', () => {
    const later = announced('3', plus(NEW_YEAR, DAY))
    const output = { observation: observed('m', 'output_tokens', '8', { canonicalResource: 'acme/m' }), from: NEW_YEAR }
    const { upcoming, suppressed } = nextAnnounced([later, announced('2'), output], now, () => 'served')
    expect(upcoming.map(({ resource, dimension, price }) => [resource, dimension, price])).toEqual([
      ['served', 'input_tokens', '2'],
      ['served', 'output_tokens', '8'],
    ])
    expect(upcoming[1]!.canonicalResource).toBe('acme/m')
    expect(suppressed).toEqual({})
  })

  it('has the day as its source writes it, else the day or the instant when it begins', () => {
    const from = (price: AnnouncedPrice) => kept(price).upcoming[0]!.effectiveFrom
    expect(from(announced('2', NEW_YEAR, { effectiveFrom: 'January 2027' }))).toBe('January 2027')
    expect(from(announced('2'))).toBe('2027-01-01')
    expect(from(announced('2', '2027-01-01T07:00:00.000Z' as Instant))).toBe('2027-01-01T07:00:00.000Z')
  })

  it('leaves out what cannot be kept, by reason, and what its source does not list', () => {
    const cached = { observation: observed('m', 'cache_read_tokens', '0'), from: NEW_YEAR }
    expect(kept(cached)).toEqual({ upcoming: [], suppressed: { zero_means_unknown: 1 } })
    expect(kept(announced('1e9'))).toEqual({ upcoming: [], suppressed: { not_a_price: 1 } })
    expect(nextAnnounced([announced('2')], now, () => undefined)).toEqual({ upcoming: [], suppressed: {} })
    const [last, tooFar] = [plus(now, 732 * DAY), plus(now, 732 * DAY + 1)]
    expect(kept(announced('2', last)).upcoming).toHaveLength(1)
    expect(kept(announced('2', tooFar))).toEqual({ upcoming: [], suppressed: { announced_too_far_ahead: 1 } })
  })

  it('is neither of two prices for one day, and once one price in two spellings', () => {
    expect(kept(announced('2'), announced('3'))).toEqual({ upcoming: [], suppressed: { announced_twice: 2 } })
    const [a, b] = ['0.30000000000000004', '0.3']
    expect(kept(announced(a), announced(b)).upcoming.map(({ price }) => price)).toEqual([a])
    expect(
      kept(announced('2'), announced('2', plus(NEW_YEAR, 1)), announced('3', plus(NEW_YEAR, 1))).upcoming,
    ).toHaveLength(1)
  })
})

describe('an announcement beside the one before it', () => {
  const identity = {
    ...{ provider: 'acme', resource: 'm', dimension: 'input_tokens', unit: 'usd_per_token', currency: 'USD' },
    pricingTier: '{}',
  }
  const wanted = (price: string, more: Partial<DecidedUpcoming> = {}): DecidedUpcoming => ({
    ...{ ...identity, price, beginsAt: NEW_YEAR, effectiveFrom: '2027-01-01', locator: '/' },
    ...more,
  })
  const open = (price: string, more: Partial<OpenUpcoming> = {}): OpenUpcoming => ({
    ...{
      ...identity,
      id: '1',
      source: 'page',
      price,
      beginsAt: NEW_YEAR,
      effectiveFrom: '2027-01-01',
      isListed: false,
    },
    ...more,
  })
  const result = (after: DecidedUpcoming[], before: OpenUpcoming[]) => {
    const found = upcomingDifference('page', after, before)
    return {
      begin: found.begin.map(({ price }) => price),
      end: found.end.map(({ id, because }) => `${id} ${because}`),
      said: found.changes.map(({ action, announced: now, replaces }) => [action, now?.price, replaces?.price]),
      same: found.same,
    }
  }
  const nothing = { begin: [], end: [], said: [], same: [] }

  it('is new, the same, changed or withdrawn', () => {
    expect(result([wanted('2')], [])).toEqual({ ...nothing, begin: ['2'], said: [['announced', '2', undefined]] })
    expect(result([wanted('2')], [open('2')])).toEqual({ ...nothing, same: ['1'] })
    expect(isUnchanged(upcomingDifference('page', [wanted('2')], [open('2')]))).toBe(true)
    const changed = { begin: ['3'], end: ['1 changed'], said: [['changed', '3', '2']], same: [] }
    expect(result([wanted('3')], [open('2')])).toEqual(changed)
    const otherDay = wanted('2', { beginsAt: plus(NEW_YEAR, DAY) })
    expect(result([otherDay], [open('2')])).toEqual({ ...changed, begin: ['2'], said: [['changed', '2', '2']] })
    expect(result([], [open('2')])).toEqual({ ...nothing, end: ['1 withdrawn'], said: [['withdrawn', undefined, '2']] })
    expect(isUnchanged(upcomingDifference('page', [], [open('2')]))).toBe(false)
  })

  it('has begun where the snapshot lists its price, and the next one is new', () => {
    const begun = open('2', { isListed: true })
    expect(result([], [begun])).toEqual({ ...nothing, end: ['1 begun'] })
    expect(result([wanted('3')], [begun])).toEqual({
      ...nothing,
      begin: ['3'],
      end: ['1 begun'],
      said: [['announced', '3', undefined]],
    })
  })

  it('of another source is taken over without a word, or replaced', () => {
    const other = open('2', { id: '9', source: 'list' })
    expect(result([wanted('2')], [other])).toEqual({ ...nothing, begin: ['2'], end: ['9 taken_over'] })
    expect(result([wanted('3')], [other])).toEqual({
      ...nothing,
      begin: ['3'],
      end: ['9 changed'],
      said: [['changed', '3', '2']],
    })
    // Its own is compared first, whichever was made first.
    expect(result([wanted('2')], [other, open('2')])).toEqual({ ...nothing, end: ['9 taken_over'], same: ['1'] })
    expect(result([wanted('3')], [other, open('1')])).toMatchObject({
      begin: ['3'],
      end: ['1 changed', '9 changed'],
      said: [['changed', '3', '1']],
    })
  })

  it('at the price in force says nothing', () => {
    const current = { price: '2', recordedAt: now, contentHash: 'h' }
    expect(result([wanted('2', { current })], [])).toEqual(nothing)
    expect(result([wanted('2', { current })], [open('2')])).toMatchObject({ begin: [], end: ['1 withdrawn'] })
  })
})

describe('an announced price that cannot be right', () => {
  const known = [
    line(input('m', '0.000002')),
    line(observed('m', 'output_tokens', '0.000008')),
    line(input('n', '0.000002')),
  ]
  const listed = [input('m', '0.000002'), observed('m', 'output_tokens', '0.000008'), input('n', '0.000002')]
  const kept = (...prices: [resource: string, dimension: Observation['dimension'], price: string][]) => {
    const ahead = prices.map(([resource, dimension, price]) => ({
      observation: observed(resource, dimension, price),
      from: NEW_YEAR,
    }))
    const { upcoming } = nextAnnounced(ahead, now, same)
    const lines = upcoming.map((one) => asDiffering(one, keyed(known).get(lineKey(one))))
    return plausibleUpcoming({ upcoming, lines, listed, suppressed: {} }, facts(known)).map(
      ({ resource, price }) => `${resource} ${price}`,
    )
  }

  it('is left out with all that is announced for its resource, and for no other', () => {
    expect(
      kept(['m', 'input_tokens', '0.0002'], ['m', 'output_tokens', '0.000009'], ['n', 'input_tokens', '0.000003']),
    ).toEqual(['n 0.000003'])
    expect(kept(['m', 'input_tokens', '0'])).toEqual([])
    expect(kept(['m', 'input_tokens', '0.000003'], ['n', 'output_tokens', '0.0000005'])).toEqual(['m 0.000003'])
    // Input and output are swapped, beside the output price of today and beside the announced one.
    expect(kept(['m', 'input_tokens', '0.000018'])).toEqual([])
    expect(kept(['m', 'input_tokens', '0.000005'], ['m', 'output_tokens', '0.0000024'])).toEqual([])
  })

  it('is kept where only time is needed: a large change, or one that fits what is announced beside it', () => {
    expect(kept(['m', 'input_tokens', '0.000007'])).toEqual(['m 0.000007'])
    expect(kept(['m', 'input_tokens', '0.000018'], ['m', 'output_tokens', '0.00007'])).toEqual([
      'm 0.000018',
      'm 0.00007',
    ])
    expect(kept(['m', 'cache_read_tokens', '0.0000002'])).toEqual(['m 0.0000002'])
  })

  it('is a first price where its line was removed', () => {
    const [upcoming] = nextAnnounced([announced('2')], now, same).upcoming
    expect(asDiffering(upcoming!, line(input('m', '1')))).toMatchObject({ kind: 'changed', before: '1', after: '2' })
    expect(asDiffering(upcoming!, line(input('m', '1'), { removedAt: now }))).toMatchObject({ kind: 'new', after: '2' })
    expect(asDiffering(upcoming!, undefined).before).toBeUndefined()
  })
})

describe('a price on the day that was announced', () => {
  const known = [line(input('m', '1')), line(observed('m', 'output_tokens', '4'))]
  const wait = (since: Instant, fetches: number, price = '9') => {
    const lines = keyed(known)
    const diff = difference(lines, [input('m', '9'), observed('m', 'output_tokens', '4')])
    const before = new Map([[lineKey(known[0]!), { price, since, fetches }]])
    return lineSets(diff, [], facts(known, { announced: before }))[0]!.wait
  }

  it('has stood since it was announced, and no other price has', () => {
    expect(wait(ago(3 * DAY), 2)).toEqual({ since: ago(3 * DAY), fetches: 3 })
    expect(wait(ago(3 * DAY), 2, '8')).toEqual({ since: now, fetches: 1 })
  })
})
