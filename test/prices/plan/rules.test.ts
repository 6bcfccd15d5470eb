import { describe, expect, it } from 'vitest'
import { DIMENSIONS, type Dimension } from '../../../src/catalog/schema.ts'
import { unitOf } from '../../../src/collectors/reading/units.ts'
import type { Instant } from '../../../src/lib/instant.ts'
import { revisedFields } from '../../../src/prices/events/revision-rules.ts'
import { fallbackLine, isListLearning, isStep } from '../../../src/prices/events/step-rules.ts'
import { readPriceLimits } from '../../../src/prices/ingest/read-price-limits.ts'
import { absenceConfirmed, removableAtOnce, removalHeld } from '../../../src/prices/plan/absences/removal-rules.ts'
import { isMassChange, quarantine } from '../../../src/prices/plan/difference/batch-rules.ts'
import { usableObservations } from '../../../src/prices/plan/difference/usable-observation-rules.ts'
import { fitOf } from '../../../src/prices/plan/evidence/fit-rules.ts'
import { isOutside, limitsOf } from '../../../src/prices/plan/evidence/price-limit-rules.ts'
import { isUnitFlip } from '../../../src/prices/plan/evidence/unit-flip-rules.ts'
import { hasWaited, isEndedByTime, judgedAgainAt } from '../../../src/prices/plan/holds/end-rules.ts'
import { brokenInvariants } from '../../../src/prices/plan/holds/invariant-rules.ts'
import { similarity } from '../../../src/prices/plan/renames/name-rules.ts'
import { findRenames, pricesHash } from '../../../src/prices/plan/renames/rename-rules.ts'
import { checkChange } from '../holds/line-holds.ts'
import { observed } from '../observed.ts'

describe('a changed price', () => {
  const plausible = { fitBefore: 'plausible', fitAfter: 'plausible' } as const
  it.each([
    ['an ordinary cut', '0.000002', '0.0000015', {}, []],
    ['a rise to three times', '1', '3', {}, []],
    ['a price that fell to zero', '1', '0', {}, ['to_zero']],
    ['a price that fell to zero though no one can charge the old one', '1', '0', { fitBefore: 'misfits' }, ['to_zero']],
    ['a price that left zero', '0', '1', {}, ['from_zero']],
    ['a first price of zero, corrected within days', '0', '1', { recentFirstPrice: true }, []],
    ['a unit flip by ten', '0.0000001', '0.000001', {}, ['power_of_ten']],
    ['a unit flip by a thousand, rounded', '2.5', '0.00249', {}, ['power_of_ten']],
    ['a unit flip of a first price', '2', '0.002', { recentFirstPrice: true }, ['power_of_ten']],
    [
      'a unit flip to the price of an independent source',
      '2',
      '2000',
      { witnesses: [{ source: 's', price: '9', agrees: true }] },
      [],
    ],
    ['a unit flip to what others charge', '2', '0.002', { fitAfter: 'fits' }, []],
    ['a unit flip away from what others charge', '2', '0.002', { fitBefore: 'fits' }, ['power_of_ten']],
    ['a unit flip that corrects an implausible price', '0.1', '0.000001', { fitBefore: 'misfits' }, []],
    ['a change by four', '4', '1', {}, ['large_change']],
    [
      'a change by four that an independent source publishes',
      '4',
      '1',
      { witnesses: [{ source: 's', price: '9', agrees: true }] },
      [],
    ],
    ['a change by four of a first price within days', '4', '1', { recentFirstPrice: true }, []],
    [
      'a change by twelve that a source publishes',
      '12',
      '1',
      { witnesses: [{ source: 's', price: '9', agrees: true }] },
      ['very_large_change'],
    ],
    [
      'a change by twelve away from all',
      '1',
      '12',
      { fitAfter: 'misfits', misfit: 'sellers' },
      ['very_large_change', 'unlike_other_sellers'],
    ],
    [
      'a change by sixteen, away from the one other seller',
      '0.00000125',
      '0.000000078125',
      { farFromSellers: true },
      ['very_large_change', 'unlike_other_sellers'],
    ],
    [
      'a change by sixteen that an independent source publishes, away from the one other seller',
      '0.00000125',
      '0.000000078125',
      { farFromSellers: true, witnesses: [{ source: 's', price: '9', agrees: true }] },
      ['very_large_change'],
    ],
    ['a change by four, away from the one other seller', '4', '1', { farFromSellers: true }, ['large_change']],
    ['a change by four away from all', '4', '1', { fitAfter: 'misfits', misfit: 'sellers' }, ['large_change']],
    ['a price that flips back within days', '1.1', '1', { returns: true }, ['flips_back']],
  ] as const)('%s', (_, before, after, more, reasons) => {
    expect(checkChange({ before, after, ...plausible, ...more })).toEqual(reasons)
  })

  it('is not a unit flip when it stays or doubles', () => {
    expect([isUnitFlip(1, 1.01), isUnitFlip(1, 2), isUnitFlip(1, 9), isUnitFlip(0, 10)]).toEqual([
      false,
      false,
      false,
      false,
    ])
  })
})

