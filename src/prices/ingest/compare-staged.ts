import type { Sql } from '../../lib/sql.ts'
import { difference } from '../plan/difference-rules.ts'
import type { Difference } from '../plan/schema.ts'
import { lineKey } from '../row-rules.ts'
import type { KnownLine } from '../schema.ts'
import { countPrices, differingResources, readingAll, stagedLines } from '../staging/compare-store.ts'
import type { Staged } from '../staging/stage-prices.ts'
import { linesOfResources } from '../store/line-state-store.ts'

type Compared = {
  /** The prices of the snapshot. */
  lines: number
  /** The published lines of the resources that differ, by key. */
  known: Map<string, KnownLine>
  diff: Difference
}

/**
 * Compares a staged snapshot with the published lines. The database finds the resources that differ; only their lines
 * are read and judged.
 */
export async function compareStaged(sql: Sql, source: string, { table }: Staged): Promise<Compared> {
  const { lines, resources } = await readingAll(sql, async (tx) => ({
    lines: await countPrices(tx, table),
    resources: await differingResources(tx, table, source),
  }))
  const known = new Map((await linesOfResources(sql, source, resources)).map((line) => [lineKey(line), line]))
  const { observations, unreadable } = await stagedLines(sql, table, resources)
  const diff = difference(known, observations, unreadable)
  diff.unchanged += lines - observations.length
  return { lines, known, diff }
}
