import { resourceKey } from '../../../catalog/resource-rules.ts'
import { groupBy } from '../../../lib/collections.ts'
import { identityOf, lineKey, moneyOf, tierText } from '../../row-rules.ts'
import { isSamePrice } from '../../same-price-rules.ts'
import {
  isDecided,
  type KnownLine,
  type Money,
  type Observation,
  REVISABLE,
  servedRow,
  type UnreadablePrice,
} from '../../schema.ts'
import type { Difference, Proposal } from '../schema.ts'

/** Compares the lines of a snapshot with the known ones. */
export function difference(
  known: Map<string, KnownLine>,
  observations: Observation[],
  unreadable: UnreadablePrice[] = [],
): Difference {
  const proposals: Proposal[] = []
  const confirmed: KnownLine[] = []
  const waiting: KnownLine[] = []
  const respelled: Difference['respelled'] = []
  const keys = new Set<string>()
  const distinct: Observation[] = []
  let unchanged = 0
  for (const observed of observations) {
    const identity = identityOf(observed)
    const key = lineKey(identity)
    if (keys.has(key)) continue
    keys.add(key)
    distinct.push(observed)
    const line = known.get(key)
    const kind = compare(line, observed)
    if (kind === 'waiting') waiting.push(line!)
    else if (kind !== 'same') {
      const { locator } = observed
      proposals.push({ key, line: identity, known: line, money: proposedMoney(line, observed, kind), locator, kind })
    } else {
      if (line!.current!.price !== observed.price) respelled.push({ lineId: line!.lineId, price: observed.price })
      if (line!.held || line!.missingSince || line!.removedAt || line!.decidedPrice) confirmed.push(line!)
      else unchanged++
    }
  }
  const seen = groupBy(distinct, resourceKey)
  const textOf = unreadableTexts(unreadable, seen)
  const missing: KnownLine[] = []
  const goneAgain: KnownLine[] = []
  const unread: Difference['unreadable'] = []
  for (const [key, line] of known) {
    if (keys.has(key)) continue
    if (line.removedAt) {
      if (line.held) goneAgain.push(line)
      continue
    }
    const text = textOf(key, line)
    if (text === undefined) missing.push(line)
    else unread.push({ line, text })
  }
  const duplicates = observations.length - distinct.length
  return {
    proposals,
    confirmed,
    waiting,
    missing,
    goneAgain,
    unreadable: unread,
    respelled,
    unchanged,
    duplicates,
    seen,
  }
}

/**
 * Returns what a snapshot has instead of the price of a line; undefined when the line is absent. A resource of which
 * nothing can be read is listed with all its lines.
 */
function unreadableTexts(unreadable: UnreadablePrice[], seen: Difference['seen']) {
  const texts = new Map<string, string>()
  for (const { text, ...listed } of unreadable) {
    const { dimension, unit, currency, pricingTier } = listed
    if (dimension && unit && currency)
      texts.set(lineKey({ ...listed, dimension, unit, currency, pricingTier: tierText(pricingTier ?? {}) }), text)
    if (!seen.has(resourceKey(listed))) texts.set(resourceKey(listed), text)
  }
  return (key: string, line: KnownLine) => texts.get(key) ?? texts.get(resourceKey(line))
}

/** A price that is only written differently stays as it was published. */
const proposedMoney = (line: KnownLine | undefined, observed: Observation, kind: Proposal['kind']): Money =>
  kind === 'revised' || kind === 'continued'
    ? { ...moneyOf(observed), price: servedRow(line!)!.price }
    : moneyOf(observed)

function compare(line: KnownLine | undefined, observed: Money): Proposal['kind'] | 'same' | 'waiting' {
  if (!line) return 'new'
  const { price } = observed
  if (isDecided(line, price) || (line.held && isSamePrice(line.held.price, price))) return 'waiting'
  const current = servedRow(line)
  if (!current) return 'new'
  if (!isSamePrice(current.price, price)) return 'changed'
  if (line.takesOver) return 'continued'
  return REVISABLE.some((field) => current[field] !== observed[field]) ? 'revised' : 'same'
}
