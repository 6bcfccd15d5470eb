import type { LineOfResource, ListedLine, PricePoint, ResourceIdentity } from '../../events/payloads/parts.ts'
import { type PriceChange, priceChangedEvent } from '../../events/payloads/price-changed.ts'
import { priceRevisedEvent } from '../../events/payloads/price-revised.ts'
import type { EventDraft } from '../../events/schema.ts'
import type { Instant } from '../../lib/instant.ts'
import { type LineIdentity, type Money, moneyOf } from '../store/row-rules.ts'
import { revisedFields } from './revision-rules.ts'

/** A row as events tell it. */
export type ToldRow = LineIdentity & Money & { recordedAt: Instant; contentHash: string }

export const pointOf = ({ price, recordedAt, contentHash }: Omit<PricePoint, never>): PricePoint => ({
  price,
  recordedAt,
  contentHash,
})

export const lineOf = ({ dimension, unit, currency, pricingTier }: LineIdentity): LineOfResource => ({
  dimension,
  unit,
  currency,
  pricingTier: JSON.parse(pricingTier),
})

export const listedLineOf = (row: ToldRow): ListedLine => ({ ...lineOf(row), ...pointOf(row) })

export const identityFor = (source: string, row: { resource: string } & Partial<Money>): ResourceIdentity => ({
  source,
  resource: row.resource,
  ...(row.canonicalResource && { canonicalResource: row.canonicalResource }),
})

export function changedDraft(
  source: string,
  creditPriced: boolean,
  row: ToldRow,
  points: Pick<PriceChange, 'previous' | 'current' | 'tier'>,
): EventDraft {
  const { effectiveFrom } = row
  const change = { ...identityFor(source, row), ...lineOf(row), ...points, ...(effectiveFrom && { effectiveFrom }) }
  return priceChangedEvent(row.provider, creditPriced, change)
}

/** The event for a row that kept its price; none when nothing a customer is charged by was revised. */
export function revisedDraft(
  source: string,
  creditPriced: boolean,
  before: Money & PricePoint,
  row: ToldRow,
): EventDraft | undefined {
  const revised = revisedFields(before, row)
  if (revised.length === 0) return undefined
  return priceRevisedEvent(row.provider, creditPriced, {
    ...identityFor(source, row),
    ...lineOf(row),
    previous: { ...moneyOf(before), ...pointOf(before) },
    current: { ...moneyOf(row), ...pointOf(row) },
    revised,
    affected: { from: before.recordedAt, to: row.recordedAt },
  })
}
