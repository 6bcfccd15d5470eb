import { isListed, type KnownLine } from '../schema.ts'

/** Returns the resources of each provider. */
export function resourcesByProvider(lines: Iterable<{ provider: string; resource: string }>): Map<string, Set<string>> {
  const providers = new Map<string, Set<string>>()
  for (const { provider, resource } of lines) {
    const resources = providers.get(provider)
    if (resources) resources.add(resource)
    else providers.set(provider, new Set([resource]))
  }
  return providers
}

/** Returns the resources of each provider that have a published price. */
export const listedResources = (lines: Iterable<KnownLine>): Map<string, Set<string>> =>
  resourcesByProvider([...lines].filter(isListed))
