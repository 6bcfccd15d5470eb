import type { QueryClient } from '@tanstack/react-query'
import { visitorQuery } from '../account.ts'
import { dropDrafts } from './drafts.ts'
import { sessionEnded } from './session-ended.ts'

const [VISITOR] = visitorQuery.queryKey

/**
 * Forgets all that was read for someone who has signed out, and what they typed. The page of the sign-in is open by now: what it shows of
 * the service is read again. It would wait forever for a query that is removed.
 */
export function forgetSession(queryClient: QueryClient): void {
  dropDrafts()
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== VISITOR })
  queryClient.getMutationCache().clear()
  sessionEnded.signedIn()
  void queryClient.resetQueries(visitorQuery)
}
