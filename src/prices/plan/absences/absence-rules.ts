import { resourceKey } from '../../../catalog/resource-rules.ts'
import { groupBy, joinKey } from '../../../lib/collections.ts'
import { identityOf, lineKey } from '../../row-rules.ts'
import { isDecided, type KnownLine } from '../../schema.ts'
import { waitMs } from '../holds/end-rules.ts'
import { planRenames } from '../renames/renamed-resource-rules.ts'
import type { AbsencePlan, Difference, Facts, GoneResource } from '../schema.ts'
import { planRemovals } from './absent-resource-rules.ts'
import { contestedLines } from './contested-line-rules.ts'
import { linesLostTogether, lostLineItems, unreadableItems } from './lost-line-rules.ts'
import { ASKED_AFTER_MS, isAbsenceConfirmed, retireAfterMs } from './removal-rules.ts'
import { planRereadAbsences } from './reread-absence-rules.ts'

/** Decides what becomes of lines that the snapshot no longer has: renamed first, then removed once confirmed. */
export function planAbsences(diff: Difference, facts: Facts): AbsencePlan {
  const contested = contestedLines(diff)
  const absent = diff.missing.filter((line) => line.current && !contested.missing.has(line))
  // A resource of which nothing can be read has no missing lines.
  const unseen = groupByResource(absent).filter((resource) => !diff.seen.has(resourceKey(resource)))
  const refused = refusedResources(diff)
  if (facts.reread) return { ...planRereadAbsences(absent, unseen, facts, refused), contested: contested.fresh }
  const isContinued = (resource: GoneResource) => facts.continued.has(resourceKey(resource))
  const gone = unseen.filter((resource) => !isContinued(resource))
  const renames = planRenames(facts, gone, refused)
  const removals = planRemovals(facts, gone, renames, refused)
  const removed = new Set(removals.removed.map(resourceKey))
  const asked = renames.toReview.filter(({ provider, resources }) => !removed.has(joinKey(provider, resources[0])))
  const inGone = linesOf(gone)
  const inListed = absent.filter((line) => !inGone.has(line))
  const lost = facts.quiet ? new Set<KnownLine>() : linesLostTogether(inListed, facts.listed)
  // A line that contradicts new prices goes when they are published.
  const contradicted = new Set(diff.waiting.filter(contradictsMissing).map(resourceKey))
  const retireAfter = (line: KnownLine) =>
    contradicted.has(resourceKey(line))
      ? Math.min(waitMs(['contradicts_missing_line']), retireAfterMs(line))
      : retireAfterMs(line)
  const retired = inListed.filter((line) => !lost.has(line) && isAbsenceConfirmed(line, facts, retireAfter(line)))
  const lostForGood = [...lost].filter((line) => isAbsenceConfirmed(line, facts, ASKED_AFTER_MS))
  const unreadable = facts.quiet ? [] : unreadableItems(diff.unreadable)
  const ended = new Set([...linesOf(removals.removed), ...retired, ...linesOf(renames.renamed)])
  return {
    missing: absent.filter((line) => !ended.has(line)),
    reasonsToAsk: removals.reasonsToAsk,
    renamed: renames.renamed,
    removed: removals.removed,
    retired,
    left: unseen.filter((resource) => isContinued(resource) && resource.lines.every((line) => ended.has(line))),
    toReview: [...asked, ...removals.toReview, ...lostLineItems(lostForGood), ...unreadable],
    contested: contested.fresh,
  }
}

/** Returns the resources that the snapshot lists with a price that a person decided against. */
function refusedResources({ waiting, seen }: Difference): Set<string> {
  const decided = waiting.filter(({ decidedPrice }) => decidedPrice !== undefined)
  const priceOf = (line: KnownLine) =>
    seen.get(resourceKey(line))?.find((item) => lineKey(identityOf(item)) === lineKey(line))?.price
  return new Set(decided.filter((line) => isDecided(line, priceOf(line) ?? '')).map(resourceKey))
}

const contradictsMissing = ({ held }: KnownLine) => held?.reasons.includes('contradicts_missing_line') ?? false

const linesOf = (resources: { lines: KnownLine[] }[]) => new Set(resources.flatMap(({ lines }) => lines))

const groupByResource = (lines: KnownLine[]): GoneResource[] =>
  [...groupBy(lines, resourceKey).values()].map((ofResource) => ({
    provider: ofResource[0]!.provider,
    resource: ofResource[0]!.resource,
    lines: ofResource,
  }))
