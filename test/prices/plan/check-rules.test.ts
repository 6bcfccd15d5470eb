import { describe, expect, it } from 'vitest'
import { quarantine } from '../../../src/prices/plan/difference/batch-rules.ts'
import type { Evidence } from '../../../src/prices/plan/evidence/evidence-schema.ts'
import { isUnitFlip } from '../../../src/prices/plan/evidence/unit-flip-rules.ts'
import { isCorrection, needsEvidence } from '../../../src/prices/plan/holds/change-rules.ts'
import { checkChange, checkFirstPrice } from '../holds/line-holds.ts'

const check = (before: string, after: string, more: Partial<Evidence> = {}) =>
  checkChange({ before, after, fitBefore: 'plausible', fitAfter: 'plausible', ...more })
const agrees = { source: 's', price: '9', agrees: true }

describe('a changed price', () => {
  it('is doubtful above three times of the old one, up and down', () => {
    expect([check('0.001', '0.003'), check('0.003', '0.001')]).toEqual([[], []])
    expect([check('0.001', '0.0031'), check('0.0031', '0.001')]).toEqual([['large_change'], ['large_change']])
  })

  it('that is free by its name is not doubtful', () => {
    expect(check('1', '0', { fitAfter: 'fits' })).toEqual([])
    expect(check('1', '0', { fitAfter: 'misfits', misfit: 'sellers' })).toEqual(['to_zero'])
  })

  it('that is outside its limits is doubtful, however little it moved', () => {
    const outside = { fitAfter: 'misfits', misfit: 'limits' } as const
    expect(check('1', '2', outside)).toEqual(['implausible_price'])
    expect(check('1', '4', outside)).toEqual(['large_change', 'implausible_price'])
    expect(check('0', '4', outside)).toEqual(['from_zero', 'implausible_price'])
    expect(check('1', '2', { fitAfter: 'misfits', misfit: 'input' })).toEqual([])
  })

  it('that moved more than tenfold is doubtful unless it fits better than the old one', () => {
    expect(check('1', '12')).toEqual(['very_large_change'])
    expect(check('1', '12', { fitAfter: 'fits' })).toEqual([])
    expect(check('1', '12', { fitBefore: 'fits', fitAfter: 'fits' })).toEqual(['very_large_change'])
    expect(check('1', '12', { recentFirstPrice: true })).toEqual(['very_large_change'])
    expect(check('1', '12', { fitAfter: 'misfits', misfit: 'input', farFromSellers: true })).toEqual([
      'very_large_change',
      'implausible_price',
    ])
  })

  it('that goes back within days is doubtful for that, whatever speaks for it', () => {
    const back = { returns: true } as const
    expect(check('1', '12', { ...back, fitAfter: 'fits' })).toEqual(['flips_back'])
    expect(check('1', '12', back)).toEqual(['very_large_change', 'flips_back'])
    expect(check('1', '10', { ...back, witnesses: [agrees] })).toEqual(['flips_back'])
    expect(check('1', '4', back)).toEqual(['large_change', 'flips_back'])
  })

  it('by a power of ten to the price of most sellers is not a misread unit: large at the maker, doubtful longer elsewhere', () => {
    expect([check('1', '10'), check('100', '1', { isMaker: true })]).toEqual([['power_of_ten'], ['power_of_ten']])
    const most = { priceOfMost: true } as const
    expect([check('1', '10', most), check('100', '1', most)]).toEqual([
      ['tenfold_with_others'],
      ['tenfold_with_others'],
    ])
    const ofMaker = { ...most, isMaker: true } as const
    expect([check('1', '10', ofMaker), check('100', '1', ofMaker)]).toEqual([['large_change'], ['very_large_change']])
    expect(check('1', '10', { ...most, witnesses: [agrees] })).toEqual([])
  })

  it('is not a correction where the new price cannot be right either', () => {
    const both = { fitBefore: 'misfits', fitAfter: 'misfits', misfit: 'limits' } as const
    expect(check('1', '4', both)).toEqual(['large_change', 'implausible_price'])
    expect(check('1', '1000', { ...both, fitAfter: 'plausible', misfit: undefined })).toEqual([])
    const correction = (after: string) => isCorrection({ after, fitBefore: 'misfits', fitAfter: 'plausible' })
    expect([correction('4'), correction('0')]).toEqual([true, false])
  })
})

