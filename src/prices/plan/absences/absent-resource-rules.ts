import { resourceKey } from '../../../catalog/resource-rules.ts'
import { groupBy, joinKey } from '../../../lib/collections.ts'
import type { RenamePlan } from '../renames/renamed-resource-rules.ts'
import type { AbsenceToReview, Facts, GoneResource } from '../schema.ts'
import { isResourceGone, REMOVE_AFTER_MS, REMOVE_UNASKED_AFTER_MS, removalHeld } from './removal-rules.ts'

/** Why a person has to confirm a removal, the most serious first: a provider has one item. */
const REASONS = ['whole_provider_missing', 'mass_disappearance', 'missing_everywhere'] as const
type Reason = (typeof REASONS)[number]

type RemovalPlan = {
  removed: GoneResource[]
  toReview: AbsenceToReview[]
  /** Why a person has to confirm the removal of a resource, by its key. */
  reasonsToAsk: ReadonlyMap<string, Reason>
}

/**
 * Decides, provider by provider, which resources are removed now and which removals a person has to confirm. `refused` are
 * listed resources with a price that a person decided against: what may continue under such a name waits.
 */
export function planRemovals(
  facts: Facts,
  gone: GoneResource[],
  renames: RenamePlan,
  refused: ReadonlySet<string> = new Set(),
): RemovalPlan {
  const renamedFrom = new Set(renames.renamed.map(({ provider, from }) => joinKey(provider, from)))
  const missing = gone.filter((resource) => !renamedFrom.has(resourceKey(resource)))
  const reasons = findReasons(facts, missing, renames)
  const inReview = new Map(
    renames.toReview.flatMap(({ provider, resources, to = '' }) =>
      resources.map((resource) => [joinKey(provider, resource), joinKey(provider, to)] as const),
    ),
  )
  const confirmed = missing.filter((resource) => {
    const key = resourceKey(resource)
    if (facts.rejected.has(key) || facts.heirs.has(key) || refused.has(inReview.get(key) ?? '')) return false
    // Whether it was renamed is asked for as long as many that stayed away came back.
    return isResourceGone(resource, facts, inReview.has(key) ? REMOVE_UNASKED_AFTER_MS : REMOVE_AFTER_MS)
  })
  const removed = confirmed.filter(
    (resource) => !reasons.has(resourceKey(resource)) || isEndedByTime(resource, reasons, facts),
  )
  const asked = confirmed.filter((resource) => !removed.includes(resource))
  const toReview = [...groupBy(asked, ({ provider }) => provider)].map(
    ([provider, resources]): AbsenceToReview => ({
      provider,
      kind: 'removal',
      reason: REASONS.find((reason) => resources.some((resource) => reasons.get(resourceKey(resource)) === reason))!,
      resources: resources.map(({ resource }) => resource).sort(),
    }),
  )
  return { removed, toReview, reasonsToAsk: reasons }
}

/** What stayed away and is listed nowhere else is gone, however many went with it; a whole provider is a person's to end. */
const isEndedByTime = (resource: GoneResource, reasons: Map<string, Reason>, facts: Facts): boolean =>
  reasons.get(resourceKey(resource)) !== 'whole_provider_missing' &&
  !facts.listedElsewhere.has(resourceKey(resource)) &&
  isResourceGone(resource, facts, REMOVE_UNASKED_AFTER_MS)

/** Returns the resources whose removal a person has to confirm, each with the reason. */
function findReasons(facts: Facts, missing: GoneResource[], { renamed }: RenamePlan): Map<string, Reason> {
  const reasons = new Map<string, Reason>()
  const everywhere = missingEverywhere(missing)
  for (const [provider, ofProvider] of groupBy(missing, (resource) => resource.provider)) {
    const continued = renamed.filter((renaming) => renaming.provider === provider).length
    const listed = (facts.listed.resources.get(provider) ?? 0) - continued
    const held = removalHeld({ listed, missing: ofProvider.length })
    for (const resource of ofProvider) {
      const key = resourceKey(resource)
      // How many went with it at first decides, however many its provider has now.
      const found = held ?? (everywhere.has(key) ? 'missing_everywhere' : firstReason(resource))
      if (found && (found === 'whole_provider_missing' || !facts.quiet)) reasons.set(key, found)
    }
  }
  return reasons
}

const firstReason = ({ lines }: GoneResource): Reason | undefined =>
  REASONS.find((reason) => lines.some(({ missingReason }) => missingReason === reason))

/** One resource missing from this many providers at once is the source's slip rather than everyone's decision. */
const PROVIDERS_AT_ONCE = 3

/** Names that end alike are one kind of entry of the source: `a:batch` and `b:batch`. */
const variantOf = (resource: string): string => /:[a-z][a-z-]*$/.exec(resource)?.[0] ?? resource

function missingEverywhere(gone: GoneResource[]): Set<string> {
  const together = groupBy(gone, ({ resource, lines }) => joinKey(variantOf(resource), lines[0]!.missingSince))
  const slipped = [...together.values()].filter(
    (same) => new Set(same.map(({ provider }) => provider)).size >= PROVIDERS_AT_ONCE,
  )
  return new Set(slipped.flat().map(resourceKey))
}
