import { resourceKey } from '../../../catalog/resource-rules.ts'
import { groupBy, joinKey } from '../../../lib/collections.ts'
import type { KnownLine } from '../../schema.ts'
import { planRenames } from '../renames/renamed-resource-rules.ts'
import type { AbsencePlan, Facts, GoneResource } from '../schema.ts'
import { removalHeld } from './removal-rules.ts'

/**
 * Decides about absent lines when a newer parser rereads a snapshot: what the parser before read in it, and this one does
 * not, ends at once. Lines that were missing before wait as they did, and open items stay: nothing new is known of them.
 */
export function planRereadAbsences(
  absent: KnownLine[],
  gone: GoneResource[],
  facts: Facts,
  refused: Set<string>,
): Omit<AbsencePlan, 'contested'> {
  const { renamed } = planRenames(facts, gone, refused)
  const renamedFrom = new Set(renamed.map(({ provider, from }) => joinKey(provider, from)))
  const left = gone.filter((resource) => !renamedFrom.has(resourceKey(resource)))
  const unread = [...groupBy(left, ({ provider }) => provider)].flatMap(([provider, missing]) => {
    const listed = facts.listed.resources.get(provider) ?? 0
    // A parser that reads nothing of a provider is doubted, like a list without the provider.
    if (removalHeld({ listed, missing: missing.length }) === 'whole_provider_missing') return []
    return missing.filter(({ lines }) => lines.every(isUnread))
  })
  const inGone = new Set(gone.flatMap(({ lines }) => lines))
  const retired = absent.filter((line) => isUnread(line) && !inGone.has(line))
  const ended = new Set([...unread, ...renamed].flatMap(({ lines }) => lines).concat(retired))
  const missing = absent.filter((line) => !ended.has(line))
  return { missing, renamed, removed: unread, retired, left: [], toReview: [], keepsOpenItems: true }
}

const isUnread = ({ missingSince }: KnownLine) => missingSince === undefined
