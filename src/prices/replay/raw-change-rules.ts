import { groupBy } from '../../lib/collections.ts'
import { epochMs, type Instant } from '../../lib/instant.ts'
import type { Observation } from '../schema.ts'

/**
 * The differences between recorded snapshots, found without any code that decides what is published: what the replay
 * measures the product against.
 */
export type RawChange = {
  /** Tells the line, see rawKey. */
  key: string
  /** Tells the resource and the snapshot: the changes of one set have it in common. */
  set: string
  at: Instant
  before: string
  after: string
  kind: ChangeKind
  /** When the source listed another price or none; absent when it never did. */
  until?: Instant
  /** The price it listed then, if it did. */
  next?: string
  /** What other sellers charged, in the same snapshot, for the same line of a model of the same name. */
  sellers: number[]
}

/** `unit_flip` and `to_zero` may be damage; an `ordinary` change is neither. */
export type ChangeKind = 'ordinary' | 'from_zero' | 'unit_flip' | 'to_zero'

type Line = Omit<Pick<Observation, 'provider' | 'resource' | 'dimension' | 'unit' | 'currency'>, 'dimension'> & {
  dimension: string
  pricingTier: { [key: string]: string | undefined }
}

/** Returns what tells one line of a source from another. */
export const rawKey = ({ provider, resource, dimension, unit, currency, pricingTier }: Line): string =>
  JSON.stringify([provider, resource, dimension, unit, currency, Object.entries(pricingTier).sort()])

export type RawLine = { resource: string; price: string }

/** Returns the price of each line of a snapshot; of a line that is listed twice the first. */
export function rawLines(observations: Observation[]): Map<string, RawLine> {
  const lines = new Map<string, RawLine>()
  for (const observed of observations) {
    const key = rawKey(observed)
    const resource = JSON.stringify([observed.provider, observed.resource])
    if (!lines.has(key)) lines.set(key, { resource, price: observed.price })
  }
  return lines
}

/** Returns the lines of both snapshots whose price differs. */
export function rawChanges(before: Map<string, RawLine>, after: Map<string, RawLine>, at: Instant): RawChange[] {
  const changed = [...after].filter(([key, { price }]) => {
    const earlier = before.get(key)?.price
    return earlier !== undefined && Number(earlier) !== Number(price)
  })
  if (changed.length === 0) return []
  const sold = groupBy([...after], ([key]) => productOf(key))
  return changed.map(([key, { resource, price }]) => {
    const earlier = before.get(key)!.price
    const others = sold.get(productOf(key))!.filter(([other]) => providerOf(other) !== providerOf(key))
    const kind = kindOf(Number(earlier), Number(price))
    const sellers = others.map(([, line]) => Number(line.price))
    return { key, set: setText(resource, at), at, before: earlier, after: price, kind, sellers }
  })
}

const setText = (resource: string, at: Instant) => `${resource} ${at}`

/** Returns the set of what the resource of a line changed at an instant. */
export const setOf = (key: string, at: Instant): string => setText(JSON.stringify(partsOf(key).slice(0, 2)), at)

export const partsOf = (key: string) => JSON.parse(key) as [provider: string, resource: string, ...rest: unknown[]]
const providerOf = (key: string): string => partsOf(key)[0]

/** Returns what a line is a price of, with every seller the same: the name of the model without its maker or seller. */
function productOf(key: string): string {
  const [, resource, ...rest] = partsOf(key)
  return JSON.stringify([resource.slice(resource.lastIndexOf('/') + 1).toLowerCase(), ...rest])
}

const TOLERANCE = 0.02

function kindOf(before: number, after: number): ChangeKind {
  if (after === 0) return 'to_zero'
  if (before === 0) return 'from_zero'
  const power = 10 ** Math.round(Math.log10(after / before))
  return power !== 1 && Math.abs(after / before / power - 1) <= TOLERANCE ? 'unit_flip' : 'ordinary'
}

/** Ends the changes whose line has another price in a later snapshot, or is not in it. Returns those that go on. */
export function endedBy(open: RawChange[], lines: Map<string, RawLine>, at: Instant): RawChange[] {
  return open.filter((change) => {
    const price = lines.get(change.key)?.price
    if (price !== undefined && Number(price) === Number(change.after)) return true
    change.until = at
    change.next = price
    return false
  })
}

/** How long a source listed a changed price; without end when it still does. */
export const listedMs = ({ at, until }: RawChange): number => (until ? epochMs(until) - epochMs(at) : Infinity)