describe('a first price', () => {
  it('is doubtful when it misfits', () => {
    const first = (after: string, misfit?: Evidence['misfit']) =>
      checkFirstPrice({ after, misfit, fitAfter: misfit ? 'misfits' : 'plausible' })
    expect(first('4')).toEqual([])
    expect([first('4', 'limits'), first('4', 'input')]).toEqual([['implausible_price'], ['implausible_price']])
    expect([first('4', 'sellers'), first('0', 'sellers')]).toEqual([
      ['unlike_other_sellers'],
      ['free_unlike_other_sellers'],
    ])
  })

  it('that a source of another origin shows too is not doubtful, unless it is outside its limits or zero', () => {
    const first = (after: string, misfit: Evidence['misfit']) =>
      checkFirstPrice({ after, misfit, fitAfter: 'misfits', witnesses: [agrees] })
    expect([first('4', 'input'), first('4', 'sellers')]).toEqual([[], []])
    expect([first('4', 'limits'), first('0', 'sellers')]).toEqual([
      ['implausible_price'],
      ['free_unlike_other_sellers'],
    ])
  })
})

describe('a power of ten', () => {
  it('is the difference of two prices within 2 %, and never of zero', () => {
    expect([isUnitFlip(1, 1000), isUnitFlip(1000, 1), isUnitFlip(2, 20.3), isUnitFlip(2, 19.7)]).toEqual(
      Array(4).fill(true),
    )
    expect([isUnitFlip(2, 20.5), isUnitFlip(2, 19.5), isUnitFlip(2, 2.01)]).toEqual(Array(3).fill(false))
    expect([isUnitFlip(0, 10), isUnitFlip(10, 0), isUnitFlip(0, 0)]).toEqual(Array(3).fill(false))
  })
})

describe('evidence', () => {
  it('is gathered for first prices, held ones, and changes by more than three times', () => {
    const needs = (before: string, after: string, more = {}) =>
      needsEvidence({ kind: 'changed', before, after, isHeld: false, ...more })
    expect([needs('1', '3'), needs('3', '1'), needs('2', '2')]).toEqual([false, false, false])
    expect([needs('1', '3.1'), needs('3.1', '1'), needs('0', '1'), needs('1', '0')]).toEqual(Array(4).fill(true))
    expect([needs('1', '2', { kind: 'new' }), needs('1', '2', { isHeld: true })]).toEqual([true, true])
  })
})

describe('a whole snapshot', () => {
  const flips = (count: number) => Array.from({ length: count }, () => ({ before: 1, after: 1000 }))
  const reason = (...args: Parameters<typeof quarantine>) => quarantine(...args)?.reason

  it('is quarantined with less than half of the prices of the last one, from 20 on', () => {
    expect([reason(9, 20, [], 9), reason(10, 20, [], 10), reason(9, 19, [], 9)]).toEqual([
      'collapsed',
      undefined,
      undefined,
    ])
    expect(quarantine(9, 20, [], 9)?.message).toBe('The snapshot has 9 prices; the last good one had 20.')
  })

  it('is quarantined with ten powers of ten that are more than 30 % of its prices', () => {
    expect([reason(100, 100, flips(31), 100), reason(100, 100, flips(30), 100)]).toEqual(['unit_flipped', undefined])
    expect([reason(10, 10, flips(10), 10), reason(9, 9, flips(9), 9)]).toEqual(['unit_flipped', undefined])
    const doubled = Array.from({ length: 10 }, () => ({ before: 1, after: 2 }))
    expect(reason(10, 10, doubled, 10)).toBeUndefined()
  })
})
