import type { PriceRow } from '../../clients/typescript/src/index.ts'

/** A row of the price history, of acme's input tokens where nothing else is given. */
export const priceRow = (fields: Partial<PriceRow> = {}): PriceRow => ({
  provider: 'acme',
  source: 's',
  resource: 'm',
  dimension: 'input_tokens',
  unit: 'usd_per_token',
  currency: 'USD',
  pricingTier: {},
  price: '0.000001',
  recordedAt: '2026-01-01T00:00:00.000Z',
  contentHash: JSON.stringify(fields),
  approvalStatus: 'approved',
  ...fields,
})
