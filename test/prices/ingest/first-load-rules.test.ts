import { expect, it } from 'vitest'
import { batchesAtOnce } from '../../../src/prices/ingest/first-load-rules.ts'

it.each([
  ['grow fourfold while they take little', 1, 300, 4],
  ['grow to what fits into four seconds', 4, 3_200, 5],
  ['are never more than ten', 8, 900, 10],
  ['shrink when they take longer', 8, 16_000, 2],
  ['are one at least', 1, 50_000, 1],
])('the batches of a publication %s', (_, before, tookMs, next) => {
  expect(batchesAtOnce(before, tookMs)).toBe(next)
})
