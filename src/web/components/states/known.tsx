import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failure } from './failure.tsx'

type Props = { query: UseQueryResult | UseInfiniteQueryResult; children: ReactNode }

/** What is known stays where it cannot be read again, with the dialog that is open over it; the failure is above. */
export function Known({ query, children }: Props) {
  const { data, error, refetch } = query
  // That of a further page is shown where that page would be.
  const isOfAll = !('isFetchNextPageError' in query && query.isFetchNextPageError)
  return (
    <>
      {error && isOfAll && <Failure error={error} retry={() => void refetch()} />}
      {(!error || data !== undefined) && children}
    </>
  )
}
