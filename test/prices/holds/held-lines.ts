import type { Instant } from '../../../src/lib/instant.ts'
import type { Verdict } from '../../../src/prices/plan/schema.ts'
import type { KnownLine } from '../../../src/prices/schema.ts'

export const HOUR = 3_600_000
export const at = '2026-11-22T10:00:00.000Z' as Instant
export const earlier = '2026-11-20T10:00:00.000Z' as Instant
export const again = '2026-11-23T10:00:00.000Z' as Instant
export const identity = {
  provider: 'acme',
  resource: 'm1',
  dimension: 'input_tokens',
  unit: 'usd_per_token',
  currency: 'USD',
  pricingTier: '{}',
}
export const current = { price: '1', contentHash: 'published', recordedAt: earlier }
export const held = {
  contentHash: 'held',
  price: '9',
  recordedAt: earlier,
  reasons: ['large_change'],
  wait: { since: earlier, fetches: 2 },
}
export const line = (more: Partial<KnownLine> = {}): KnownLine => ({
  ...identity,
  lineId: '1',
  missingCount: 0,
  current,
  ...more,
})
export const verdict = (more: Partial<Verdict> = {}): Verdict => ({
  reasons: ['large_change'],
  wait: { since: earlier, fetches: 3 },
  judgedAgainAt: again,
  ...more,
})
