import { describe, expect, it } from 'vitest'
import type { Evidence } from '../../src/prices/plan/evidence/evidence-schema.ts'
import { describeEvidence } from '../../src/review/evidence-rules.ts'
import { day } from '../prices/observed.ts'

it('says what is known about a held price in sentences, in the unit that people read', () => {
  const evidence = {
    before: '0.00001',
    after: '0.01',
    fitBefore: 'fits' as const,
    fitAfter: 'misfits' as const,
    misfit: 'limits' as const,
    limits: { least: 0.000000001, most: 0.001 },
    sellers: { count: 2, least: 0.000009, most: 0.00001, median: 0.000009 },
    provider: { count: 1, least: 0.00001, most: 0.00001, median: 0.00001 },
    toInput: { before: 4, after: 0.004 },
    witnesses: [{ source: 'index', price: '0.00001', agrees: false, since: day(1), url: 'https://example.com/prices' }],
  }
  const verdict = { reasons: ['power_of_ten', 'with_its_set'], evidence, wait: { since: day(2), fetches: 9 } }
  expect(describeEvidence(verdict, 'usd_per_token')).toEqual({
    reasons: [
      'The old and the new price differ by a power of ten, which is usually a misread unit.',
      'The price waits for the other prices of its resource.',
    ],
    listed: 'Listed in 9 good fetches since 2026-01-03 00:00 UTC.',
    facts: [
      'The published price 10 is near what other sellers charge.',
      'The proposed price 10,000 is implausible: it is outside the limits of its dimension.',
      'The limits are 0.001 to 1,000 USD per million tokens.',
      '2 other sellers: 9 to 10, half of them up to 9.',
      '1 price of this provider for the same: 10.',
      'The proposed price is 0.004 times the input price; the published one is 4 times the input price.',
      'index shows 10 since 2026-01-02 00:00 UTC, read at https://example.com/prices.',
    ],
  })
})

describe('a fact about a held price', () => {
  const facts = (evidence: Partial<Evidence>): string[] =>
    describeEvidence(
      { reasons: [], evidence: { after: '0.00001', fitAfter: 'plausible', ...evidence } as Evidence },
      'usd_per_token',
    ).facts

  it('says whether the price fits, and why it does not', () => {
    expect(facts({})).toEqual(['The proposed price 10 is plausible.'])
    expect(facts({ fitAfter: 'fits' })).toEqual(['The proposed price 10 is near what other sellers charge.'])
    expect(facts({ fitAfter: 'misfits', misfit: 'sellers' })).toEqual([
      'The proposed price 10 is implausible: it is far from what other sellers charge.',
    ])
    expect(facts({ fitAfter: 'misfits', misfit: 'input', limits: { least: 0.000001, most: 0.001 } })).toEqual([
      'The proposed price 10 is implausible: it is out of proportion to the input price.',
    ])
    expect(facts({ sameShareAs: 'm2' })).toEqual(['The proposed price 10 has the same share of its input price as m2.'])
  })

  it('names the published price where it is known how well that fits', () => {
    expect(facts({ before: '0.000002', fitBefore: 'misfits' })[0]).toBe('The published price 2 is implausible.')
    expect(facts({ before: '0.000002' })).toEqual(['The proposed price 10 is plausible.'])
  })

  it('says what most sellers, and the maker of the model, have to do with it', () => {
    expect(facts({ priceOfMost: true, isMaker: true }).slice(1)).toEqual([
      'Several of them charge the proposed price already, and most list it now.',
      'Other sellers name this provider as the maker of the model.',
    ])
    expect(facts({ provider: { count: 3, least: 0.000001, most: 0.000004, median: 0.000002 } }).slice(1)).toEqual([
      '3 prices of this provider for the same: 1 to 4, half of them up to 2.',
    ])
    expect(facts({ sellers: { count: 1, least: 0.000001, most: 0.000001, median: 0.000001 } }).slice(1)).toEqual([
      '1 other seller: 1.',
    ])
  })

  it('compares it with the input price, before and now', () => {
    expect(facts({ toInput: { before: 4, after: 4.0001 } }).slice(1)).toEqual([
      'The proposed price is 4 times the input price, as before.',
    ])
    expect(facts({ toInput: { after: 1 } }).slice(1)).toEqual(['The proposed price is the input price.'])
    expect(facts({ toInput: { before: 0.12345 } }).slice(1)).toEqual([
      'The published price is 0.123 times the input price.',
    ])
  })

  it('compares it with the shares of other resources', () => {
    expect(facts({ shares: { count: 1, least: 2, most: 2, median: 2 } }).slice(1)).toEqual([
      '1 other resource of this provider costs 2 times the input price.',
    ])
    expect(facts({ shares: { count: 2, least: 2, most: 4.56789, median: 3 } }).slice(1)).toEqual([
      '2 other resources of this provider cost 2 to 4.57 times the input price.',
    ])
  })

  it('names what another list shows, with no instant or address where none is known', () => {
    expect(facts({ witnesses: [{ source: 'index', price: '0.000002', agrees: false }] }).slice(1)).toEqual([
      'index shows 2.',
    ])
  })

  it('is missing where nothing was found out', () => {
    expect(describeEvidence({ reasons: [], wait: { since: day(2), fetches: 1 } }, 'usd_per_token')).toEqual({
      reasons: [],
      facts: [],
      listed: 'Listed in 1 good fetch since 2026-01-03 00:00 UTC.',
    })
    expect(describeEvidence({ reasons: [] }, 'usd_per_token')).toEqual({ reasons: [], facts: [] })
  })
})
