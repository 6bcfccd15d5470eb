import { expect, it } from 'vitest'
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
