import { groupBy, joinKey } from '../../lib/collections.ts'
import { keyWithinResource } from '../row-rules.ts'
import { isSamePrice } from '../same-price-rules.ts'
import { isMassChange } from './batch-rules.ts'
import { checkChange, checkFirstPrice, isCorrection, isUnitFlip, needsEvidence } from './check-rules.ts'
import { evidenceOf, isSpot } from './evidence-rules.ts'
import type { Evidence } from './evidence-schema.ts'
import { hasStood, isEndedByTime, judgedAgainAt } from './hold-rules.ts'
import { type BrokenRelation, brokenRelations, type ResourcePrices } from './invariant-rules.ts'
import type { DifferingLine, LineSet } from './line-set-rules.ts'
import { takeOwnWord } from './own-word-rules.ts'
import { implausible } from './sanity-rules.ts'
import type { Facts, HoldReason, Verdict } from './schema.ts'

/** A provider of which so many prices, and this share of its changed ones, flip a unit was misread. */
const FLIPS_TO_HOLD_PROVIDER = 3
const FLIPPED_SHARE = 0.3

/** A set with the verdict on each of its lines: held when any of them is. */
export type JudgedSet = { set: LineSet; verdicts: Map<DifferingLine, Verdict>; isHeld: boolean; inMassChange: boolean }

/** What sets are judged by: the facts, and what each resource costs before and after. */
export type Judging = {
  facts: Facts
  /** New lines that differ from a missing line in unit or currency alone. */
  contested: Map<string, HoldReason>
  pricesOf: (resourceKey: string) => ResourcePrices
}

/** Decides which sets are published and which are held, and why. */
export function judgeSets(sets: LineSet[], judging: Judging): JudgedSet[] {
  const { facts } = judging
  // The first snapshot of a source is only checked for sanity, unless it takes over what another one is served for.
  const isAlone = (set: LineSet) =>
    facts.quiet || (facts.first && !set.lines.some(({ known }) => known?.takesOver !== undefined))
  const alone = sets.filter(isAlone).map((set) => judgedAlone(set, facts))
  const judged = sets.filter((set) => !isAlone(set)).map((set) => ({ set, found: judgeLines(set, judging) }))
  shareDoubts(judged)
  takeOwnWord(judged, batchOf, facts)
  const { massive, flipped } = providersAtOnce(facts, judged)
  const compared = judged.map(({ set, found }) => {
    // A first price is judged by itself: most prices of its provider may be as they were.
    const isChange = set.lines.some(isChanged)
    const inMassChange = massive.has(batchOf({ set })) && isChange
    const isFlipped = flipped.has(batchOf({ set })) && isChange && !isConfirmed(found)
    const ofProvider: HoldReason[] = [
      ...(inMassChange ? (['mass_change'] as const) : []),
      ...(isFlipped ? (['provider_flipped_unit'] as const) : []),
    ]
    return withVerdicts(set, found, ofProvider, facts, inMassChange)
  })
  return [...alone, ...compared]
}

/** The sets of a provider that began to stand in one snapshot. What is held since an earlier one is no part of it. */
const batchOf = ({ set: { provider, standing } }: { set: LineSet }): string => joinKey(provider, standing.since)

type Found = Map<DifferingLine, { reasons: HoldReason[]; evidence?: Evidence }>

function judgeLines(set: LineSet, { facts, contested, pricesOf }: Judging): Found {
  const prices = pricesOf(set.resourceKey)
  const broken = brokenRelations(prices)
  const isNewResource = prices.before.length === 0
  return new Map(
    set.lines.map((line) => {
      const evidence = needsEvidence({ ...line, isHeld: line.proposal === undefined })
        ? evidenceOf(line, prices, facts)
        : ordinaryEvidence(line, facts)
      const check = line.kind === 'changed' ? checkChange(evidence) : checkFirstPrice(evidence)
      const conflict = contested.get(line.key)
      const relations = relationReasons(line, set, broken)
      // First prices cannot have been swapped: some products really cost less to write than to read.
      const unusual = isNewResource && relations.length > 0
      const reasons = [
        ...implausible(line.line, line.after, facts.limits),
        ...check,
        ...(conflict ? [conflict] : []),
        ...(isLeft(line) ? (['left_by_its_source'] as const) : []),
        ...(unusual ? (['unusual_first_price'] as const) : relations),
      ]
      return [line, { reasons: [...new Set(reasons)], evidence }]
    }),
  )
}

