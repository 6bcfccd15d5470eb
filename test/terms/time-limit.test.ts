import { describe, expect, it } from 'vitest'
import { createIsolation } from '../../src/lib/isolation/isolation.ts'
import { readDocument } from '../../src/terms/read/read-document.ts'
import { cpuLimitOf } from '../../src/terms/read/time-limit-rules.ts'
import { allowedMs } from '../support/allowed-time.ts'

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

  it(
    'is enough for two contracts of half a megabyte in a process that has just begun',
    async () => {
      await using isolation = createIsolation()
      const [before, after] = [contract('may'), contract('shall')]
      expect(before.length).toBeGreaterThan(450_000)
      const input = { content: { markdown: after }, current: { markdown: before, leftOut: [] } }
      expect(await readDocument(isolation, input)).toMatchObject({ comparison: { classification: 'substantive' } })
    },
    allowedMs(60_000),
  )
})

/** Clauses with words as seldom repeated as in contracts, with their links and bold terms. */
function contract(duty: string): string {
  let seed = 7
  const next = (most: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % most
  }
  const letters = 'aeiourstlnmd'
  const named = () => Array.from({ length: 3 + next(7) }, () => letters[next(letters.length)]).join('')
  const words = Array.from({ length: 3_000 }, named)
  const sentence = () => Array.from({ length: 5 + next(8) }, () => words[next(next(2) ? 60 : 3_000)]).join(' ')
  const clause = (i: number) => {
    const link = `[${words[i % 3_000]}](https://example.com/${words[next(3_000)]}?id=${i})`
    return `${i % 12}. **${sentence()}**: the ${sentence()}, and you ${duty} not ${link} it. The ${sentence()}.`
  }
  return Array.from({ length: 2_800 }, (_, i) => (i % 12 === 0 ? `## ${sentence()}` : clause(i))).join('\n\n')
}