describe('whether a price fits', () => {
  const limits = { least: 1e-10, most: 0.001, toInput: { least: 0.1, most: 200 } }
  const three = { count: 3, least: 0.000001, most: 0.000003, median: 0.000002 }
  it.each([
    ['near what others charge', 0.000004, { sellers: three }, { fit: 'fits' }],
    ['far above what others charge', 0.00003, { sellers: three }, { fit: 'misfits', because: 'sellers' }],
    ['a thousandth of what others charge', 2e-9, { sellers: three }, { fit: 'misfits', because: 'sellers' }],
    ['above what others charge', 0.000008, { sellers: three }, { fit: 'plausible' }],
    [
      'far from what others charge for their caches',
      0.00003,
      { sellers: three, comparable: false },
      { fit: 'plausible' },
    ],
    ['far from one seller, who may be wrong', 0.00003, { sellers: { ...three, count: 1 } }, { fit: 'plausible' }],
    ['beyond the limits of its dimension', 0.1, { sellers: three }, { fit: 'misfits', because: 'limits' }],
    ['out of proportion to its input', 0.0000001, { input: 0.00001 }, { fit: 'misfits', because: 'input' }],
    ['in proportion to its input', 0.00004, { input: 0.00001 }, { fit: 'plausible' }],
    ['zero where others charge', 0, { sellers: three }, { fit: 'misfits', because: 'sellers' }],
    ['zero under a name that says free', 0, { sellers: three, namedFree: true }, { fit: 'fits' }],
    ['zero where no one else sells', 0, {}, { fit: 'plausible' }],
  ] as const)('%s', (_, price, more, expected) => {
    expect(fitOf(price, { limits, namedFree: false, comparable: true, ...more })).toEqual(expected)
  })

  it('is known for every dimension but the one of unknown use', async () => {
    const limits = await readPriceLimits()
    const known = (dimension: Dimension) => {
      const line = { provider: 'a', resource: 'r', dimension, unit: unitOf(dimension, 'USD'), currency: 'USD' }
      return Number.isFinite(limitsOf(limits, { ...line, pricingTier: '{}' }).most)
    }
    expect(DIMENSIONS.filter((dimension) => !known(dimension))).toEqual(['usage'])
  })

  it('has wider limits in another currency, and none in credits', async () => {
    const limits = await readPriceLimits()
    const line = { provider: 'a', resource: 'r', dimension: 'input_tokens', pricingTier: '{}' }
    expect(isOutside(0.03, limitsOf(limits, { ...line, unit: 'krw_per_token', currency: 'KRW' }))).toBe(false)
    const credit = { ...line, unit: 'credit_per_token', currency: 'FLAKE_AI_CREDIT' }
    expect(isOutside(500, limitsOf(limits, credit))).toBe(false)
  })
})

