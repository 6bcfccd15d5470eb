import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { accountQuery } from '../account.ts'
import { ApiError } from './client.ts'
import { connection } from './connection.ts'
import { sessionEnded } from './session-ended.ts'

const MAX_RETRIES = 2
const [SECOND_MS, MAX_WAIT_MS] = [1_000, 10_000]

const isRateLimited = (error: Error) => error instanceof ApiError && error.code === 'rate_limited'

/** A refusal says the same thing when it is asked again, except that of too many requests; anything else may pass. */
const mayPass = (error: Error): boolean => !(error instanceof ApiError) || error.status >= 500 || isRateLimited(error)

/** As long as the service says, or longer each time. */
function waitMs(count: number, error: Error): number {
  const said = isRateLimited(error) ? (error as ApiError).retryAfter : undefined
  return Math.min(said === undefined ? SECOND_MS * 2 ** count : said * SECOND_MS, MAX_WAIT_MS)
}

/** A role may have been changed, or a membership ended, since the page was opened: who may do what is read again. */
const isAccessLost = (error: Error): boolean =>
  error instanceof ApiError && (error.code === 'forbidden' || error.code === 'not_found')

/** Requests are also sent while the browser believes to be offline: waiting in silence would look like being stuck. */
export function createQueryClient(): QueryClient {
  /** A visitor has no session that could end, and no role that could be taken. */
  const onError = (wanted: 'read' | 'change') => (error: Error) => {
    connection.notice(error)
    if (!queryClient.getQueryData(accountQuery.queryKey)) return
    sessionEnded.notice(error, wanted)
    if (isAccessLost(error)) void queryClient.invalidateQueries(accountQuery)
  }
  const onSuccess = connection.works
  const queryClient = new QueryClient({
    queryCache: new QueryCache({ onError: onError('read'), onSuccess }),
    mutationCache: new MutationCache({ onError: onError('change'), onSuccess }),
    defaultOptions: {
      queries: {
        retry: (count, error) => count < MAX_RETRIES && mayPass(error),
        retryDelay: waitMs,
        staleTime: 15_000,
        refetchOnReconnect: true,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  return queryClient
}
