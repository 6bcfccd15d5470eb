import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { accountQuery } from '../account.ts'
import { ApiError, ConnectionError, sendAs } from './client.ts'
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

/** A request that was wrong, or that was not looked at, says nothing about what is shown. */
const SAYS_NOTHING_NEW = [400, 401, 422, 429]
const mayBeOutdated = (error: Error): boolean =>
  error instanceof ApiError ? !SAYS_NOTHING_NEW.includes(error.status) : error instanceof ConnectionError

/**
 * What someone did may change anything that is shown: after it everything is read again, what is shown at once and the
 * rest when it is shown next. A refusal may mean that what is shown is outdated, and has the same effect.
 *
 * Requests are also sent while the browser believes to be offline: waiting in silence would look like being stuck.
 */
export function createQueryClient(): QueryClient {
  /** A visitor has no session that could end, and no role that could be taken. */
  const notice = (error: Error, wanted: 'read' | 'change') => {
    connection.notice(error)
    if (!queryClient.getQueryData(accountQuery.queryKey)) return
    sessionEnded.notice(error, wanted)
    if (wanted === 'read' && isAccessLost(error)) void queryClient.invalidateQueries(accountQuery)
  }
  sendAs(() => queryClient.getQueryData(accountQuery.queryKey)?.account.accountId)
  const queryClient = new QueryClient({
    queryCache: new QueryCache({ onError: (error) => notice(error, 'read'), onSuccess: connection.works }),
    mutationCache: new MutationCache({
      onError: (error) => {
        notice(error, 'change')
        if (mayBeOutdated(error)) void queryClient.invalidateQueries()
      },
      onSuccess: connection.works,
      // Not before: what the change leaves would ask for what is gone.
      onSettled: (_, error) => (error ? undefined : queryClient.invalidateQueries()),
    }),
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
