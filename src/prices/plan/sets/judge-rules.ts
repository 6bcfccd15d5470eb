import { groupBy, joinKey } from '../../../lib/collections.ts'
import { keyWithinResource } from '../../row-rules.ts'
import { isSamePrice } from '../../same-price-rules.ts'
import type { ResourcePrices } from '../evidence/beside-rules.ts'
import { evidenceOf, isSpot } from '../evidence/evidence-rules.ts'
import type { ContestedPart, Evidence } from '../evidence/evidence-schema.ts'
import { isOutside, limitsOf } from '../evidence/price-limit-rules.ts'
import { changeOf, needsEvidence } from '../holds/change-rules.ts'
import { hasWaited, isEndedByTime, judgedAgainAt } from '../holds/end-rules.ts'
import type { Hold } from '../holds/hold.ts'
import { HOLDS, type HoldReason } from '../holds/index.ts'
import { type BrokenRelation, brokenRelations } from '../holds/invariant-rules.ts'
import { lineHolds } from '../holds/line-rules.ts'
import type { Facts, Verdict } from '../schema.ts'
import type { DifferingLine, LineSet } from './line-set-rules.ts'
import { takeOwnWord } from './own-word-rules.ts'

const OF_PROVIDERS: (Hold & { level: 'provider' })[] = HOLDS.flatMap((hold) =>
  hold.level === 'provider' ? [hold] : [],
)

/** A set with the verdict on each of its lines: held when any of them is. */
export type JudgedSet = { set: LineSet; verdicts: Map<DifferingLine, Verdict>; isHeld: boolean; inMassChange: boolean }

/** What sets are judged by: the facts, and what each resource costs before and after. */
export type Judging = {
  facts: Facts
  /** New lines that differ from a missing line in unit or currency alone. */
  contested: Map<string, ContestedPart>
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
  const ofBatches = holdsOfBatches(facts, judged)
  const compared = judged.map(({ set, found }) => {
    // A first price is judged by itself: most prices of its provider may be as they were.
    const ofBatch = set.lines.some(isChanged) ? ofBatches.get(batchOf({ set }))! : []
    const evidence = [...found.values()].flatMap((line) => line.evidence ?? [])
    const ofProvider = ofBatch.filter(({ unless }) => !unless?.(evidence)).map(({ code }) => code as HoldReason)
    return withVerdicts(set, found, ofProvider, facts)
  })
  return [...alone, ...compared]
}

/** The sets of a provider that began to stand in one snapshot. What is held since an earlier one is not part of it. */
const batchOf = ({ set: { provider, wait } }: { set: LineSet }): string => joinKey(provider, wait.since)

type LineFindings = Map<DifferingLine, { reasons: HoldReason[]; evidence?: Evidence }>

function judgeLines(set: LineSet, { facts, contested, pricesOf }: Judging): LineFindings {
  const prices = pricesOf(set.resourceKey)
  const broken = brokenRelations(prices)
  const isNewResource = prices.before.length === 0
  return new Map(
    set.lines.map((line) => {
      const evidence = needsEvidence({ ...line, isHeld: line.proposal === undefined })
        ? evidenceOf(line, prices, facts)
        : ordinaryEvidence(line, facts)
      const doubtful = {
        evidence,
        change: changeOf(line.kind, evidence),
        isOutside: isOutside(Number(line.after), limitsOf(facts.limits, line.line)),
        contested: contested.get(line.key),
        isLeft: isLeft(line),
      }
      const reasons = lineHolds(doubtful)
      const relations = relationReasons(line, set, broken)
      if (isNewResource && relations.length > 0) reasons.push('unusual_first_price')
      else reasons.push(...relations)
      return [line, { reasons: [...new Set(reasons)], evidence }]
    }),
  )
}

/** Whether the price in force replaced this one in its own source. */
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
type DoubtedSet = { set: LineSet; found: LineFindings }

/**
 * Gives the same change of the same price, under other names of the provider, the same doubt: no one else may sell under
 * those names, but the list slipped in all of them.
 */
function shareDoubts(judged: DoubtedSet[]): void {
  const changes = judged.flatMap(({ set, found }) =>
    set.lines.filter(isChanged).map((line) => ({ change: keyOfChange(line), reasons: found.get(line)!.reasons })),
  )
  const doubted = new Set(changes.filter(({ reasons }) => isUnlikeOthers(reasons)).map(({ change }) => change))
  for (const { change, reasons } of changes)
    if (doubted.has(change) && !isUnlikeOthers(reasons)) reasons.push('unlike_other_sellers')
}

const isUnlikeOthers = (reasons: HoldReason[]) => reasons.includes('unlike_other_sellers')

const keyOfChange = ({ line, before, after }: DifferingLine): string =>
  joinKey(line.provider, line.dimension, line.unit, line.currency, line.pricingTier, before!, after)

/** Returns the holds of each batch in which a provider changes as a whole, or its unit was misread. */
function holdsOfBatches({ listed }: Facts, judged: DoubtedSet[]): Map<string, typeof OF_PROVIDERS> {
  const found = new Map<string, typeof OF_PROVIDERS>()
  for (const [batch, sets] of groupBy(judged, batchOf)) {
    const { provider } = sets[0]!.set
    const changed = sets.flatMap(({ set, found }) =>
      set.lines.filter(isChanged).map((line) => found.get(line)!.evidence!),
    )
    const resources = sets.filter(({ set }) => set.lines.some(isChanged)).length
    const counted = { changed, resources, listed: listed.resources.get(provider) ?? 0 }
    found.set(
      batch,
      OF_PROVIDERS.filter(({ when }) => when(counted)),
    )
  }
  return found
}

/** Nothing else is known of what is compared with nothing. */
const sanityOf = ({ line, after }: DifferingLine, { limits }: Facts): HoldReason[] =>
  isOutside(Number(after), limitsOf(limits, line)) ? ['implausible_price'] : []

function judgedAlone(set: LineSet, facts: Facts): JudgedSet {
  const found: LineFindings = new Map(set.lines.map((line) => [line, { reasons: sanityOf(line, facts) }]))
  return withVerdicts(set, found, [], facts)
}

function withVerdicts(set: LineSet, found: LineFindings, ofProvider: HoldReason[], { now }: Facts): JudgedSet {
  const all = [...[...found.values()].flatMap(({ reasons }) => reasons), ...ofProvider]
  const { wait } = set
  const isHeld = all.length > 0 && !(isEndedByTime(all) && hasWaited(wait, now, all))
  const verdicts = new Map<DifferingLine, Verdict>()
  for (const [line, { reasons, evidence }] of found) {
    const own = [...reasons, ...ofProvider]
    const shown: HoldReason[] = own.length > 0 ? own : all.length > 0 ? ['with_its_set'] : []
    verdicts.set(line, { reasons: shown, evidence, wait, judgedAgainAt: judgedAgainAt(all, wait, now) })
  }
  return { set, verdicts, isHeld, inMassChange: ofProvider.includes('mass_change') }
}
