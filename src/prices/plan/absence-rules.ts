import { resourceKey } from '../../catalog/resource-rules.ts'
import { groupBy, joinKey } from '../../lib/collections.ts'
import { DAY, epochMs } from '../../lib/instant.ts'
import { identityOf, lineKey } from '../row-rules.ts'
import { isDecided, type KnownLine } from '../schema.ts'
import { planAdoptedAbsences } from './adopted-absence-rules.ts'
import { contestedLines } from './contested-line-rules.ts'
import { CONTRADICTION_STANDS_MS } from './hold-rules.ts'
import { linesLostTogether, lostLineItems, unreadableItems } from './lost-line-rules.ts'
import { ASKED_AFTER_MS, absenceConfirmed, REMOVE_AFTER_MS, removalHeld, retireAfterMs } from './removal-rules.ts'
import { planRenames, type RenamePlan } from './renamed-resource-rules.ts'
import type { AbsencePlan, AbsenceToReview, Difference, Facts, GoneResource } from './schema.ts'

/** Decides what becomes of lines that the snapshot no longer has: renamed first, then removed once confirmed. */
export function planAbsences(diff: Difference, facts: Facts): AbsencePlan {
  const contested = contestedLines(diff)
  const absent = diff.missing.filter((line) => line.current && !contested.missing.has(line))
  // A resource of which nothing can be read has no missing lines.
  const gone = groupByResource(absent).filter((resource) => !diff.seen.has(resourceKey(resource)))
  const refused = refusedResources(diff)
  if (facts.adopted) return { ...planAdoptedAbsences(absent, gone, facts, refused), contested: contested.fresh }
  const renames = planRenames(facts, gone, refused)
  const removals = planRemovals(facts, gone, renames)
  const inGone = linesOf(gone)
  const inListed = absent.filter((line) => !inGone.has(line))
  const lost = facts.quiet ? new Set<KnownLine>() : linesLostTogether(inListed, facts.listed)
  // A line that contradicts new prices goes when they are published.
  const contradicted = new Set(diff.waiting.filter(contradictsMissing).map(resourceKey))
  const retireAfter = (line: KnownLine) =>
    contradicted.has(resourceKey(line)) ? Math.min(CONTRADICTION_STANDS_MS, retireAfterMs(line)) : retireAfterMs(line)
  const retired = inListed.filter((line) => !lost.has(line) && isConfirmed(line, facts, retireAfter(line)))
  const lostForGood = [...lost].filter((line) => isConfirmed(line, facts, ASKED_AFTER_MS))
  const unreadable = facts.quiet ? [] : unreadableItems(diff.unreadable)
  const ended = new Set([...linesOf(removals.removed), ...retired, ...linesOf(renames.renamed)])
  return {
    missing: absent.filter((line) => !ended.has(line)),
    renamed: renames.renamed,
    removed: removals.removed,
    retired,
    toReview: [...renames.toReview, ...removals.toReview, ...lostLineItems(lostForGood), ...unreadable],
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

/** How far apart two releases of a list are at least that confirm each other. */
const RELEASED_AFTER_MS = DAY

function isConfirmed(line: KnownLine, { quiet, now, lastIngestedAt }: Facts, afterMs = REMOVE_AFTER_MS): boolean {
  // In imported history every snapshot is a release of its source: one that lacks a line for a day confirms its end.
  if (quiet) return lastIngestedAt !== undefined && epochMs(now) - epochMs(lastIngestedAt) >= RELEASED_AFTER_MS
  return line.missingSince !== undefined && absenceConfirmed(line.missingCount + 1, line.missingSince, now, afterMs)
}

/** Decides, provider by provider, which resources are removed now and which removals a person has to confirm. */
function planRemovals(facts: Facts, gone: GoneResource[], renames: RenamePlan) {
  const renamedFrom = new Set(renames.renamed.map(({ provider, from }) => joinKey(provider, from)))
  const notRenamed = gone.filter((resource) => !renamedFrom.has(resourceKey(resource)))
  const inReview = new Set(renames.toReview.flatMap((item) => item.resources.map((r) => joinKey(item.provider, r))))
  const everywhere = missingEverywhere(notRenamed)
  const removed: GoneResource[] = []
  const toReview: AbsenceToReview[] = []
  for (const [provider, missing] of groupBy(notRenamed, (resource) => resource.provider)) {
    const renamed = renames.renamed.filter((renaming) => renaming.provider === provider).length
    const held = removalHeld({ listed: (facts.listed.resources.get(provider) ?? 0) - renamed, missing: missing.length })
    const confirmed = missing.filter((resource) => {
      const key = resourceKey(resource)
      if (inReview.has(key) || facts.rejected.has(key) || facts.heirs.has(key)) return false
      return resource.lines.every((line) => isConfirmed(line, facts))
    })
    const slipped = facts.quiet || held ? [] : confirmed.filter(({ resource }) => everywhere.has(resource))
    const certain = confirmed.filter((resource) => !slipped.includes(resource))
    const ask = (reason: AbsenceToReview['reason'], resources: GoneResource[]) =>
      toReview.push({ provider, kind: 'removal', reason, resources: names(resources) })
    if (slipped.length > 0) ask('missing_everywhere', slipped)
    if (certain.length === 0) continue
    if (held === 'whole_provider_missing' || (held && !facts.quiet)) ask(held, certain)
    else removed.push(...certain)
  }
  return { removed, toReview }
}

const names = (resources: GoneResource[]) => resources.map(({ resource }) => resource).sort()

/** One resource missing from so many providers at once is the source's slip rather than everybody's decision. */
const PROVIDERS_AT_ONCE = 3

function missingEverywhere(gone: GoneResource[]): Set<string> {
  const together = groupBy(gone, ({ resource, lines }) => joinKey(resource, lines[0]!.missingSince))
  return new Set(
    [...together.values()].filter((same) => same.length >= PROVIDERS_AT_ONCE).map(([first]) => first!.resource),
  )
}
