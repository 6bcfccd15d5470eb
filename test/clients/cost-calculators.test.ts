import { calcPrice } from 'genai-prices-2026-09'
import { describe, expect, it } from 'vitest'
import { costOf } from '../../clients/typescript/src/cost/index.ts'
import type { PriceRow } from '../../clients/typescript/src/index.ts'
import { sourceDeclaration } from '../../src/catalog/schema.ts'
import { bundledSnapshots } from '../../src/collectors/formats/bundled.ts'
import { collectorFor } from '../../src/collectors/index.ts'
import { groupBy } from '../../src/lib/collections.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { itemsOf, type Request, randomOf, randomRequest, servedRow } from '../support/definitions/random-usages.ts'

/** What genai-prices' own calculator says; undefined where a model's id is not a name that it knows the model by. */
function theirCost({ provider, resource }: PriceRow, request: Request, at: string): number | undefined {
  const usage = {
    input_tokens: request.input,
    output_tokens: request.output,
    cache_read_tokens: request.cached,
    cache_write_tokens: request.written,
    output_reasoning_tokens: request.reasoning,
  }
  const found = calcPrice(usage, resource, { providerId: provider, timestamp: new Date(at) })
  return found?.model.id === resource ? found.total_price : undefined
}

describe('what a usage costs, beside the calculator of genai-prices', () => {
  const source = sourceDeclaration.parse({ source: 'genai-prices', format: 'genai-prices' })
  const at = '2026-09-23T12:00:00.000Z' as Instant
  const { observations } = collectorFor('genai-prices')!.parse(bundledSnapshots().at(-1)!.bytes(), { source, at })
  const rows = observations.map((observation) => servedRow(observation, 'genai-prices'))
  const sellers = [...groupBy(rows, ({ provider, resource }) => `${provider} ${resource}`).values()]

  it('is the same for 1,000 random usages, cached input, steps and times of day among them', () => {
    const random = randomOf(7)
    const differences: object[] = []
    const seen = { compared: 0, steps: 0, times: 0, cached: 0 }
    while (seen.compared < 1_000) {
      const own = sellers[Math.floor(random() * sellers.length)]!
      const request = randomRequest(random)
      const when = `2026-09-23T${String(Math.floor(random() * 24)).padStart(2, '0')}:15:00.000Z`
      const theirs = theirCost(own[0]!, request, when)
      if (theirs === undefined) continue
      const { total, parts } = costOf(own, { items: itemsOf(request), at: when })
      const ours = Number(total.USD ?? 0)
      // Theirs is a float.
      if (Math.abs(ours - theirs) > 1e-12 + 1e-9 * ours) differences.push({ ...own[0], request, when, ours, theirs })
      seen.compared++
      if (parts.some(({ row }) => row.pricingTier.context)) seen.steps++
      if (parts.some(({ row }) => row.pricingTier.timeOfDay)) seen.times++
      if (parts.some(({ row }) => row.dimension === 'cache_read_tokens')) seen.cached++
    }
    expect(differences).toEqual([])
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(0)
  })
})
