import type { UsageItem } from '../../../clients/typescript/src/cost/index.ts'
import type { PriceRow } from '../../../clients/typescript/src/index.ts'
import type { Observation } from '../../../src/prices/schema.ts'

/** A request as both calculators are asked about it. `input` and `output` count everything. */
export type Request = { input: number; cached: number; written: number; output: number; reasoning: number }

/** A random number from 0 on and below 1, the same for each seed. */
export function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** A request of a chat or of a long document; each part is left out in some. */
export function randomRequest(random: () => number): Request {
  const upTo = (most: number) => Math.floor(random() * most)
  const input = upTo(random() < 0.3 ? 1_000_000 : 30_000)
  const cached = random() < 0.5 ? upTo(input) : 0
  const written = random() < 0.3 ? upTo(input - cached) : 0
  const output = upTo(20_000)
  return { input, cached, written, output, reasoning: random() < 0.3 ? upTo(output) : 0 }
}

export const itemsOf = ({ input, cached, written, output, reasoning }: Request): UsageItem[] => [
  { dimension: 'input_tokens', quantity: input - cached - written },
  { dimension: 'cache_read_tokens', quantity: cached },
  { dimension: 'cache_write_tokens', quantity: written },
  { dimension: 'output_tokens', quantity: output - reasoning },
  { dimension: 'reasoning_tokens', quantity: reasoning },
]

/** What was read in a list, as the API serves it. */
export const servedRow = (observation: Observation, source: string): PriceRow => ({
  ...observation,
  source,
  recordedAt: '2026-09-23T00:00:00.000Z',
  contentHash: JSON.stringify([observation.resource, observation.dimension, observation.pricingTier]),
  approvalStatus: 'auto_approved',
})
