import { readExcerpt } from '../evidence/read-excerpt.ts'
import type { Isolation } from '../lib/isolation/isolation.ts'
import type { Sql } from '../lib/sql.ts'
import { describeHeldRow, type HeldRowDetails } from '../prices/review/describe-held-row.ts'
import { listReviewedRows, type ReviewedRow } from '../prices/review/list-reviews.ts'
import type { ShownLine } from '../prices/review/review-text-rules.ts'
import { compareWithCurrent, type VersionDifference } from '../terms/read/compare-versions.ts'
import { readVersion, type VersionText } from '../terms/read/read-version.ts'
import type { QueueItem } from './schema.ts'

type Tools = { sql: Sql; isolation: Isolation }

export type ItemLine = ShownLine & {
  contentHash: string
  /** Why it is held, and what was known about it when it was judged last. */
  verdict?: ReviewedRow['verdict']
}

/** Returns the price rows that an item is about, beside what is published of their lines. */
export async function itemLines(sql: Sql, item: Pick<QueueItem, 'rows'>): Promise<ItemLine[]> {
  const rows = await listReviewedRows(sql, item.rows)
  const lines = rows.map(({ row: { contentHash, resource, dimension, pricingTier, unit, price }, ...published }) => ({
    contentHash,
    resource,
    dimension,
    pricingTier,
    unit,
    price,
    ...published,
  }))
  const order = ({ resource, dimension, pricingTier }: ItemLine) => `${resource}\n${dimension}\n${pricingTier}`
  return lines.sort((a, b) => (order(a) < order(b) ? -1 : 1))
}

/** One price of each resource is described, of this many resources: an item about many is alike throughout. */
const MOST_RESOURCES = 3

export type ItemContext = Omit<HeldRowDetails, 'row'> & {
  contentHash: string
  resource: string
  dimension: string
  snapshot?: string
  locator?: string
  /** What the snapshot says around the price. */
  excerpt?: string
}

/** Returns what is beside the prices of an item: neighbours, and the place in the snapshot. */
export async function itemContext(tools: Tools, lines: ItemLine[]): Promise<ItemContext[]> {
  const perResource = new Map(lines.toReversed().map((line) => [line.resource, line]))
  const chosen = [...perResource.values()].slice(0, MOST_RESOURCES)
  const described = await Promise.all(
    chosen.map(async ({ contentHash }) => {
      const found = await describeHeldRow(tools.sql, contentHash)
      if (!found) return []
      const { row, ...rest } = found
      const { resource, dimension, snapshotHash: snapshot, locator } = row
      const excerpt = await readExcerpt(tools, row)
      return [{ contentHash, resource, dimension, snapshot, locator, ...rest, ...(excerpt && { excerpt }) }]
    }),
  )
  return described.flat()
}

/** A held document, and what it says otherwise than the version in force, where there is one. */
export type HeldDocument = { version: VersionText; difference?: VersionDifference }

/** Returns the document that an item is about; undefined for an item about prices. */
export async function heldDocument({ sql, isolation }: Tools, item: QueueItem): Promise<HeldDocument | undefined> {
  if (item.kind !== 'terms') return undefined
  return { version: await readVersion(sql, item.id), difference: await compareWithCurrent({ sql, isolation }, item.id) }
}
