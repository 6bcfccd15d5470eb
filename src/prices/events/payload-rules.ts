import { isCredit } from '../../catalog/resource-rules.ts'
import type { LineOfResource, ListedLine, PricePoint, ResourceIdentity } from '../../events/payloads/parts.ts'
import { priceAnnouncedEvent } from '../../events/payloads/price-announced.ts'
import { type PriceChange, priceChangedEvent } from '../../events/payloads/price-changed.ts'
import { priceCorrectedEvent } from '../../events/payloads/price-corrected.ts'
import { type PriceRevision, priceRevisedEvent } from '../../events/payloads/price-revised.ts'
import { resourceAddedEvent } from '../../events/payloads/resource-added.ts'
import { resourceRemovedEvent } from '../../events/payloads/resource-removed.ts'
import { resourceRenamedEvent } from '../../events/payloads/resource-renamed.ts'
import { shownPricesOf } from '../../events/payloads/shown-rules.ts'
import type { EventDraft } from '../../events/schema.ts'
import { moneyOf } from '../row-rules.ts'
import type { LineIdentity, Money } from '../schema.ts'
import type { Change, EventFacts, EventRow } from './change-schema.ts'

type ChangeOf<K extends Change['kind']> = Extract<Change, { kind: K }>

export const pointOf = ({ price, recordedAt, contentHash }: PricePoint): PricePoint => ({
  price,
  recordedAt,
  contentHash,
})

const lineOf = ({ dimension, unit, currency, pricingTier }: LineIdentity): LineOfResource => ({
  dimension,
  unit,
  currency,
  pricingTier: JSON.parse(pricingTier),
})

const listedLineOf = (row: EventRow): ListedLine => ({ ...lineOf(row), ...pointOf(row) })

const identityOf = (source: string, row: { resource: string } & Partial<Money>): ResourceIdentity => ({
  source,
  resource: row.resource,
  ...(row.canonicalResource && { canonicalResource: row.canonicalResource }),
})

/** Whether an event is only for who names its provider: it prices in credits, or what it reports is a price in credits. */
const isInCredits = ({ creditPriced }: EventFacts, provider: string, rows: LineIdentity[]): boolean =>
  creditPriced.has(provider) || rows.some(isCredit)

export function addedEvent({ rows }: ChangeOf<'resourceAdded'>, facts: EventFacts): EventDraft {
  const { provider } = rows[0]!
  const added = { ...identityOf(facts.source, rows[0]!), lines: rows.map(listedLineOf) }
  return resourceAddedEvent(provider, isInCredits(facts, provider, rows), added)
}

export function removedEvent(change: ChangeOf<'resourceRemoved'>, facts: EventFacts): EventDraft {
  const { rows, missingSince, reason } = change
  const { provider } = rows[0]!
  return resourceRemovedEvent(provider, isInCredits(facts, provider, rows), {
    ...identityOf(facts.source, rows[0]!),
    lines: rows.map(listedLineOf),
    ...(missingSince && { missingSince }),
    ...(reason && { reason }),
  })
}

export function renamedEvent(change: ChangeOf<'resourceRenamed'>, facts: EventFacts): EventDraft {
  const { provider, from, to, before, rows } = change
  const previousCanonicalResource = before?.canonicalResource
  return resourceRenamedEvent(provider, isInCredits(facts, provider, rows), {
    ...identityOf(facts.source, rows[0] ?? { resource: to }),
    previousResource: from,
    ...(previousCanonicalResource && { previousCanonicalResource }),
    lines: rows.map(listedLineOf),
  })
}

export const changedEvent = ({ row, before }: ChangeOf<'priceChanged'>, facts: EventFacts): EventDraft =>
  priceEvent(row, { previous: pointOf(before), current: pointOf(row) }, facts)

/** A line that begins had no price before; one that ends has none from now on. */
export const lineEvent = ({ kind, row }: ChangeOf<'lineAdded' | 'lineRemoved'>, facts: EventFacts): EventDraft =>
  priceEvent(row, kind === 'lineAdded' ? { current: pointOf(row) } : { previous: pointOf(row) }, facts)

/** A new tier was charged at the base price before; a removed tier is charged at it from now on. */
export function stepEvent(change: ChangeOf<'stepIntroduced' | 'stepWithdrawn'>, facts: EventFacts): EventDraft {
  const { row, base } = change
  if (change.kind === 'stepIntroduced')
    return priceEvent(row, { previous: pointOf(base), current: pointOf(row), tier: 'introduced' }, facts)
  return priceEvent(row, { previous: pointOf(row), current: pointOf(base), tier: 'withdrawn' }, facts)
}

type Points = Pick<PriceChange, 'previous' | 'current' | 'tier'>

/** Where the price that holds from now on was read, and the prices as people read them. */
function readAndShown({ unit }: LineIdentity, points: Points, { reads }: EventFacts) {
  const read = points.current && reads.get(points.current.contentHash)
  return { ...(read && { read }), shown: shownPricesOf(unit, points) }
}

function priceEvent(row: EventRow, points: Points, facts: EventFacts): EventDraft {
  const { provider, effectiveFrom } = row
  const change = {
    ...identityOf(facts.source, row),
    ...lineOf(row),
    ...points,
    ...(effectiveFrom && { effectiveFrom }),
    ...readAndShown(row, points, facts),
  }
  return priceChangedEvent(provider, isInCredits(facts, provider, [row]), change)
}

export function revisedEvent(
  { row, before }: ChangeOf<'priceRevised'>,
  revised: PriceRevision['revised'],
  facts: EventFacts,
): EventDraft {
  return priceRevisedEvent(row.provider, isInCredits(facts, row.provider, [row]), {
    ...identityOf(facts.source, row),
    ...lineOf(row),
    previous: { ...moneyOf(before), ...pointOf(before) },
    current: { ...moneyOf(row), ...pointOf(row) },
    revised,
    affected: { from: before.recordedAt, to: row.recordedAt },
  })
}

export function announcedEvent(change: ChangeOf<'priceAnnounced'>, facts: EventFacts): EventDraft {
  const { action, row, current, announced, replaces } = change
  return priceAnnouncedEvent(row.provider, isInCredits(facts, row.provider, [row]), {
    ...identityOf(facts.source, row),
    ...lineOf(row),
    action,
    ...(current && { current: pointOf(current) }),
    ...(announced && { announced }),
    ...(replaces && { replaces }),
  })
}

export function correctedEvent(change: ChangeOf<'withdrawn' | 'restored'>, facts: EventFacts): EventDraft {
  const { kind: action, row, previous, current, affected, reason } = change
  return priceCorrectedEvent(row.provider, isInCredits(facts, row.provider, [row]), {
    ...identityOf(facts.source, row),
    ...lineOf(row),
    action,
    corrected: pointOf(row),
    ...(previous && { previous: pointOf(previous) }),
    ...(current && { current: pointOf(current) }),
    affected,
    reason,
    ...readAndShown(row, { previous, current }, facts),
  })
}
