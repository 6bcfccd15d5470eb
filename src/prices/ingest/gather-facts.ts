import { databaseNow } from '../../catalog/clock/clock-store.ts'
import { resourceKey } from '../../catalog/resource-rules.ts'
import { speaksFor } from '../../catalog/schema.ts'
import { groupBy } from '../../lib/collections.ts'
import { DAY, type Instant, plus } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { isBehind, servedElsewhere, shownElsewhere } from '../authority/authority-store.ts'
import { MASS_LEAST } from '../plan/difference/batch-rules.ts'
import { pricesBeside, publishedPrices } from '../plan/evidence/evidence-rules.ts'
import type { ListedPrice } from '../plan/evidence/evidence-schema.ts'
import { familyOf } from '../plan/evidence/origin-rules.ts'
import { needsEvidence } from '../plan/holds/change-rules.ts'
import { type Difference, type Facts, isPriced } from '../plan/schema.ts'
import type { DifferingLine } from '../plan/sets/line-set-rules.ts'
import { lineKey } from '../row-rules.ts'
import { type KnownLine, servedRow } from '../schema.ts'
import { listedCounts, listedPrices, seenResources } from '../staging/listing-store.ts'
import type { StagedSnapshot } from '../staging/stage-prices.ts'
import { openRenames, rejectedAbsences } from '../store/absence-review-store.ts'
import { otherPrices, recentPrices } from '../store/evidence-store.ts'
import type { KnownSource } from '../store/line-state-store.ts'
import { type Claim, witnessesOf } from '../store/witness-store.ts'
import { dueUpcoming } from '../upcoming/upcoming-store.ts'
import { readPriceLimits } from './read-price-limits.ts'
import type { StagedInput } from './schema.ts'

/** A price that comes back within this time flips. */
const RECENT_MS = 7 * DAY

type Gathering = {
  before: KnownSource
  quiet: boolean
  reread: boolean
  staged: StagedSnapshot
  /** Prices that are announced, which are judged as if they came now. */
  announced: DifferingLine[]
}

/** Reads what the plan of a snapshot depends on beside the difference. */
export async function gatherFacts(
  sql: Sql,
  input: StagedInput,
  diff: Difference,
  { before, quiet, reread, staged, announced }: Gathering,
): Promise<Facts> {
  const { source, format } = input.source
  const now = input.at ?? (await databaseNow(sql))
  const first = before.ingestedAt === undefined
  const proposed = diff.proposals.filter(isPriced)
  const held = diff.waiting.filter((line) => line.held)
  const lineIds = [...[...proposed, ...announced].flatMap(({ known }) => known ?? []), ...held].map((one) => one.lineId)
  // The first snapshot of a source is compared with what others are served for, and with nothing else.
  const judged = first ? proposed.filter(({ known }) => known?.takesOver) : proposed
  const gone = goneResources(diff)
  const shown = await shownElsewhere(sql, source, gone, now)
  const later = first ? [] : announced.map(announcedClaim)
  const claims = quiet ? [] : [...judged.map(claimOf), ...held.map(heldClaim), ...later]
  return {
    now,
    first,
    quiet,
    reread,
    lastIngestedAt: before.ingestedAt,
    recentPrices: await recentPrices(sql, lineIds, plus(now, -RECENT_MS)),
    others: await otherPrices(sql, source, claims),
    witnesses: groupBy(await witnessesOf(sql, source, familyOf(format), claims), ({ key }) => key),
    limits: await readPriceLimits(),
    listed: await listedCounts(sql, source, providersToCount(diff)),
    seen: await seenResources(sql, staged.table, source, providersWithGone(diff)),
    published:
      first || quiet
        ? publishedPrices([])
        : publishedPrices(await pricesBesideDifferences(sql, source, diff, later), listedInstead(diff)),
    rejected: await rejectedAbsences(sql, source),
    heirs: new Set(shown.filter(({ isHeir }) => isHeir).map(resourceKey)),
    continued: await servedElsewhere(sql, source, gone, now),
    listedElsewhere: new Set(shown.map(resourceKey)),
    speaksFor: (provider) => speaksFor(input.source, provider),
    isBehind: await isBehind(sql, source),
    announced: await announcedBefore(sql, source, now),
    openRenames: await openRenames(sql, source),
  }
}

/** The providers whose number of resources matters: those that lost lines, or differ in many resources. */
function providersToCount({ missing, proposals, waiting }: Difference): string[] {
  const differing = new Set([...proposals.map(({ line }) => line), ...waiting].map(resourceKey))
  const lines = differing.size < MASS_LEAST ? missing : [...missing, ...proposals.map(({ line }) => line), ...waiting]
  return [...new Set(lines.map(({ provider }) => provider))]
}

/** The published lines of resources that are no longer listed. */
const goneResources = ({ missing, seen }: Difference): KnownLine[] =>
  missing.filter((line) => line.current && !seen.has(resourceKey(line)))

/** The providers that may have renamed a resource: one of theirs is no longer listed. */
const providersWithGone = (diff: Difference): string[] => [
  ...new Set(goneResources(diff).map(({ provider }) => provider)),
]

function pricesBesideDifferences(
  sql: Sql,
  source: string,
  { proposals, waiting }: Difference,
  announced: Claim[],
): Promise<ListedPrice[]> {
  const proposed = proposals
    .filter(isPriced)
    .map(({ kind, line, known, money: { price, canonicalResource } }) => ({
      ...line,
      canonicalResource,
      needed: needsEvidence({ kind, before: known && servedRow(known)?.price, after: price, isHeld: false }),
    }))
    .filter(({ needed }) => needed)
  const held = waiting
    .filter((line) => line.held)
    .map((line) => ({ ...line, canonicalResource: line.held?.canonicalResource }))
  // What a price is in proportion to its input price is compared with the provider's other resources.
  const claims = [...proposed, ...held, ...announced].flatMap((claim) => [
    claim,
    { ...claim, dimension: 'input_tokens' },
  ])
  const kinds = claims.map(({ dimension, unit, currency, pricingTier }) => ({ dimension, unit, currency, pricingTier }))
  const distinct = [...new Map(kinds.map((kind) => [JSON.stringify(kind), kind])).values()]
  return listedPrices(sql, source, distinct, pricesBeside(claims))
}

/** The prices that a snapshot lists instead of the published ones, by line key. */
const listedInstead = ({ proposals, waiting }: Difference): Map<string, string> =>
  new Map([
    ...waiting.flatMap((line) => (line.held ? [[lineKey(line), line.held.price] as const] : [])),
    ...proposals.map(({ key, money }) => [key, money.price] as const),
  ])

const claimOf = ({ key, line, money }: Difference['proposals'][number]): Claim => ({
  ...line,
  key,
  canonicalResource: money.canonicalResource,
})

const announcedClaim = ({ key, line, canonicalResource }: DifferingLine): Claim => ({ ...line, key, canonicalResource })

/** What the source announced for a day that has come, by line key. */
async function announcedBefore(sql: Sql, source: string, now: Instant): Promise<Facts['announced']> {
  const due = await dueUpcoming(sql, source, now)
  return new Map(due.map(({ price, since, fetches, ...line }) => [lineKey(line), { price, since, fetches }]))
}

function heldClaim(line: KnownLine): Claim {
  const { provider, resource, dimension, unit, currency, pricingTier, held } = line
  const identity = { provider, resource, dimension, unit, currency, pricingTier }
  return { ...identity, key: lineKey(line), canonicalResource: held?.canonicalResource }
}