describe('a held set', () => {
  const at = (hours: number) => new Date(Date.UTC(2026, 0, 1) + hours * 3_600_000).toISOString() as Instant
  it('has stood after a day and three fetches', () => {
    expect(hasWaited({ since: at(0), fetches: 3 }, at(24))).toBe(true)
    expect(hasWaited({ since: at(0), fetches: 2 }, at(90))).toBe(false)
    expect(hasWaited({ since: at(0), fetches: 90 }, at(23.9))).toBe(false)
  })

  it('stands for three days when it contradicts a line that its source no longer lists, as that line then goes', () => {
    const reasons = ['contradicts_missing_line', 'large_change'] as const
    expect(hasWaited({ since: at(0), fetches: 9 }, at(71.9), [...reasons])).toBe(false)
    expect(hasWaited({ since: at(0), fetches: 9 }, at(72), [...reasons])).toBe(true)
  })

  it('that time does not end is judged again after a day, and then every seven days', () => {
    expect(judgedAgainAt(['power_of_ten'], { since: at(0), fetches: 1 }, at(0))).toBe(at(24))
    expect(judgedAgainAt(['power_of_ten'], { since: at(0), fetches: 2 }, at(8))).toBe(at(24))
    expect(judgedAgainAt(['power_of_ten'], { since: at(0), fetches: 4 }, at(24))).toBe(at(8 * 24))
  })

  it('is never published by time alone when a unit may be misread or a price is missing', () => {
    expect(isEndedByTime(['large_change', 'mass_change', 'with_its_set'])).toBe(true)
    for (const reason of ['power_of_ten', 'to_zero', 'implausible_price', 'currency_changed'] as const)
      expect(isEndedByTime(['large_change', reason])).toBe(false)
  })
})

describe('a whole snapshot', () => {
  const same = (count: number, factor: number) => Array.from({ length: count }, () => ({ before: 1, after: factor }))
  it.each([
    ['is set aside when it is empty', 0, 100, [], 0, 'no_prices'],
    ['is set aside when most of it is gone', 40, 100, [], 40, 'collapsed'],
    ['is set aside when its unit flipped', 100, 100, same(60, 1000), 100, 'unit_flipped'],
    ['is taken with a few flips, which are held one by one', 100, 100, same(5, 1000), 100, undefined],
    ['is taken when it lost some', 60, 100, [], 60, undefined],
    ['is taken when the source is small', 3, 10, [], 3, undefined],
  ] as const)('%s', (_, lines, before, changes, compared, reason) => {
    expect(quarantine(lines, before, [...changes], compared)?.reason).toBe(reason)
  })

  it('is a mass change above a fifth of the resources, and from five on', () => {
    expect([isMassChange(5, 24), isMassChange(5, 25), isMassChange(4, 4)]).toEqual([true, false, false])
  })
})

