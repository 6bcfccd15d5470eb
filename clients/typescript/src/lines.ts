import { groupBy } from './groups.ts'
import type { PriceRow } from './types.ts'

/**
 * Returns what a row has in common with the other rows of its price line. A renamed resource is one line: its rows
 * under the old name carry `renamedTo`.
 */
export function lineKey(row: PriceRow): string {
  const { provider, source, dimension, unit, currency, pricingTier } = row
  const tier = Object.entries(pricingTier).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([provider, source, lineName(row), dimension, unit, currency, tier])
}

/** Returns the rows of each price line, the newest first. */
export function priceLines(rows: Iterable<PriceRow>): PriceRow[][] {
  const lines = groupBy(rows, lineKey).values()
  return [...lines].map((line) => line.sort((a, b) => (a.recordedAt > b.recordedAt ? -1 : 1)))
}

/** Returns the newest row of each price line: its current price at the instant the rows were read at. */
export const currentRows = (rows: Iterable<PriceRow>): PriceRow[] => priceLines(rows).map(([newest]) => newest!)

/** The name that the resource of a row has at the instant the rows were read at. */
export const lineName = ({ resource, renamedTo = resource }: PriceRow): string => renamedTo
