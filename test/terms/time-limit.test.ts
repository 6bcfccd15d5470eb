import { describe, expect, it } from 'vitest'
import { cpuLimitOf } from '../../src/terms/read/time-limit-rules.ts'

const MEGABYTE = 1024 * 1024

describe('the processor time of texts', () => {
  it.each([
    ['nothing', 0, 0, 4_000],
    ['a megabyte that repeats itself', MEGABYTE, 0, 4_000],
    ['a megabyte and a half that repeats itself', 1.5 * MEGABYTE, 0, 6_000],
    ['half a megabyte of contracts', 0.5 * MEGABYTE, 0.125 * MEGABYTE, 7_000],
    ['two megabytes of contracts', 2 * MEGABYTE, 0.5 * MEGABYTE, 20_000],
    ['ten megabytes', 10 * MEGABYTE, 0, 30_000],
    ['a megabyte that repeats nothing', MEGABYTE, 1.1 * MEGABYTE, 30_000],
    ['a PDF', Number.POSITIVE_INFINITY, 0, 30_000],
  ])('of %s is bounded', (_what, bytes, packedBytes, limitMs) => {
    expect(cpuLimitOf(bytes, packedBytes)).toBeCloseTo(limitMs, 5)
  })
})
