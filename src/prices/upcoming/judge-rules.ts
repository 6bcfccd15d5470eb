import { resourceKey } from '../../catalog/resource-rules.ts'
import { groupBy, joinKey } from '../../lib/collections.ts'
import { isEndedByTime } from '../plan/holds/end-rules.ts'
import type { Facts } from '../plan/schema.ts'
import { judgeSets } from '../plan/sets/judge-rules.ts'
import type { DifferingLine, LineSet } from '../plan/sets/line-set-rules.ts'
import { identityOf, lineKey } from '../row-rules.ts'
import { type KnownLine, type LineIdentity, type Observation, servedRow } from '../schema.ts'
import type { FoundUpcoming, Upcoming } from './schema.ts'

/** Returns an announced price as a line that would change now. Its key differs from that of a price that changes now. */
export function asDiffering(upcoming: Upcoming, known: KnownLine | undefined): DifferingLine {
  const { provider, resource, dimension, unit, currency, pricingTier, price, canonicalResource } = upcoming
  const line = { provider, resource, dimension, unit, currency, pricingTier }
  const before = known && !known.removedAt ? servedRow(known)?.price : undefined
  const kind = before === undefined ? 'new' : 'changed'
  return { key: upcomingKey(line), line, known, kind, before, after: price, canonicalResource }
}

const upcomingKey = (line: LineIdentity): string => joinKey('announced', lineKey(line))

/**
 * Returns the announced prices that can be right: they are judged as if they came into force now. A doubt that time ends
 * does not count, because their day is time enough. They are read from sentences, so an unusual one is not taken as meant.
 * Prices of one resource are kept or left out together.
 */
export function plausibleUpcoming({ upcoming, lines, listed }: FoundUpcoming, facts: Facts): Upcoming[] {
  const byResource = groupBy(lines, ({ line }) => resourceKey(line))
  const sets = [...byResource].map(
    ([key, ofResource]): LineSet => ({
      resourceKey: key,
      provider: ofResource[0]!.line.provider,
      lines: ofResource,
      ofResource,
      wait: { since: facts.now, fetches: 1 },
    }),
  )
  const listedBy = groupBy(listed, resourceKey)
  const pricesOf = (key: string) => {
    const now = (listedBy.get(key) ?? []).map(priced)
    return { before: now, after: replaced(now, byResource.get(key)!.map(afterOf)), left: [] }
  }
  const asList = { ...facts, speaksFor: () => false }
  const judged = judgeSets(sets, { facts: asList, contested: new Map(), pricesOf })
  const doubted = new Set(
    judged
      .filter(({ verdicts }) => ![...verdicts.values()].every(({ reasons }) => isEndedByTime(reasons)))
      .map(({ set }) => set.resourceKey),
  )
  return upcoming.filter((one) => !doubted.has(resourceKey(one)))
}

type LinePrice = LineIdentity & { price: number }

const priced = (observed: Observation): LinePrice => ({ ...identityOf(observed), price: Number(observed.price) })
const afterOf = ({ line, after }: DifferingLine): LinePrice => ({ ...line, price: Number(after) })

/** Prices with others in their place. */
const replaced = (prices: LinePrice[], others: LinePrice[]): LinePrice[] => [
  ...new Map([...prices, ...others].map((one) => [lineKey(one), one])).values(),
]
