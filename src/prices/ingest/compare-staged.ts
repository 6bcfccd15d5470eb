import type { Sql, Tx } from '../../lib/sql.ts'
import { linesTakingOver, withoutUndecidable } from '../authority/authority-rules.ts'
import { difference } from '../plan/difference/difference-rules.ts'
import { limitsOf } from '../plan/evidence/price-limit-rules.ts'
import type { Difference } from '../plan/schema.ts'
import { lineKey } from '../row-rules.ts'
import type { KnownLine } from '../schema.ts'
import {
  countPrices,
  differingResources,
  type ResourceName,
  readingAll,
  stagedLines,
} from '../staging/compare-store.ts'
import {
  createFirstLoad,
  divideFirstLoad,
  type FirstLoad,
  hasLines,
  pricedUnits,
  resourcesBesideFirstLoad,
  resourcesOutside,
} from '../staging/first-load-store.ts'
import { linesOfResources } from '../store/line-state-store.ts'
import { readPriceLimits } from './read-price-limits.ts'
import type { SettledInput } from './schema.ts'

export type StagedComparison = {
  /** The prices of the snapshot. */
  lines: number
  /** The published lines of the resources that differ, by key. */
  known: Map<string, KnownLine>
  diff: Difference
  /** The resources that can be taken over as a whole. */
  taken: ReadonlySet<string>
  /** The lines that are published as they are; there are none but in the first snapshots of a source. */
  firstLoad: FirstLoad
}

type Differing = { resources: ResourceName[]; firstLoad: FirstLoad }
const NO_FIRST_LOAD: FirstLoad = { batches: 0, lines: 0 }

/**
 * Compares a staged snapshot with the published lines. The database finds the resources that differ; only their lines
 * are read and judged. In a first snapshot those are the implausible ones: the others are published as they are, in
 * batches of about `rowsAtOnce` rows.
 */
export async function compareStaged(
  sql: Sql,
  source: string,
  { staged: { table }, authority }: SettledInput,
  { first, rowsAtOnce }: { first: boolean; rowsAtOnce: number },
): Promise<StagedComparison> {
  if (first) await createFirstLoad(sql, table)
  const { lines, resources, firstLoad } = await readingAll(sql, async (tx) => ({
    lines: await countPrices(tx, table),
    ...(first
      ? await firstDiffering(tx, source, table, rowsAtOnce)
      : { resources: await differingResources(tx, table, source), firstLoad: NO_FIRST_LOAD }),
  }))
  const own = new Map((await linesOfResources(sql, source, resources)).map((line) => [lineKey(line), line]))
  const known = linesTakingOver(own, authority.taken, authority.served)
  const { observations, unreadable } = await stagedLines(sql, table, resources)
  const { diff, taken } = withoutUndecidable(difference(known, observations, unreadable), authority.taken)
  diff.unchanged += lines - observations.length - firstLoad.lines
  return { lines, known, diff, taken, firstLoad }
}

async function firstDiffering(tx: Tx, source: string, table: string, rowsAtOnce: number): Promise<Differing> {
  const limits = await readPriceLimits()
  const ranges = (await pricedUnits(tx, table)).map((unit) => {
    const {
      least,
      most,
      neverFree = false,
    } = limitsOf(limits, { ...unit, provider: '', resource: '', pricingTier: '' })
    return { ...unit, least, most: Number.isFinite(most) ? most : null, neverFree }
  })
  const outside = await resourcesOutside(tx, table, ranges)
  const firstLoad = await divideFirstLoad(tx, table, source, { rowsAtOnce, except: outside })
  // A first load that was interrupted left lines behind.
  if (!(await hasLines(tx, source))) return { resources: outside, firstLoad }
  const differing = await differingResources(tx, table, source)
  return { resources: await resourcesBesideFirstLoad(tx, table, differing), firstLoad }
}
