import { resourceKey } from '../../catalog/resource-rules.ts'
import type { SeenResource } from '../../catalog/resource-store.ts'

/** Returns each resource once, with the facts of the last row that has it. */
export function distinctResources(rows: SeenResource[]): SeenResource[] {
  const resources = rows.map(({ provider, resource, canonicalResource, category }) => ({
    provider,
    resource,
    canonicalResource,
    category,
  }))
  return [...new Map(resources.map((resource) => [resourceKey(resource), resource])).values()]
}
