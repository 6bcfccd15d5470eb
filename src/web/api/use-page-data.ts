import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'

/**
 * Reads what a page cannot do without. `data` is undefined while it is read first: the page draws its skeleton then. Where
 * it cannot be read, the page is replaced by what went wrong.
 */
export const usePageData = <Data, Shown, Key extends QueryKey>(query: UseQueryOptions<Data, Error, Shown, Key>) =>
  useQuery({ ...query, throwOnError: (_, { state }) => state.data === undefined })
