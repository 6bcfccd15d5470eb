import { joinKey } from '../lib/collections.ts'
import type { Instant } from '../lib/instant.ts'
import type { PublishedRow } from '../prices/history/history-rules.ts'
import { tierText } from '../prices/row-rules.ts'
import type { Money } from '../prices/schema.ts'
import type { RowLeaf } from '../proof/tree/leaf-rules.ts'
import type { ExportedRow } from './schema.ts'

/** A period in which a row was served, as it is stored: the text that the row is served as, and its other facts. */
export type StoredPeriod = { [Field in Exclude<keyof Money, 'price'>]-?: string | null } & {
  contentHash: string
  body: string
  publishedAt: Instant
  unpublishedAt: Instant | null
}

/** The names listed for former ones, by source, provider and former name. */
export type ListedNames = Readonly<Record<string, string>>

/** A leaf of a row with its place in the log. */
export type PlacedLeaf = RowLeaf & { leafIndex: number }

/**
 * Returns the line of a leaf as it stood at an instant: what ended its period later had not happened.
 * @param periods those of its row, the first one first
 */
export function exportedRow(
  { at, status, leafIndex }: PlacedLeaf,
  periods: readonly StoredPeriod[],
  { asOf, listedNames }: { asOf: Instant; listedNames: ListedNames },
): ExportedRow {
  const period = periods.findLast(({ publishedAt }) => publishedAt <= at) ?? periods[0]!
  const { body, unpublishedAt, contentHash: _, publishedAt: __, ...facts } = period
  const { approvalStatus: ___, pricingTier, ...served } = JSON.parse(body) as PublishedRow
  const listed = listedNames[joinKey(served.source, served.provider, served.resource)]
  const isServed = status === 'approved' || status === 'auto_approved'
  return {
    ...served,
    pricingTier: typeof pricingTier === 'string' ? pricingTier : tierText(pricingTier),
    ...present(facts),
    ...(listed !== undefined && { renamedTo: listed }),
    approvalStatus: status,
    statusAt: at,
    ...(isServed && unpublishedAt !== null && unpublishedAt <= asOf && { servedUntil: unpublishedAt }),
    leafIndex,
  }
}

function present(facts: Record<string, string | null>): Omit<Money, 'price'> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(facts)) if (value !== null) kept[name] = value
  return kept
}
