import { DAY, type Instant, instantOf } from '../../src/lib/instant.ts'
import type { Observation } from '../../src/prices/schema.ts'

/** One USD price per token of a resource of `acme`, unless `more` says otherwise. */
export function observed(
  resource: string,
  dimension: Observation['dimension'],
  price: string,
  more: Partial<Observation> = {},
): Observation {
  const rest = { unit: 'usd_per_token', currency: 'USD', pricingTier: {}, locator: '/', ...more }
  return { provider: 'acme', resource, dimension, price, ...rest }
}

/** Input and output of a model whose output costs four times its input. */
export const model = (resource: string, input: number, more: Partial<Observation> = {}): Observation[] => [
  observed(resource, 'input_tokens', String(input), more),
  observed(resource, 'output_tokens', String(input * 4), more),
]

/** This many models of `acme`, at 1, 2, 3 … cents. */
export const models = (count: number, more: Partial<Observation> = {}): Observation[] =>
  Array.from({ length: count }, (_, i) =>
    model(`filler-${'abcdefghijklmnopqrstuvwxyz'[i % 26]}${i}`, (i + 2) / 1e6 + 1e-9, more),
  ).flat()

/** Midnight of the n-th day of a replayed history. */
export const day = (n: number): Instant => instantOf(Date.UTC(2026, 0, 1) + n * DAY)
