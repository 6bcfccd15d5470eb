import { expect, it } from 'vitest'
import { describeEvidence } from '../../src/review/evidence-rules.ts'
import { day } from '../prices/support.ts'

it('tells the evidence of a held price in sentences', () => {
  const evidence = {
    before: '0.00001',
    after: '0.00000001',
    fitBefore: 'fits' as const,
    fitAfter: 'misfits' as const,
    misfit: 'sellers' as const,
    sellers: { count: 2, least: 0.000009, most: 0.00001, median: 0.000009 },
    toInput: { before: 4, after: 0.004 },
    witnesses: [{ source: 'index', price: '0.00001', agrees: false, since: day(1), url: 'https://example.com/prices' }],
  }
  expect(describeEvidence(['power_of_ten'], evidence, { since: day(2), fetches: 9 })).toEqual([
    'Held for power_of_ten.',
    'Listed in 9 good fetches since 2026-01-03T00:00:00.000Z.',
    'The published price 0.00001 is near what other sellers charge.',
    'The proposed price 0.00000001 is implausible: it is far from what other sellers charge.',
    '2 other sellers: 0.000009 to 0.00001, half of them up to 0.000009.',
    'Divided by the input price: 4 before, 0.004 after.',
    'index shows 0.00001 since 2026-01-02T00:00:00.000Z, read at https://example.com/prices.',
  ])
})
