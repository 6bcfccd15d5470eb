import { familyOf } from '../plan/evidence/origin-rules.ts'
import { isSamePrice } from '../same-price-rules.ts'
import type { RowConfirmation, RowFacts, Statement } from './schema.ts'

/**
 * Returns what is to be said of a row beside that its source says so; undefined where that is all. Its own source is not
 * among those that agree: whether it was read lately depends on the instant that is asked for.
 */
export function confirmationOf(facts: RowFacts): RowConfirmation | undefined {
  const { said, contradictedSince, others } = facts
  if (said && contradictedSince === undefined && others.length === 0) return undefined
  const agree = others.filter(({ price }) => isSamePrice(price, facts.price))
  const disagree = others.filter((other) => !agree.includes(other))
  const own = said ? [] : [{ source: facts.source, rank: facts.rank, ...(facts.waits && HELD) }]
  return {
    said,
    contradictedSince,
    agree: agree.map(({ source, rank }) => `,${JSON.stringify({ source, rank })}`).join(''),
    disagree: [...own, ...disagree.map(shown)].map((one) => JSON.stringify(one)).join(),
    byProvider: agree.some(({ rank }) => rank === 'provider'),
    independent: agree.some((one, n) => agree.slice(n + 1).some((other) => areIndependent(one, other))),
    independentOfOwn: agree.some((one) => areIndependent(one, facts)),
  }
}

/** What is served of a source that says otherwise: never a price that waits for review. */
const shown = ({ source, rank, price, isHeld }: Statement) => ({
  source,
  rank,
  ...(isHeld ? HELD : { price }),
})
const HELD = { held: true }

type Origin = Pick<Statement, 'format'>

/** Whether two sources are of different origin: neither of their formats copies the other. */
const areIndependent = (one: Origin, other: Origin): boolean =>
  !familyOf(one.format).includes(other.format) && !familyOf(other.format).includes(one.format)
