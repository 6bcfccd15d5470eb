import { resourceKey } from '../../../catalog/resource-rules.ts'
import { joinKey } from '../../../lib/collections.ts'
import type { Instant } from '../../../lib/instant.ts'
import { keyWithinResource } from '../../row-rules.ts'
import type { KnownLine } from '../../schema.ts'
import { isResourceGone } from '../absences/removal-rules.ts'
import type { AbsenceToReview, Facts, GoneResource, PlannedRenaming } from '../schema.ts'
import { findRenames, type NamedResource, pricesHash } from './rename-rules.ts'

export type RenamePlan = { renamed: PlannedRenaming[]; toReview: AbsenceToReview[] }

/** Returns the names that begin with the prices of others, each with the old name, by key: those that had none of their own. */
export const continuedNames = (renamed: PlannedRenaming[]): Map<string, string> =>
  new Map(
    renamed
      .filter(({ wasPriced }) => !wasPriced)
      .map(({ provider, from, to }) => [resourceKey({ provider, resource: to }), from]),
  )

/**
 * Decides which gone resources continue under another name, and which may: a person decides those. `refused` are the
 * listed resources with a price that a person decided against: nothing continues under such a name unasked.
 */
export function planRenames(facts: Facts, gone: GoneResource[], refused: Set<string>): RenamePlan {
  const renamed: PlannedRenaming[] = []
  const toReview: AbsenceToReview[] = []
  if (gone.length === 0) return { renamed, toReview }
  const missing = new Map(gone.map((resource) => [missingResource(resource), resource]))
  const providers = new Set(gone.map(({ provider }) => provider))
  const seen = facts.seen.filter(({ provider }) => providers.has(provider))
  const fresh = seen.filter(({ since }) => since === undefined)
  const listedBefore = seen.filter(({ since }) => since !== undefined)
  for (const { from, to, verdict, isSpelling } of findRenames([...missing.keys()], fresh, listedBefore)) {
    const { provider } = from
    if (facts.rejected.has(joinKey(provider, from.resource, to.resource))) continue
    // Another spelling that is priced by now continues what would be removed.
    const isRespelled = isSpelling && to.since !== undefined && isResourceGone(missing.get(from)!, facts)
    if ((verdict === 'renamed' || isRespelled) && !refused.has(resourceKey(to)))
      renamed.push({
        ...{ provider, from: from.resource, to: to.resource, lines: missing.get(from)!.lines },
        wasPriced: to.since !== undefined,
      })
    else if (!facts.quiet) toReview.push(possibleRename(provider, from.resource, to.resource))
  }
  return { renamed, toReview: [...toReview, ...stillOpen(facts, gone, { renamed, toReview })] }
}

const possibleRename = (provider: string, from: string, to: string): AbsenceToReview => ({
  provider,
  kind: 'rename',
  reason: 'possible_rename',
  resources: [from],
  to,
})

/** Open items stay open while the old name is missing and nothing else was decided about it. */
function stillOpen(facts: Facts, gone: GoneResource[], { renamed, toReview }: RenamePlan): AbsenceToReview[] {
  const decided = new Set([
    ...renamed.map(({ provider, from }) => joinKey(provider, from)),
    ...toReview.map(({ provider, resources }) => joinKey(provider, resources[0])),
  ])
  const missing = new Set(gone.map(resourceKey))
  return facts.openRenames
    .filter(({ provider, from }) => !decided.has(joinKey(provider, from)) && missing.has(joinKey(provider, from)))
    .map(({ provider, from, to }) => possibleRename(provider, from, to))
}

const missingResource = ({ provider, resource, lines }: GoneResource): NamedResource => ({
  provider,
  resource,
  prices: pricesHash(new Map(lines.map((line) => [keyWithinResource(line), line.current!.price]))),
  isFree: lines.every((line) => line.current!.price === '0'),
  since: firstRecorded(lines),
})

const firstRecorded = (lines: KnownLine[]): Instant | undefined =>
  lines.map((line) => line.current!.recordedAt).sort()[0]