describe('the prices of one resource', () => {
  const line = (dimension: string, price: number, pricingTier = '{}') => ({
    dimension,
    unit: 'usd_per_token',
    currency: 'USD',
    pricingTier,
    price,
  })
  it.each([
    [
      'cache reads more expensive than input',
      [line('input_tokens', 1), line('cache_read_tokens', 2)],
      ['cache_read_above_input'],
    ],
    [
      'cache writes far more expensive than input',
      [line('input_tokens', 1), line('cache_write_tokens', 3)],
      ['cache_write_far_above_input'],
    ],
    [
      'output far cheaper than input, as when they were swapped',
      [line('input_tokens', 3), line('output_tokens', 1)],
      ['output_below_input'],
    ],
    [
      'output a little cheaper than input',
      [line('input_tokens', 5), line('output_tokens', 4)],
      ['output_slightly_below_input'],
    ],
    [
      'batch more expensive than standard',
      [line('input_tokens', 1), line('input_tokens', 2, '{"service":"batch"}')],
      ['batch_above_standard'],
    ],
    [
      'a long context cheaper than a short one',
      [line('input_tokens', 2), line('input_tokens', 1, '{"context":">200000"}')],
      ['tier_below_base'],
    ],
    [
      'a cache write that stays an hour and costs more than twice the short input, not the long one',
      [
        line('input_tokens', 3),
        line('input_tokens', 6, '{"context":">200000"}'),
        line('cache_write_tokens', 12, '{"context":">200000","ttl":"1h"}'),
      ],
      [],
    ],
    [
      'a long context that is cheaper than the short one in a batch',
      [
        line('input_tokens', 2, '{"service":"batch"}'),
        line('input_tokens', 1, '{"context":">200000","service":"batch"}'),
      ],
      ['tier_below_base'],
    ],
    ['an ordinary model', [line('input_tokens', 1), line('output_tokens', 5), line('cache_read_tokens', 0.1)], []],
    ['an embedding model, whose output is free', [line('input_tokens', 1), line('output_tokens', 0)], []],
  ] as const)('%s', (_, lines, reasons) => {
    expect(brokenInvariants([...lines]).map(({ reason }) => reason)).toEqual(reasons)
  })
})

describe('an observation', () => {
  it('is left out with a reason when it is not a price, or a zero that means unknown', () => {
    const { usable, suppressed } = usableObservations([
      observed('m', 'input_tokens', '0.1'),
      observed('m', 'cache_read_tokens', '0'),
      observed('m', 'output_tokens', 'NaN'),
      observed('m', 'output_tokens', '-1'),
      observed('m', 'output_tokens', '1e-7'),
      observed('bad\u0000name', 'input_tokens', '1'),
    ])
    expect(usable).toHaveLength(1)
    expect(suppressed).toEqual({ zero_means_unknown: 1, not_a_price: 3, unreadable_name: 1 })
  })

  it('of a free model keeps its zeros', () => {
    const free = [observed('m:free', 'input_tokens', '0'), observed('m:free', 'cache_read_tokens', '0')]
    expect(usableObservations(free).usable).toHaveLength(2)
  })

  it.each([
    ['input at $3,200 per million', 'input_tokens', 'usd_per_token', '0.0032', true],
    ['output at $600 per million', 'output_tokens', 'usd_per_token', '0.0006', false],
    ['a GPU hour for a cent tenth', 'gpu_hours', 'usd_per_gpu_hour', '0.001', true],
    ['a GPU hour for nothing', 'gpu_hours', 'usd_per_gpu_hour', '0', true],
    ['a web search at $500 per thousand', 'web_searches', 'usd_per_search', '0.5', true],
    ['a GPU hour for $3', 'gpu_hours', 'usd_per_gpu_hour', '3', false],
  ] as const)('is implausible or not: %s', async (_, dimension, unit, price, is) => {
    const line = { provider: 'a', resource: 'r', dimension, unit, currency: 'USD', pricingTier: '{}' }
    expect(isOutside(Number(price), limitsOf(await readPriceLimits(), line))).toBe(is)
  })
})

describe('an absence', () => {
  const day = (n: number) => `2026-01-0${n}T00:00:00.000Z` as Instant
  it('is confirmed by three good fetches over three days', () => {
    expect(absenceConfirmed(3, day(1), day(4))).toBe(true)
    expect(absenceConfirmed(9, day(1), day(3))).toBe(false)
    expect(absenceConfirmed(2, day(1), day(5))).toBe(false)
    expect(absenceConfirmed(9, day(1), day(1))).toBe(false)
  })

  it('of more than a tenth, or of a whole provider, waits for a person', () => {
    expect(removalHeld({ listed: 100, missing: 10 })).toBeUndefined()
    expect(removalHeld({ listed: 100, missing: 11 })).toBe('mass_disappearance')
    expect(removalHeld({ listed: 1, missing: 1 })).toBe('whole_provider_missing')
    expect([removableAtOnce(5), removableAtOnce(50)]).toEqual([1, 5])
  })
})

