import { resourceKey } from '../../catalog/resource-rules.ts'
import type { SeenResource } from '../../catalog/resource-store.ts'

/** Returns each resource once, with the facts of the last row that has them: not every line says the canonical id. */
export function distinctResources(rows: SeenResource[]): SeenResource[] {
  const resources = rows.map(({ provider, resource, canonicalResource, category }) => ({
    provider,
    resource,
    canonicalResource,
    category,
  }))
  const distinct = new Map<string, SeenResource>()
  for (const resource of resources) {
    const before = distinct.get(resourceKey(resource))
    const { canonicalResource = before?.canonicalResource, category = before?.category } = resource
    distinct.set(resourceKey(resource), { ...resource, canonicalResource, category })
  }
  return [...distinct.values()]
}
