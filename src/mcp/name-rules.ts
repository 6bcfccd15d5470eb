import type { Aliases, AliasGroup } from '../../clients/typescript/src/index.ts'

/** A resource as the alias listing knows it. */
type ListedResource = Aliases['resources'][number]
/** A listed resource that fits what was asked for. `group`: the alias group it is in. */
export type Match = Pick<ListedResource, 'provider' | 'resource' | 'canonicalResource'> & { group: string | null }

/** Names are written in many ways: capitals and punctuation do not tell resources apart in a search. */
const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')
const words = (text: string): string[] => text.toLowerCase().match(/[a-z]+|\d+/g) ?? []

/** How well a name fits, 0 being best; undefined when it does not. */
function distance(name: string, query: string): number | undefined {
  if (name.toLowerCase() === query.toLowerCase()) return 0
  const [here, wanted] = [plain(name), plain(query)]
  if (here === wanted) return 1
  if (wanted !== '' && here.startsWith(wanted)) return 2
  if (wanted !== '' && here.includes(wanted)) return 3
  const known = new Set(words(name))
  const all = words(query)
  return all.length > 0 && all.every((word) => known.has(word)) ? 4 : undefined
}

const key = (provider: string, resource: string): string => JSON.stringify([provider, resource])

/** Returns the name of the group of each member. */
function groupNames(groups: AliasGroup[]): Map<string, string> {
  return new Map(
    groups.flatMap((group) =>
      group.members.map(({ provider, resource }) => [key(provider, resource), group.resource] as const),
    ),
  )
}

/** Returns the resources whose name, canonical id or group fits a search, the best first. */
export function findResources(listing: Pick<Aliases, 'groups' | 'resources'>, query: string): Match[] {
  const groups = groupNames(listing.groups)
  const found = listing.resources.flatMap(({ provider, resource, canonicalResource }) => {
    const group = groups.get(key(provider, resource)) ?? null
    const names = [resource, canonicalResource, group, `${provider}/${resource}`, `${provider} ${resource}`]
    const distances = names.flatMap((name) => (name === null ? [] : (distance(name, query) ?? [])))
    const match: Match = { provider, resource, canonicalResource, group }
    return distances.length === 0 ? [] : [{ match, distance: Math.min(...distances) }]
  })
  return found
    .sort((a, b) => a.distance - b.distance || a.match.resource.length - b.match.resource.length)
    .map(({ match }) => match)
}

/** What a question is about. `maker`: the provider that its canonical id begins with, whose prices come first. */
export type Target = { group?: AliasGroup; maker?: string; sellers: { provider: string; resource: string }[] }

/**
 * Returns everything that a name means: the members of the group of that name or id, and the resources with that
 * name or canonical id. Its sellers are empty when nothing is listed under it now.
 */
export function resolveTarget(listing: Pick<Aliases, 'groups' | 'resources'>, name: string, provider?: string): Target {
  const is = (other: string | null) => other !== null && other.toLowerCase() === name.trim().toLowerCase()
  const group = listing.groups.find(({ id, resource }) => id === name || is(resource))
  const named = listing.resources.filter(({ resource, canonicalResource }) => is(resource) || is(canonicalResource))
  const sellers = new Map(
    [...(group?.members ?? []), ...named]
      .filter((seller) => provider === undefined || seller.provider === provider)
      .map((seller) => [
        key(seller.provider, seller.resource),
        { provider: seller.provider, resource: seller.resource },
      ]),
  )
  const canonical = listing.resources.find(
    ({ provider: of, resource, canonicalResource }) => canonicalResource !== null && sellers.has(key(of, resource)),
  )?.canonicalResource
  return { group, maker: canonical?.split('/')[0], sellers: [...sellers.values()] }
}