describe('a renaming', () => {
  const prices = new Map([['input', '1'], ['output', '2']]) // biome-ignore format: a table
  const listed = (resource: string, its = prices) => ({ provider: 'p', resource, prices: pricesHash(its) })
  const verdict = (from: string, to: string[], of = prices) =>
    findRenames([listed(from)], to.map((name) => listed(name, of)))[0]?.verdict // biome-ignore format: a call
  it.each([
    ['a spelling', 'BGE-M3', ['bge-m3'], 'renamed'],
    ['a maker put before', 'deepseek-r1-0528', ['deepseek-ai/deepseek-r1-0528'], 'renamed'],
    ['an escape undone', 'llama3-8b-v1%3A0', ['llama3-8b-v1:0'], 'renamed'],
    ['two that are nearly alike', 'gpt-next', ['gpt_next', 'gptnext'], 'possible'],
    ['a dated version', 'magistral-medium-2506', ['magistral-medium'], 'possible'],
    ['another version', 'claude-opus-4-6', ['claude-opus-4-7'], 'possible'],
    ['a free variant', 'vendor/model-large', ['vendor/model-large:free'], 'possible'],
    ['a preview that became final', 'gemini-3.1-flash-lite-preview', ['gemini-3.1-flash-lite'], 'possible'],
    ['another maker', 'meta/llama-guard', ['nvidia/llama-guard'], 'possible'],
    ['another thing at the same price', 'whisper', ['dolphin-mixtral'], undefined],
  ])('of %s', (_, from, to, expected) => {
    expect(verdict(from, to)).toBe(expected)
  })

  it('with other prices is only possible', () => {
    expect(verdict('BGE-M3', ['bge-m3'], new Map([['input', '9']]))).toBe('possible')
  })

  it('is never decided for two old names at once, nor by zeros', () => {
    expect(findRenames([listed('model-a'), listed('Model-A')], [listed('model_a')]).map((it) => it.verdict)).toEqual([
      'possible',
      'possible',
    ])
    const free = new Map([['input', '0']])
    expect(findRenames([{ ...listed('BGE-M3', free), isFree: true }], [listed('bge-m3', free)])[0]?.verdict).toBe(
      'possible',
    )
  })

  it('measures likeness from 0 to 1', () => {
    expect([similarity('abc', 'abc'), similarity('abc', 'xyz'), similarity('abcd', 'abce')]).toEqual([1, 0, 0.75])
  })
})

describe('a revision', () => {
  it('is another value of a money field, one that appears and one that is gone', () => {
    expect(revisedFields({ price: '1', category: 'chat' }, { price: '1', category: 'embedding' })).toEqual(['category'])
    expect(revisedFields({ price: '1' }, { price: '1', effectiveFrom: '2026-01-01' })).toEqual(['effectiveFrom'])
    expect(revisedFields({ price: '1', canonicalResource: 'a/b' }, { price: '1' })).toEqual(['canonicalResource'])
    expect(revisedFields({ price: '1' }, { price: '1', billingCondition: 'prepaid' })).toEqual(['billingCondition'])
  })
})

describe('a tier', () => {
  it('that is a step of the standard price falls back to it', () => {
    const line = { provider: 'p', resource: 'r', dimension: 'd', unit: 'u', currency: 'USD' }
    expect(fallbackLine({ ...line, pricingTier: '{"context":">200000"}' })?.pricingTier).toBe('{}')
    expect(fallbackLine({ ...line, pricingTier: '{"context":">200000","service":"batch"}' })?.pricingTier).toBe(
      '{"service":"batch"}',
    )
    expect(fallbackLine({ ...line, pricingTier: '{"service":"batch"}' })).toBeUndefined()
  })
})

