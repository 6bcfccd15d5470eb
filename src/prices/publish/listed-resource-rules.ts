import type { ResourceSeen } from '../../catalog/resource-store.ts'
import { resourceKey } from '../row-rules.ts'

/** Returns each resource once, with the facts of the last row that has it. */
export function distinctResources(rows: ResourceSeen[]): ResourceSeen[] {
  const resources = rows.map(({ provider, resource, canonicalResource, category }) => ({
    provider,
    resource,
    canonicalResource,
    category,
  }))
  return [...new Map(resources.map((resource) => [resourceKey(resource), resource])).values()]
}
