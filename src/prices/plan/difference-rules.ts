import { resourceKey } from '../../catalog/resource-rules.ts'
import { groupBy } from '../../lib/collections.ts'
import { identityOf, lineKey, moneyOf } from '../row-rules.ts'
import { type KnownLine, type Money, type Observation, REVISABLE } from '../schema.ts'
import type { Difference, Proposal } from './schema.ts'

/** Compares the lines of a snapshot with the known ones. */
export function difference(known: Map<string, KnownLine>, observations: Observation[]): Difference {
  const proposals: Proposal[] = []
  const confirmed: KnownLine[] = []
  const waiting: KnownLine[] = []
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
      proposals.push({ key, line: identity, known: line, money: moneyOf(observed), locator, kind })
    } else if (line!.held || line!.missingSince || line!.removedAt || line!.decidedPrice) confirmed.push(line!)
    else unchanged++
  }
  const missing: KnownLine[] = []
  for (const [key, line] of known) if (!keys.has(key) && !line.removedAt) missing.push(line)
  const duplicates = observations.length - distinct.length
  return { proposals, confirmed, waiting, missing, unchanged, duplicates, seen: groupBy(distinct, resourceKey) }
}

function compare(line: KnownLine | undefined, observed: Money): Proposal['kind'] | 'same' | 'waiting' {
  if (!line) return 'new'
  if (line.decidedPrice === observed.price || line.held?.price === observed.price) return 'waiting'
  if (!line.current) return 'new'
  if (line.current.price !== observed.price) return 'changed'
  const current = line.current
  return REVISABLE.some((field) => current[field] !== observed[field]) ? 'revised' : 'same'
}
