import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failure } from './failure.tsx'

type Props = { query: UseQueryResult; children: ReactNode }

/** What is known stays where it cannot be read again, with the dialog that is open over it; the failure is above. */
export const Known = ({ query: { data, error, refetch }, children }: Props) => (
  <>
    {error && <Failure error={error} retry={() => void refetch()} />}
    {(!error || data !== undefined) && children}
  </>
)
