import { expect, it } from 'vitest'
import { ALL, slicesOf } from '../../src/webhooks/rounds/shard-rules.ts'

it('a shard has slices of 256 at even distances, and each slice is in one shard', () => {
  expect(slicesOf({ shard: 1, of: 64 })).toEqual([1, 65, 129, 193])
  const all = [0, 1, 2].flatMap((shard) => slicesOf({ shard, of: 3 }))
  expect(all.sort((a, b) => a - b)).toEqual(Array.from({ length: 256 }, (_, n) => n))
})

it('one shard alone has all slices', () => {
  expect(slicesOf(ALL)).toEqual(Array.from({ length: 256 }, (_, n) => n))
})
