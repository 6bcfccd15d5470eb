import { DAY, type Instant, plus } from '../../../src/lib/instant.ts'
import { readPriceLimits } from '../../../src/prices/ingest/read-price-limits.ts'
import { difference } from '../../../src/prices/plan/difference/difference-rules.ts'
import { countsOf, listedResources } from '../../../src/prices/plan/difference/listing-rules.ts'
import { planIngest } from '../../../src/prices/plan/plan-rules.ts'
import type { Facts, Plan } from '../../../src/prices/plan/schema.ts'
import { identityOf, lineKey } from '../../../src/prices/row-rules.ts'
import type { KnownLine, Observation, UnreadablePrice } from '../../../src/prices/schema.ts'
import { observed } from '../observed.ts'

export const now = '2026-11-22T10:00:00.000Z' as Instant
export const ago = (ms: number) => plus(now, -ms)
const limits = await readPriceLimits()
let lineIds = 0

/** The published line of an observation, as it was before. */
export const line = (seen: Observation, more: Partial<KnownLine> = {}): KnownLine => ({
  ...identityOf(seen),
  lineId: String(++lineIds),
  missingCount: 0,
  current: { price: seen.price, contentHash: 'h', recordedAt: ago(90 * DAY) },
  ...more,
})
export const held = (price: string, more: Partial<NonNullable<KnownLine['held']>> = {}): Pick<KnownLine, 'held'> => ({
  held: {
    contentHash: 'held',
    price,
    recordedAt: ago(2 * DAY),
    reasons: ['large_change'],
    wait: { since: ago(2 * DAY), fetches: 2 },
    ...more,
  },
})
export const keyed = (lines: KnownLine[]) => new Map(lines.map((one) => [lineKey(one), one]))
export const facts = (known: KnownLine[], more: Partial<Facts> = {}): Facts => ({
  now,
  first: false,
  quiet: false,
  reread: false,
  recentPrices: new Map(),
  others: new Map(),
  witnesses: new Map(),
  limits,
  announced: new Map(),
  listed: { resources: countsOf(listedResources(known)), withDimension: new Map() },
  seen: [],
  published: { sellersOf: () => [], ofProvider: () => [], sharesOfInput: () => [] },
  rejected: new Set(),
  openRenames: [],
  speaksFor: () => false,
  isBehind: false,
  heirs: new Set(),
  continued: new Set(),
  listedElsewhere: new Set(),
  ...more,
})
export function plan(
  known: KnownLine[],
  seen: Observation[],
  more: Partial<Facts> = {},
  unreadable: UnreadablePrice[] = [],
): Plan {
  const lines = keyed(known)
  return planIngest(lines, difference(lines, seen, unreadable), facts(known, more))
}
export const input = (resource: string, price: string, more: Partial<Observation> = {}) =>
  observed(resource, 'input_tokens', price, more)
/** Models of one provider that stay as they are. */
export const others = (count: number) => Array.from({ length: count }, (_, n) => input(`other-${n}`, '0.000001'))
