import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Answer } from '../../app/contract.ts'
import type * as searching from '../../app/contracts/search.ts'
import { call } from './connection/client.ts'

type Found = Answer<typeof searching.search>

/** What is called so. Each further page has more resources. */
export const searchQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: ['search', q],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after }): Promise<Found> =>
      call<typeof searching.search>('GET', '/v1/search', { query: { q, ...(after && { after }) } }),
    getNextPageParam: ({ next }) => next ?? undefined,
    enabled: q !== '',
  })
