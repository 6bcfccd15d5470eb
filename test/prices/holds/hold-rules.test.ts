import { describe, expect, it } from 'vitest'
import type { Evidence } from '../../../src/prices/plan/evidence/evidence-schema.ts'
import {
  hasWaited,
  isEndedByTime,
  judgedAgainAt,
  waitEndsAt,
  whyPublished,
} from '../../../src/prices/plan/holds/end-rules.ts'
import type { HoldReason } from '../../../src/prices/plan/holds/index.ts'
import type { Verdict } from '../../../src/prices/plan/schema.ts'
import { day } from '../observed.ts'
import { verdict } from './held-lines.ts'

describe('a doubt', () => {
  it.each([
    'large_change',
    'very_large_change',
    'from_zero',
    'flips_back',
    'mass_change',
    'batch_above_standard',
    'tier_below_base',
    'cache_write_far_above_input',
    'output_slightly_below_input',
    'contradicts_missing_line',
    'tenfold_with_others',
    'unusual_first_price',
    'unusual_at_provider',
    'free_unlike_other_sellers',
    'with_its_set',
  ] as const)('about %s ends once the set has stood', (reason) => {
    expect(isEndedByTime([reason])).toBe(true)
  })

  it.each([
    'power_of_ten',
    'to_zero',
    'unlike_other_sellers',
    'implausible_price',
    'cache_read_above_input',
    'output_below_input',
    'left_by_its_source',
    'currency_changed',
    'unit_changed',
    'provider_flipped_unit',
  ] as const)('about %s is ended by evidence or a person, and by no time', (reason) => {
    expect(isEndedByTime([reason])).toBe(false)
    expect(isEndedByTime(['large_change', reason])).toBe(false)
  })
})

describe('a held set', () => {
  const wait = { since: day(0), fetches: 3 }
  it('has stood after a day, after three where it contradicts a missing price, after 14 where it fell tenfold with others', () => {
    expect([waitEndsAt(wait), waitEndsAt(wait, ['large_change'])]).toEqual([day(1), day(1)])
    expect(waitEndsAt(wait, ['large_change', 'contradicts_missing_line'])).toBe(day(3))
    const withOthers = ['tenfold_with_others', 'contradicts_missing_line'] as const
    expect(waitEndsAt(wait, [...withOthers])).toBe(day(14))
    expect([hasWaited(wait, day(1)), hasWaited(wait, day(2), ['contradicts_missing_line'])]).toEqual([true, false])
  })

  it('that time ends is judged again when it has stood, however late that is', () => {
    const again = (reasons: HoldReason[], now: number) => judgedAgainAt(reasons, wait, day(now))
    expect([again(['large_change'], 0), again(['large_change'], 5)]).toEqual([day(1), day(1)])
    expect([again(['to_zero'], 0), again(['to_zero'], 1), again(['to_zero'], 5)]).toEqual([day(1), day(8), day(12)])
    expect(again(['to_zero', 'contradicts_missing_line'], 2)).toBe(day(3))
  })
})

describe('the reason why a price is published', () => {
  const why = (evidence: Partial<Evidence> | undefined, more: Partial<Verdict> = {}) =>
    whyPublished(
      verdict({
        reasons: [],
        evidence: evidence && { before: '2', after: '1', fitBefore: 'plausible', fitAfter: 'plausible', ...evidence },
        ...more,
      }),
    )
  const witness = (source: string, agrees: boolean) => ({ source, price: '1', agrees })
  const sellers = { count: 4, least: 1, most: 1, median: 1 }

  it('is, of a doubt, how long its source repeated it', () => {
    const stood = { reasons: ['large_change', 'with_its_set'], wait: { since: day(0), fetches: 4 } } as const
    expect(why({ fitAfter: 'fits', sellers }, { ...stood, reasons: [...stood.reasons] })).toBe(
      'large_change, with_its_set; listed in 4 fetches since 2026-01-01T00:00:00.000Z',
    )
  })

  it('is nothing for an ordinary change and for a first price', () => {
    expect(why({})).toBeUndefined()
    expect(why(undefined)).toBeUndefined()
    expect(why({ before: undefined, fitAfter: 'fits', sellers })).toBeUndefined()
    expect(why({ witnesses: [witness('litellm', false)] })).toBeUndefined()
  })

  it('is that the published price could not be right', () => {
    expect(why({ fitBefore: 'misfits', witnesses: [witness('litellm', true)] })).toBe(
      'corrects 2, which was implausible',
    )
    expect(why({ fitBefore: 'misfits', fitAfter: 'misfits' })).toBeUndefined()
  })

  it('is what other sources, other models of the provider, or other sellers show', () => {
    const witnesses = [witness('litellm', true), witness('azure', false), witness('aws', true)]
    expect(why({ witnesses, sameShareAs: 'm2', fitAfter: 'fits', sellers })).toBe('also published by litellm, aws')
    expect(why({ sameShareAs: 'm2', fitAfter: 'fits', sellers })).toBe('the same share of its input price as m2')
    expect(why({ fitAfter: 'fits', sellers })).toBe('4 other sellers charge nearly the same')
    expect([why({ fitAfter: 'fits' }), why({ sellers })]).toEqual([undefined, undefined])
  })
})
