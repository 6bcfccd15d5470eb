import { resourceKey } from '../../catalog/resource-rules.ts'
import type { Plan } from '../plan/schema.ts'
import { isListed, type KnownLine } from '../schema.ts'
import type { SettledAuthority, TakenOver } from './settle-authority.ts'

/** What a plan was made on. */
type PlanBasis = { plan: Plan; known: Map<string, KnownLine>; taken: ReadonlySet<string> }

/**
 * Returns the resources that a plan takes over: all their prices are published, and none of them waits. What a complete list
 * does not have ends.
 */
export function takenOver({ ending }: SettledAuthority, { plan, known, taken }: PlanBasis): TakenOver[] {
  if (ending.length === 0) return []
  const held = [...plan.hold.map(({ proposal }) => proposal.line), ...plan.waiting.map(({ line }) => line)]
  const waiting = new Set(held.map(resourceKey))
  const published = [...plan.publish.map(({ line }) => line), ...plan.released.map(({ line }) => line)]
  const begun = new Set([...published, ...[...known.values()].filter(isListed)].map(resourceKey))
  return ending.filter((resource) => {
    if (resource.isUnlisted) return true
    const key = resourceKey(resource)
    return taken.has(key) && begun.has(key) && !waiting.has(key)
  })
}
