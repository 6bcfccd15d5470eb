import { resourceKey } from '../../catalog/resource-rules.ts'
import { groupBy, joinKey } from '../../lib/collections.ts'
import { NOT_ENDED_BY_TIME } from '../plan/holds/end-rules.ts'
import type { Plan } from '../plan/schema.ts'
import { type Asking, asksAboutPrices, type HeldPrice } from '../plan/sets/asking-rules.ts'
import type { NewRow } from '../schema.ts'
import type { NewReview } from '../store/review-store.ts'

/**
 * Returns the items to review. A provider that is repriced as a whole is one, and so are all its resources with one doubt
 * that only evidence or a person ends: a list slips in many at once. Others are an item each.
 */
export function reviewsOf(plan: Plan, held: NewRow[], asking: Pick<Asking, 'isBehind'>): NewReview[] {
  const rows = plan.hold.map((one, i) => ({ ...one, contentHash: held[i]!.contentHash }))
  const questions = questionsOf(rows)
  const items = groupBy(rows, ({ proposal: { line }, inMassChange }) =>
    inMassChange ? line.provider : (questions.get(resourceKey(line)) ?? resourceKey(line)),
  )
  return [...items.values()].map((ofItem) => {
    const { provider } = ofItem[0]!.proposal.line
    const isOne = new Set(ofItem.map(({ proposal }) => resourceKey(proposal.line))).size === 1
    const prices: HeldPrice[] = ofItem.map(({ proposal: { kind }, verdict: { reasons } }) => ({
      reasons,
      isChange: kind === 'changed',
    }))
    return {
      provider,
      kind: isOne && !ofItem[0]!.inMassChange ? 'price' : 'mass_change',
      reasons: [...new Set(ofItem.flatMap(({ verdict }) => verdict.reasons))],
      rows: ofItem.map(({ contentHash, verdict: { reasons, evidence } }) => ({ contentHash, reasons, evidence })),
      asks: asksAboutPrices(prices, asking),
    }
  })
}

/** Returns the provider and the first doubt that time does not end of each resource that has one, by resource. */
function questionsOf(held: Plan['hold']): Map<string, string> {
  const ofResources = groupBy(held, ({ proposal }) => resourceKey(proposal.line))
  return new Map(
    [...ofResources].flatMap(([key, ofResource]) => {
      const reasons = new Set(ofResource.flatMap(({ verdict }) => verdict.reasons))
      const doubt = NOT_ENDED_BY_TIME.find((reason) => reasons.has(reason))
      return doubt ? [[key, joinKey(ofResource[0]!.proposal.line.provider, doubt)] as const] : []
    }),
  )
}
