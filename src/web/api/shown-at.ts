import { hashKey, type QueryKey } from '@tanstack/react-query'

/**
 * Names a thing at an instant, or in a version. What is shown of it stays while it is read at another one: nothing that
 * someone uses disappears under their hand.
 */
export const shownAt = <const Thing extends QueryKey, At>(thing: Thing, at: At) => ({
  queryKey: [...thing, at] as const,
  placeholderData: <Data>(before: Data | undefined, query: { queryKey: QueryKey } | undefined): Data | undefined =>
    query && hashKey(query.queryKey.slice(0, -1)) === hashKey(thing) ? before : undefined,
})
