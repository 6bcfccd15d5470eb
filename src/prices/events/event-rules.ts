import { providerAddedEvent } from '../../events/payloads/provider-added.ts'
import type { EventDraft } from '../../events/schema.ts'
import { tally } from '../../lib/collections.ts'
import type { Change, EventFacts } from './change-schema.ts'
import {
  addedEvent,
  announcedEvent,
  changedEvent,
  correctedEvent,
  lineEvent,
  removedEvent,
  renamedEvent,
  revisedEvent,
  stepEvent,
} from './payload-rules.ts'
import { revisedFields } from './revision-rules.ts'
import { isListLearning } from './step-rules.ts'

export type Events = {
  events: EventDraft[]
  /** Changes without an event, counted by reason. */
  suppressed: Record<string, number>
}

/** Decides which changes are events, and builds their payloads. The only code that does. */
export function eventsOf(changes: Change[], facts: EventFacts): Events {
  const learned = learnedSteps(changes)
  const events: EventDraft[] = []
  const suppressed: Record<string, number> = {}
  for (const change of inEventOrder(changes)) {
    const event = eventOf(change, facts, learned)
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

/** Returns the event of a change, or why it has none: what is served is as it was, or all of it is new. */
function eventOf(change: Change, facts: EventFacts, learned: Set<Change['kind']>): EventDraft | string {
  switch (change.kind) {
    case 'providerAdded':
      return providerAddedEvent(change.provider, change.name)
    case 'resourceAdded':
      return facts.startsQuietly ? 'first_snapshot' : addedEvent(change, facts)
    case 'resourceRenamed':
      return renamedEvent(change, facts)
    case 'resourceRemoved':
      return removedEvent(change, facts)
    case 'priceChanged':
      return changedEvent(change, facts)
    case 'priceRevised': {
      const revised = revisedFields(change.before, change.row)
      return revised.length === 0 ? 'same_again' : revisedEvent(change, revised, facts)
    }
    case 'stepIntroduced':
    case 'stepWithdrawn':
      return learned.has(change.kind)
        ? lineEvent({ kind: change.kind === 'stepIntroduced' ? 'lineAdded' : 'lineRemoved', row: change.row }, facts)
        : stepEvent(change, facts)
    case 'withdrawn':
    case 'restored':
      return correctedEvent(change, facts)
    case 'lineAdded':
      return facts.isFirstSnapshot ? 'first_snapshot' : lineEvent(change, facts)
    case 'lineRemoved':
      return lineEvent(change, facts)
    case 'priceAnnounced':
      return facts.isFirstSnapshot && change.action === 'announced' ? 'first_snapshot' : announcedEvent(change, facts)
    case 'sourceChanged':
      return 'source_changed'
    case 'oldNameRelisted':
      return 'listed_again_under_old_name'
  }
}

/**
 * Returns the kinds of steps that enough products have at once that only the source's list changed: what applied before
 * or applies from now on is not known, so each is a line that began or ended.
 */
function learnedSteps(changes: Change[]): Set<Change['kind']> {
  const rowsOf = (kind: Change['kind']) =>
    changes.flatMap((change) => (change.kind === kind && 'base' in change ? [change.row] : []))
  return new Set((['stepIntroduced', 'stepWithdrawn'] as const).filter((kind) => isListLearning(rowsOf(kind))))
}
