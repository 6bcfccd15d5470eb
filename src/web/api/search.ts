import { infiniteQueryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '../../app/contracts.ts'
import * as searching from '../../app/search/endpoints.ts'
import { call } from './connection/client.ts'

type SearchAnswer = AnswerOf<typeof searching.search>

/** What has that name. Each further page has more resources. */
export const searchQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: ['search', q],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after }): Promise<SearchAnswer> =>
      call(searching.search, { query: { q, ...(after && { after }) } }),
    getNextPageParam: ({ next }) => next ?? undefined,
    enabled: q !== '',
  })
