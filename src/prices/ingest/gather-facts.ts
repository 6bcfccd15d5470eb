import { databaseNow } from '../../catalog/clock-store.ts'
import { DAY, plus } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { familyOf } from '../plan/origin-rules.ts'
import type { Difference, Facts } from '../plan/schema.ts'
import { type Claim, corroborated, recentPrices } from '../store/evidence-store.ts'
import type { KnownSource } from '../store/line-state-store.ts'
import { openRenames, rejectedAbsences } from '../store/review-store.ts'
import type { IngestInput } from './schema.ts'

/** A price that comes back within this time flips. */
const RECENT_MS = 7 * DAY

/** Reads what the plan of a snapshot depends on beside the difference. */
export async function gatherFacts(
  sql: Sql,
  input: IngestInput,
  diff: Difference,
  before: KnownSource,
  quiet: boolean,
): Promise<Facts> {
  const { source, format } = input.source
  const now = input.at ?? (await databaseNow(sql))
  const changed = diff.proposals.filter(({ kind }) => kind === 'changed')
  const lineIds = changed.map(({ known }) => known!.lineId)
  return {
    now,
    first: before.ingestedAt === undefined,
    quiet,
    lastIngestedAt: before.ingestedAt,
    recentPrices: await recentPrices(sql, lineIds, plus(now, -RECENT_MS)),
    corroborated: await corroborated(sql, source, familyOf(format), changed.map(claimOf)),
    rejected: await rejectedAbsences(sql, source),
    openRenames: await openRenames(sql, source),
  }
}

function claimOf({ key, line, money }: Difference['proposals'][number]): Claim {
  const { provider, resource, dimension, unit, pricingTier } = line
  const { price, canonicalResource } = money
  return { key, provider, resource, dimension, unit, pricingTier, price, canonicalResource }
}
