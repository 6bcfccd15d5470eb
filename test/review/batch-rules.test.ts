import { expect, it } from 'vitest'
import { SHARES_PRICES, sharesPrices } from '../../src/review/batch-rules.ts'

it('an item shares prices with a batch where one of its rows is decided there, and says what becomes of it', () => {
  const decided = new Set(['a', 'b'])
  expect(sharesPrices({ rows: ['c', 'b'] }, decided)).toBe(true)
  expect(sharesPrices({ rows: ['a', 'b'] }, decided)).toBe(true)
  expect(sharesPrices({ rows: ['c'] }, decided)).toBe(false)
  expect(sharesPrices({ rows: [] }, decided)).toBe(false)
  expect(SHARES_PRICES).toMatch(/^It shares prices with another of these items, .*\. What is left of it waits\.$/)
})
