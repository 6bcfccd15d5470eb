import { databaseNow } from '../../catalog/clock-store.ts'
import { groupBy } from '../../lib/collections.ts'
import { DAY, plus } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { familyOf } from '../plan/origin-rules.ts'
import type { Difference, Facts } from '../plan/schema.ts'
import { lineKey } from '../row-rules.ts'
import type { KnownLine } from '../schema.ts'
import { otherPrices, recentPrices } from '../store/evidence-store.ts'
import type { KnownSource } from '../store/line-state-store.ts'
import { openRenames, rejectedAbsences } from '../store/review-store.ts'
import { type Claim, witnessesOf } from '../store/witness-store.ts'
import { readPriceLimits } from './read-price-limits.ts'
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
  const first = before.ingestedAt === undefined
  const proposed = diff.proposals.filter(({ kind }) => kind !== 'revised')
  const held = diff.waiting.filter((line) => line.held)
  const lineIds = [...proposed.flatMap(({ known }) => known ?? []), ...held].map(({ lineId }) => lineId)
  const claims = first || quiet ? [] : [...proposed.map(claimOf), ...held.map(heldClaim)]
  return {
    now,
    first,
    quiet,
    lastIngestedAt: before.ingestedAt,
    recentPrices: await recentPrices(sql, lineIds, plus(now, -RECENT_MS)),
    others: await otherPrices(sql, source, claims),
    witnesses: groupBy(await witnessesOf(sql, source, familyOf(format), claims), ({ key }) => key),
    limits: await readPriceLimits(),
    rejected: await rejectedAbsences(sql, source),
    openRenames: await openRenames(sql, source),
  }
}

const claimOf = ({ key, line, money }: Difference['proposals'][number]): Claim => ({
  ...line,
  key,
  canonicalResource: money.canonicalResource,
})

function heldClaim(line: KnownLine): Claim {
  const { provider, resource, dimension, unit, currency, pricingTier, current } = line
  const identity = { provider, resource, dimension, unit, currency, pricingTier }
  return { ...identity, key: lineKey(line), canonicalResource: current?.canonicalResource }
}
