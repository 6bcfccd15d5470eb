import { resourceKey } from '../../catalog/resource-rules.ts'
import { groupBy, joinKey, tally } from '../../lib/collections.ts'
import { identityOf, keyWithinResource, lineKey } from '../row-rules.ts'
import type { KnownLine } from '../schema.ts'
import { isMassChange } from './batch-rules.ts'
import { checkChange, isUnitFlip } from './check-rules.ts'
import { brokenInvariants, type Priced } from './invariant-rules.ts'
import { listedResources, resourcesByProvider } from './listing-rules.ts'
import { implausible } from './sanity-rules.ts'
import type { Difference, Facts, HeldProposal, HoldReason, Proposal } from './schema.ts'

/** After so many unit flips of a provider in one snapshot, all its new lines are held. */
const FLIPS_TO_HOLD_PROVIDER = 3

/** Decides which proposed rows are published and which are held, and why. */
export function reviewReasons(
  known: Map<string, KnownLine>,
  diff: Difference,
  facts: Facts,
  renamedTo: Set<string>,
  contested: Map<string, HoldReason>,
): { publish: Proposal[]; hold: HeldProposal[] } {
  const proposals = diff.proposals.filter(({ line }) => !renamedTo.has(resourceKey(line)))
  // The first snapshot of a source is only checked for sanity: there is nothing to compare it with.
  const compared = !facts.first && !facts.quiet
  const found = [
    ...proposals.flatMap(sanityReasons),
    ...(compared ? proposals.flatMap((proposal) => lineReasons(proposal, facts, contested)) : []),
    ...(compared ? brokenRelations(known, diff, proposals) : []),
    ...(compared ? providerReasons(known, proposals) : []),
  ]
  const reasons = groupBy(found, ({ proposal }) => proposal)
  const publish: Proposal[] = []
  const hold: HeldProposal[] = []
  for (const proposal of diff.proposals) {
    const distinct = [...new Set(reasons.get(proposal)?.map(({ reason }) => reason))]
    if (distinct.length === 0) publish.push(proposal)
    else hold.push({ proposal, reasons: distinct, inMassChange: distinct.includes('mass_change') })
  }
  return { publish, hold }
}

type Found = { proposal: Proposal; reason: HoldReason }

const because = (proposal: Proposal, reasons: HoldReason[]): Found[] => reasons.map((reason) => ({ proposal, reason }))

const sanityReasons = (proposal: Proposal): Found[] =>
  proposal.kind === 'revised' ? [] : because(proposal, implausible(proposal.line, proposal.money))

function lineReasons(proposal: Proposal, facts: Facts, contested: Map<string, HoldReason>): Found[] {
  const reasons = proposal.kind === 'changed' ? changeReasons(proposal, facts) : []
  const conflict = contested.get(proposal.key)
  return because(proposal, conflict ? [...reasons, conflict] : reasons)
}

function changeReasons(proposal: Proposal, facts: Facts): HoldReason[] {
  const { lineId, current } = proposal.known!
  return checkChange({
    before: Number(current!.price),
    after: Number(proposal.money.price),
    corroborated: facts.corroborated.has(proposal.key),
    returns: !isSpot(proposal) && (facts.recentPrices.get(lineId)?.includes(proposal.money.price) ?? false),
  })
}

/** A spot price follows demand: many change at once, to and fro. That alone is no reason to hold it. */
const isSpot = ({ line }: Proposal) => line.pricingTier.includes('"service":"spot"')

/** Returns the proposals that break a relation between a resource's prices which was intact before. */
function brokenRelations(known: Map<string, KnownLine>, diff: Difference, proposals: Proposal[]): Found[] {
  const repriced = proposals.filter(({ kind }) => kind !== 'revised')
  return [...groupBy(repriced, ({ line }) => resourceKey(line))].flatMap(([resource, ofResource]) => {
    const observed = (diff.seen.get(resource) ?? []).map((item) => ({
      line: identityOf(item),
      price: Number(item.price),
    }))
    const after = observed.map(({ line, price }): Priced => ({ ...line, price }))
    const before = observed.flatMap(({ line }): Priced[] => {
      const price = known.get(lineKey(line))?.current?.price
      return price === undefined ? [] : [{ ...line, price: Number(price) }]
    })
    const brokenBefore = new Set(brokenInvariants(before).map(brokenKey))
    return brokenInvariants(after)
      .filter((broken) => !brokenBefore.has(brokenKey(broken)))
      .flatMap(({ line, reason }) => {
        const own = ofResource.filter((proposal) => keyWithinResource(proposal.line) === keyWithinResource(line))
        return (own.length > 0 ? own : ofResource).map((proposal) => ({ proposal, reason }))
      })
  })
}

const brokenKey = ({ line, reason }: { line: Priced; reason: HoldReason }) => joinKey(keyWithinResource(line), reason)

/** Reasons that concern many lines of a provider at once. */
function providerReasons(known: Map<string, KnownLine>, proposals: Proposal[]): Found[] {
  const changed = proposals.filter((proposal) => proposal.kind === 'changed' && !isSpot(proposal))
  const massive = massChanges(known, changed)
  const flipped = flippedProviders(proposals)
  return [
    ...changed
      .filter(({ line }) => massive.has(line.provider))
      .flatMap((proposal) => because(proposal, ['mass_change'])),
    ...proposals
      .filter(({ kind, line }) => kind === 'new' && flipped.has(line.provider))
      .flatMap((proposal) => because(proposal, ['provider_flipped_unit'])),
  ]
}

function massChanges(known: Map<string, KnownLine>, changed: Proposal[]): Set<string> {
  if (changed.length === 0) return new Set()
  const listed = listedResources(known.values())
  const resources = resourcesByProvider(changed.map(({ line }) => line))
  return new Set([...resources.keys()].filter((p) => isMassChange(resources.get(p)!.size, listed.get(p)?.size ?? 0)))
}

function flippedProviders(proposals: Proposal[]): Set<string> {
  const counts: Record<string, number> = {}
  for (const { kind, known, money, line } of proposals)
    if (kind === 'changed' && isUnitFlip(Number(known!.current!.price), Number(money.price)))
      tally(counts, line.provider)
  return new Set(Object.keys(counts).filter((provider) => counts[provider]! >= FLIPS_TO_HOLD_PROVIDER))
}
