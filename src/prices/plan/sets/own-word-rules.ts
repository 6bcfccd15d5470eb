import { groupBy } from '../../../lib/collections.ts'
import { HOLDS, type HoldReason } from '../holds/index.ts'
import type { Facts } from '../schema.ts'
import type { LineSet } from './line-set-rules.ts'

/**
 * What a list gets wrong and a provider may mean: of such changes in a provider's own recorded list none went back after a
 * day. Free prices are not among them. They stood for a month there, and ended at the price before.
 */
const MEANT_BY_PROVIDERS: ReadonlySet<HoldReason> = new Set(
  HOLDS.flatMap((hold) => ('isMeantByProviders' in hold ? [hold.code] : [])),
)
/** A provider that means this many at once has another unit or swapped columns: it is misread. */
const MISREAD_FROM = 3

/** A set with what speaks against each of its lines. */
type DoubtedSet = { set: LineSet; found: Map<unknown, { reasons: HoldReason[] }> }

/** Takes what a provider itself says as meant, once it has waited, unless it looks misread in several resources at once. */
export function takeOwnWord(
  judged: DoubtedSet[],
  batchOf: (one: { set: LineSet }) => string,
  { speaksFor }: Facts,
): void {
  const doubted = judged.filter(({ set, found }) => speaksFor(set.provider) && [...found.values()].some(isMeant))
  for (const together of groupBy(doubted, batchOf).values()) {
    if (together.length >= MISREAD_FROM) continue
    for (const { found } of together) for (const line of found.values()) line.reasons = meant(line.reasons)
  }
}

const isMeant = ({ reasons }: { reasons: HoldReason[] }) => reasons.some((reason) => MEANT_BY_PROVIDERS.has(reason))

const meant = (reasons: HoldReason[]): HoldReason[] => [
  ...new Set(reasons.map((reason) => (MEANT_BY_PROVIDERS.has(reason) ? 'unusual_at_provider' : reason))),
]
