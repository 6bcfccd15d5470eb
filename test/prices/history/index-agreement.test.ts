import { expect, it } from 'vitest'
import { compareWithServed, verifiedOnly } from '../../../bench/accuracy/agreement-rules.ts'
import type { KnownLine, Observation } from '../../../src/prices/schema.ts'
import { day, observed } from '../observed.ts'

const served = (resource: string, price: string, canonicalResource?: string): KnownLine => ({
  provider: 'acme',
  resource,
  dimension: 'input_tokens',
  unit: 'usd_per_token',
  currency: 'USD',
  pricingTier: '{}',
  lineId: resource,
  missingCount: 0,
  current: { contentHash: resource, recordedAt: day(0), price, canonicalResource },
})

const verified = (resource: string, price: string, more: Partial<Observation> = {}): Observation =>
  observed(resource, 'input_tokens', price, { proof: { url: 'https://acme.example', confidence: 'verified' }, ...more })

it('compares each verified price with the served price of the same line, by either name of the model', () => {
  const known = [served('m', '0.000001'), served('eu.n', '0.0000033', 'acme/n'), served('n', '0.000003', 'acme/n')]
  const agreements = compareWithServed(
    [
      verified('m', '0.000001'),
      verified('m', '0.000002'),
      verified('n-2026', '0.000003', { canonicalResource: 'acme/n' }),
      verified('m', '0.000001', { dimension: 'output_tokens' }),
      verified('o', '0.000001'),
      verified('m', '0.000001', { provider: 'other' }),
    ],
    known,
  )
  expect(agreements.map(({ outcome }) => outcome)).toEqual([
    'equal',
    'differs',
    'equal',
    'price_not_listed',
    'model_not_listed',
    'provider_not_listed',
  ])
})

it('leaves out what the index did not confirm', () => {
  expect(verifiedOnly([verified('m', '1', { proof: { url: 'https://a.example', confidence: 'inferred' } })])).toEqual(
    [],
  )
})
