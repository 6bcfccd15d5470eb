import { joinKey } from '../lib/collections.ts'

/** Tells resources apart in a map: a provider and its own name of the resource. */
export const resourceKey = ({ provider, resource }: { provider: string; resource: string }): string =>
  joinKey(provider, resource)
