import { providerAddedEvent } from '../../events/payloads/provider-added.ts'
import type { EventDraft } from '../../events/schema.ts'
import { tally } from '../../lib/collections.ts'
import { isMassChange } from '../plan/batch-rules.ts'
import { resourcesByProvider } from '../plan/listing-rules.ts'
import type { Change, EventFacts } from './change-schema.ts'
import {
  addedEvent,
  changedEvent,
  correctedEvent,
  removedEvent,
  renamedEvent,
  revisedEvent,
  stepEvent,
} from './payload-rules.ts'
import { isRounding, revisedFields } from './revision-rules.ts'
import { isListLearning } from './step-rules.ts'

export type Events = {
  events: EventDraft[]
  /** Changes without an event, counted by reason. */
  suppressed: Record<string, number>
}

/** Decides which changes are events, and builds their payloads. The only code that does. */
export function eventsOf(changes: Change[], facts: EventFacts): Events {
  const learned = learnedSteps(changes)
  const massRevised = massRevisedProviders(changes, facts.listed)
  const events: EventDraft[] = []
  const suppressed: Record<string, number> = {}
  for (const change of inEventOrder(changes)) {
    const event = learned.get(change.kind) ?? eventOf(change, facts, massRevised)
    if (typeof event === 'string') tally(suppressed, event)
    else events.push(event)
  }
  return { events, suppressed }
}

/** A new tier is sent after everything else: the prices without it are known by then. */
const inEventOrder = (changes: Change[]): Change[] => [
  ...changes.filter(({ kind }) => kind !== 'stepIntroduced'),
  ...changes.filter(({ kind }) => kind === 'stepIntroduced'),
]

/** Returns the event of a change, or why it has none. */
function eventOf(change: Change, facts: EventFacts, massRevised: Set<string>): EventDraft | string {
  switch (change.kind) {
    case 'providerAdded':
      return providerAddedEvent(change.provider, change.name)
    case 'resourceAdded':
      return addedEvent(change, facts)
    case 'resourceRenamed':
      return renamedEvent(change, facts)
    case 'resourceRemoved':
      return removedEvent(change, facts)
    case 'priceChanged':
      return isRounding(change.before.price, change.row.price) ? 'rounding' : changedEvent(change, facts)
    case 'priceRevised': {
      if (massRevised.has(change.row.provider)) return 'revised_everywhere'
      const revised = revisedFields(change.before, change.row)
      return revised.length === 0 ? 'detail_learned' : revisedEvent(change, revised, facts)
    }
    case 'stepIntroduced':
    case 'stepWithdrawn':
      return stepEvent(change, facts)
    case 'withdrawn':
    case 'restored':
      return correctedEvent(change, facts)
    case 'lineAdded':
      return 'line_first_priced'
    case 'lineRelisted':
      return 'line_listed_again'
    case 'lineRemoved':
      return 'line_withdrawn'
    case 'sourceChanged':
      return 'source_changed'
    case 'oldNameRelisted':
      return 'listed_again_under_old_name'
  }
}

/** Returns the kinds of steps that so many products have at once that only the source's list changed. */
function learnedSteps(changes: Change[]): Map<Change['kind'], string> {
  const learned = new Map<Change['kind'], string>()
  const rowsOf = (kind: Change['kind']) =>
    changes.flatMap((change) => (change.kind === kind && 'base' in change ? [change.row] : []))
  if (isListLearning(rowsOf('stepIntroduced'))) learned.set('stepIntroduced', 'steps_learned')
  if (isListLearning(rowsOf('stepWithdrawn'))) learned.set('stepWithdrawn', 'steps_dropped')
  return learned
}

/** Providers of which a fifth and more was revised at once: the source writes differently, the offer is the same. */
function massRevisedProviders(changes: Change[], listed: EventFacts['listed']): Set<string> {
  const revised = changes.flatMap((change) => (change.kind === 'priceRevised' ? [change.row] : []))
  const resources = resourcesByProvider(revised)
  return new Set([...resources.keys()].filter((p) => isMassChange(resources.get(p)!.size, listed.get(p) ?? 0)))
}
