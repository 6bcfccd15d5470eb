import { isListed, type KnownLine } from '../../schema.ts'

/** Returns the resources of each provider. */
function resourcesByProvider(lines: Iterable<{ provider: string; resource: string }>): Map<string, Set<string>> {
  const providers = new Map<string, Set<string>>()
  for (const { provider, resource } of lines) {
    const resources = providers.get(provider)
    if (resources) resources.add(resource)
    else providers.set(provider, new Set([resource]))
  }
  return providers
}

/** How many resources of each provider have a published price, and how many one of a dimension (provider, dimension). */
export type ListedCounts = { resources: Map<string, number>; withDimension: Map<string, number> }

/** Returns how many resources each provider has among these. */
export const countsOf = (resources: Map<string, Set<string>>): Map<string, number> =>
  new Map([...resources].map(([provider, names]) => [provider, names.size]))

/** Returns the resources of each provider that have a published price. */
export const listedResources = (lines: Iterable<KnownLine>): Map<string, Set<string>> =>
  resourcesByProvider([...lines].filter(isListed))