/** Whether the price in force replaced this one in its own source: those that contradict it may not have followed yet. */
const isLeft = ({ known, after }: DifferingLine): boolean =>
  known?.takesOver?.left?.some((price) => isSamePrice(price, after)) ?? false

function ordinaryEvidence({ before, after, known, line }: DifferingLine, { recentPrices }: Facts): Evidence {
  const returns = !isSpot(line) && recentPrices.get(known!.lineId)?.prices.includes(after)
  return { before, after, fitBefore: 'plausible', fitAfter: 'plausible', ...(returns && { returns: true }) }
}

const isChanged = ({ kind, line }: DifferingLine) => kind === 'changed' && !isSpot(line)

/** A broken relation is a doubt about the line that breaks it; about all that differ when that line did not change. */
function relationReasons({ line }: DifferingLine, { ofResource }: LineSet, broken: BrokenRelation[]): HoldReason[] {
  const key = keyWithinResource(line)
  const differs = (wanted: string) => ofResource.some((one) => keyWithinResource(one.line) === wanted)
  return broken.filter((one) => one.key === key || !differs(one.key)).map(({ reason }) => reason)
}

/** A set with what speaks against each of its lines. */
type Doubted = { set: LineSet; found: Found }

/**
 * Gives the same change of the same price, under other names of the provider, the same doubt: nobody else may sell under
 * those names, but the list slipped in all of them.
 */
function shareDoubts(judged: Doubted[]): void {
  const changes = judged.flatMap(({ set, found }) =>
    set.lines.filter(isChanged).map((line) => ({ change: changeOf(line), reasons: found.get(line)!.reasons })),
  )
  const doubted = new Set(changes.filter(({ reasons }) => isUnlikeOthers(reasons)).map(({ change }) => change))
  for (const { change, reasons } of changes)
    if (doubted.has(change) && !isUnlikeOthers(reasons)) reasons.push('unlike_other_sellers')
}

const isUnlikeOthers = (reasons: HoldReason[]) => reasons.includes('unlike_other_sellers')

const changeOf = ({ line, before, after }: DifferingLine): string =>
  joinKey(line.provider, line.dimension, line.unit, line.currency, line.pricingTier, before!, after)

/** Returns the batches in which a provider changes as a whole, and those in which a unit was misread. */
function providersAtOnce({ listed }: Facts, judged: Doubted[]) {
  const massive = new Set<string>()
  const flipped = new Set<string>()
  for (const [batch, sets] of groupBy(judged, batchOf)) {
    const { provider } = sets[0]!.set
    const changed = sets.flatMap(({ set, found }) =>
      set.lines.filter(isChanged).map((line) => found.get(line)!.evidence!),
    )
    const resources = sets.filter(({ set }) => set.lines.some(isChanged)).length
    if (isMassChange(resources, listed.resources.get(provider) ?? 0)) massive.add(batch)
    const flips = changed.filter(
      (one) => isUnitFlip(Number(one.before), Number(one.after)) && !isCorrection(one),
    ).length
    if (flips >= FLIPS_TO_HOLD_PROVIDER && flips > changed.length * FLIPPED_SHARE) flipped.add(batch)
  }
  return { massive, flipped }
}

/** Whether other sellers charge nearly the same for every line of a set. */
const isConfirmed = (found: Found) => [...found.values()].every(({ evidence }) => evidence?.fitAfter === 'fits')

function judgedAlone(set: LineSet, facts: Facts): JudgedSet {
  const found: Found = new Map(
    set.lines.map((line) => [line, { reasons: implausible(line.line, line.after, facts.limits) }]),
  )
  return withVerdicts(set, found, [], facts, false)
}

function withVerdicts(
  set: LineSet,
  found: Found,
  ofProvider: HoldReason[],
  { now }: Facts,
  inMassChange: boolean,
): JudgedSet {
  const all = [...[...found.values()].flatMap(({ reasons }) => reasons), ...ofProvider]
  const { standing } = set
  const isHeld = all.length > 0 && !(isEndedByTime(all) && hasStood(standing, now, all))
  const verdicts = new Map<DifferingLine, Verdict>()
  for (const [line, { reasons, evidence }] of found) {
    const own = [...reasons, ...ofProvider]
    const shown: HoldReason[] = own.length > 0 ? own : all.length > 0 ? ['with_its_set'] : []
    verdicts.set(line, { reasons: shown, evidence, standing, judgedAgainAt: judgedAgainAt(all, standing, now) })
  }
  return { set, verdicts, isHeld, inMassChange }
}
