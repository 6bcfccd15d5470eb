import { databaseNow } from '../../catalog/clock/clock-store.ts'
import { resourceKey } from '../../catalog/resource-rules.ts'
import { groupBy } from '../../lib/collections.ts'
import type { Sql } from '../../lib/sql.ts'
import { stagedResources } from '../authority/authority-store.ts'
import type { StagedInput } from '../ingest/schema.ts'
import { nameParts, sameName } from '../plan/renames/name-rules.ts'
import { lineKey } from '../row-rules.ts'
import type { KnownLine } from '../schema.ts'
import { type ResourceName, readingAll, stagedLines } from '../staging/compare-store.ts'
import { linesOfResources } from '../store/line-state-store.ts'
import { asDiffering } from './judge-rules.ts'
import type { FoundUpcoming } from './schema.ts'
import { nextAnnounced, type Spelling } from './upcoming-rules.ts'

const NOTHING: FoundUpcoming = { upcoming: [], lines: [], listed: [], suppressed: {} }

/**
 * Returns what a staged snapshot announces for the resources that its source may speak for: what others decide about has
 * left the snapshot. `known` are lines as they were compared.
 */
export async function findUpcoming(
  sql: Sql,
  { source: { source }, staged: { table }, parsed: { announced = [] }, at }: StagedInput,
  known: Map<string, KnownLine>,
): Promise<FoundUpcoming> {
  if (announced.length === 0) return NOTHING
  const now = at ?? (await databaseNow(sql))
  const providers = [...new Set(announced.map(({ observation }) => observation.provider))]
  const resources = await readingAll(sql, (tx) => stagedResources(tx, table, providers))
  const { upcoming, suppressed } = nextAnnounced(announced, now, spellingOf(resources))
  const named = [...new Map(upcoming.map((one) => [resourceKey(one), one])).values()]
  const own = new Map((await linesOfResources(sql, source, named)).map((line) => [lineKey(line), line]))
  const lines = upcoming.map((one) => asDiffering(one, known.get(lineKey(one)) ?? own.get(lineKey(one))))
  const { observations: listed } = await readingAll(sql, (tx) => stagedLines(tx, table, named))
  return { upcoming, lines, listed, suppressed }
}

/** A snapshot has the names that are served; what it announces is under the names that its source writes. */
function spellingOf(resources: ResourceName[]): Spelling {
  const names = new Set(resources.map(resourceKey))
  const byProvider = groupBy(resources, ({ provider }) => provider)
  return (named) => {
    if (names.has(resourceKey(named))) return named.resource
    const parts = nameParts(named.resource)
    const same = (byProvider.get(named.provider) ?? []).filter((one) => sameName(parts, nameParts(one.resource)))
    return same.length === 1 ? same[0]!.resource : undefined
  }
}