describe('a name that differs by more than spelling and maker', () => {
  const priced = (resource: string, since?: string) => ({
    provider: 'acme',
    resource,
    prices: pricesHash(new Map([['input', '0.000003']])),
    since: since as Instant | undefined,
  })
  const verdict = (from: string, to: string) => findRenames([priced(from)], [priced(to)])[0]?.verdict
  it.each([
    ['lab/Falcon-9-78B', 'lab/Falcon-9-78B-SAFE', 'possible'],
    ['falcon-v4', 'fal-falcon-v4', 'possible'],
    ['falcon-9-78b', 'falcon-9-78b-fp8', 'possible'],
    ['maker-falcon-9', 'maker/Falcon-9', 'renamed'],
    ['maker-falcon-9', 'maker-lab/Falcon-9', 'renamed'],
    ['falcon-4p5-mini', 'falcon-4.5-mini', 'renamed'],
    ['eu.lab.falcon-9-v1:0', 'eu.lab.falcon-9-v1', 'renamed'],
    ['lab.falcon-9-v0:1', 'lab.falcon-9-v0:2', 'possible'],
  ] as const)('%s and %s', (from, to, expected) => {
    expect(verdict(from, to)).toBe(expected)
  })

  it('is renamed to the name that is the same, whatever other names are new', () => {
    const listed = [priced('maker/falcon-9-mini'), priced('maker/falcon-9-nini')]
    const [found] = findRenames([priced('falcon-9-mini')], listed)
    expect([found?.to.resource, found?.verdict]).toEqual(['maker/falcon-9-mini', 'renamed'])
  })

  it('is asked about when the same product was listed later under another date or order, and not when sooner', () => {
    const asked = (from: string, to: string, since: string) =>
      findRenames(
        [priced(from, '2026-02')],
        [],
        [{ ...priced(to, since), prices: pricesHash(new Map([['input', '9']])) }],
      )
    expect(asked('falcon-9-20260205', 'falcon-9', '2026-03')).toMatchObject([{ verdict: 'possible' }])
    expect(asked('falcon-9-latest', 'falcon-9', '2026-03')).toMatchObject([{ verdict: 'possible' }])
    expect(asked('falcon-4-1-heavy', 'falcon-heavy-4.1', '2026-03')).toMatchObject([{ verdict: 'possible' }])
    expect(asked('falcon-9-20260205', 'falcon-9', '2026-02')).toEqual([])
  })
})

describe('a step', () => {
  const step = (resource: string, price: string, tier: object = { context: '>200000' }) => ({
    ...observed(resource, 'input_tokens', price),
    pricingTier: JSON.stringify(tier),
  })
  it('is more expensive for more context, and not beyond what a step costs', () => {
    expect(isStep('0.000003', step('m', '0.000006'))).toBe(true)
    expect(isStep('0.000003', step('m', '0.000003'))).toBe(false)
    expect(isStep('0.000003', step('m', '0.000002'))).toBe(false)
    expect(isStep('0.000003', step('m', '0.00003'))).toBe(false)
    expect(isStep('0.000003', step('m', '0.000002', { timeOfDay: '16:30Z-00:30Z' }))).toBe(true)
  })

  it('of many products at once is the list that learned to write them, of one product under many names it is not', () => {
    const named = ['a-1', 'eu/a-1', 'lab/a-1', 'a-1-20260101', 'b-2', 'c-3'].map((name) => step(name, '0.000006'))
    expect(isListLearning(named)).toBe(false)
    expect(isListLearning([...named, step('d-4', '0.000006')])).toBe(true)
  })
})

describe('a token that costs next to nothing', () => {
  it('was divided by a million twice', async () => {
    const limits = await readPriceLimits()
    const line = { ...observed('m', 'input_tokens', '0'), pricingTier: '{}' }
    expect(isOutside(0.000000000003, limitsOf(limits, line))).toBe(true)
    expect(isOutside(0.0000000002, limitsOf(limits, line))).toBe(false)
    expect(isOutside(0, limitsOf(limits, line))).toBe(false)
  })
})
