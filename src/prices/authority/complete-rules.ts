import { resourceKey } from '../../catalog/resource-rules.ts'
import { groupBy } from '../../lib/collections.ts'
import type { KnownLine } from '../schema.ts'
import type { ResourceName } from '../staging/compare-store.ts'
import type { CoveredResource, ListedElsewhere, TakenResource } from './authority-rules.ts'

/** A list of all that a provider sells. */
export type CompleteList = {
  provider: string
  source: string
  /** It lists something without a price for output. A list of chat models says nothing about embeddings. */
  inputAlone: boolean
}

/** Returns the resources that complete lists decide about, although they lack them. */
export function coveredByComplete(
  listed: ResourceName[],
  lists: CompleteList[],
  withoutOutput: ResourceName[],
): CoveredResource[] {
  const isWithoutOutput = new Set(withoutOutput.map(resourceKey))
  return listed.flatMap(({ provider, resource }) =>
    lists
      .filter((list) => list.provider === provider)
      .filter((list) => list.inputAlone || !isWithoutOutput.has(resourceKey({ provider, resource })))
      .map(({ source }) => ({ provider, resource, by: source })),
  )
}

/** Returns what lower sources list of providers whose complete list does not have it. */
export function unlistedElsewhere(
  listed: ResourceName[],
  elsewhere: ListedElsewhere[],
  complete: ReadonlySet<string>,
): TakenResource[] {
  if (complete.size === 0) return []
  const names = new Set(listed.map(resourceKey))
  const unlisted = elsewhere.filter((one) => one.below && complete.has(one.provider) && !names.has(resourceKey(one)))
  return [...groupBy(unlisted, resourceKey).values()].map((same) => ({
    provider: same[0]!.provider,
    resource: same[0]!.resource,
    sources: same.map(({ source }) => source),
  }))
}

/** Whether lines have no price for output among them. */
export const hasNoOutput = (lines: KnownLine[]): boolean =>
  lines.every(({ dimension }) => !dimension.startsWith('output_'))
