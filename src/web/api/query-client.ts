import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { accountQuery } from './account.ts'
import { ApiError } from './client.ts'
import { sessionEnded } from './session-ended.ts'

const MAX_RETRIES = 2

/** A refusal says the same thing when it is asked again; anything else may pass. */
const mayPass = (error: Error): boolean => !(error instanceof ApiError) || error.status >= 500

export function createQueryClient(): QueryClient {
  /** A visitor has no session that could end. */
  const onError = (error: Error): void => {
    if (queryClient.getQueryData(accountQuery.queryKey)) sessionEnded.notice(error)
  }
  const queryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { retry: (count, error) => count < MAX_RETRIES && mayPass(error), staleTime: 15_000 },
      mutations: { retry: false },
    },
  })
  return queryClient
}
