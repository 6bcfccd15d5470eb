import { describe, expect, it } from 'vitest'
import { createIsolation } from '../../src/lib/isolation/isolation.ts'
import { readDocument } from '../../src/terms/read/read-document.ts'
import { allowedMs } from '../support/suite/allowed-time.ts'

describe('the processor time of texts', () => {
  it(
    'is enough for two contracts of half a megabyte in a process that has just begun',
    async () => {
      await using isolation = createIsolation()
      const [before, after] = [contract('may'), contract('shall')]
      expect(before.length).toBeGreaterThan(450_000)
      const input = { content: { markdown: after }, current: { markdown: before } }
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
