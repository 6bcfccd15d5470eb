import type { Observation } from '../schema.ts'
import type { KnownLine } from '../store/line-state-store.ts'
import type { LineIdentity, Money } from '../store/row-rules.ts'
import { identityOf, lineKey, moneyOf, REVISABLE, resourceKey } from '../store/row-rules.ts'

/** A row the source would have us record for a line. */
export type Proposal = {
  key: string
  line: LineIdentity
  known?: KnownLine
  money: Money
  locator: string
  kind: 'new' | 'changed' | 'revised'
}

/** A snapshot beside what was known: what differs, line by line, before any judgement. */
export type Difference = {
  proposals: Proposal[]
  /** Lines that stand again as they are published, though they were missing, removed or had a held row. */
  settled: KnownLine[]
  /** Lines seen with the price that is held or decided on already. */
  waiting: KnownLine[]
  missing: KnownLine[]
  unchanged: number
  duplicates: number
  /** Every line of the snapshot, by resource. */
  seen: Map<string, Observation[]>
}

export function difference(known: Map<string, KnownLine>, observations: Observation[]): Difference {
  const proposals: Proposal[] = []
  const settled: KnownLine[] = []
  const waiting: KnownLine[] = []
  const keys = new Set<string>()
  const seen = new Map<string, Observation[]>()
  let unchanged = 0
  let duplicates = 0
  for (const observed of observations) {
    const identity = identityOf(observed)
    const key = lineKey(identity)
    if (keys.has(key)) {
      duplicates++
      continue
    }
    keys.add(key)
    const line = known.get(key)
    const kind = compare(line, observed)
    if (kind === 'waiting') waiting.push(line!)
    else if (kind === 'same') {
      if (line!.held || line!.missingSince || line!.removedAt || line!.decidedPrice) settled.push(line!)
      else unchanged++
    } else {
      const { locator } = observed
      proposals.push({ key, line: identity, known: line, money: moneyOf(observed), locator, kind })
    }
    const resource = resourceKey(observed)
    const lines = seen.get(resource)
    if (lines) lines.push(observed)
    else seen.set(resource, [observed])
  }
  const missing: KnownLine[] = []
  for (const [key, line] of known) if (!keys.has(key) && !line.removedAt) missing.push(line)
  return { proposals, settled, waiting, missing, unchanged, duplicates, seen }
}

function compare(line: KnownLine | undefined, observed: Money): Proposal['kind'] | 'same' | 'waiting' {
  if (!line) return 'new'
  if (line.decidedPrice === observed.price || line.held?.price === observed.price) return 'waiting'
  if (!line.current) return 'new'
  if (line.current.price !== observed.price) return 'changed'
  const current = line.current
  return REVISABLE.some((field) => current[field] !== observed[field]) ? 'revised' : 'same'
}
