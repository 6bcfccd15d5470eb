import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { overviewQuery } from '../../api/feed.ts'
import { exactInstant } from '../../instants.ts'
import { useChangeSearch } from '../hooks/use-change-search.ts'
import { PageLoading } from '../loading/skeletons.tsx'
import { Empty } from '../states/empty.tsx'

/** As far as the clock of a browser may be wrong: the service knows which instant is the newest. */
const CLOCK_FAULT_MS = 86_400_000

/** Says so where the address names an instant that cannot be read yet. No page would have anything to show. */
export function AsOfGuard({ children }: { children: ReactNode }) {
  const asOf = useSearch({ strict: false, select: (search: { asOf?: string }) => search.asOf }) ?? ''
  const change = useChangeSearch()
  const at = Date.parse(asOf)
  const { data, isLoading } = useQuery({ ...overviewQuery, enabled: at > Date.now() - CLOCK_FAULT_MS })
  if (isLoading && at > Date.now()) return <PageLoading />
  if (!data || !(at > Date.parse(data.newest))) return children
  return (
    <Empty
      title="This instant cannot be shown yet"
      action={<Button onClick={() => change({ asOf: undefined })}>Back to now</Button>}
    >
      {exactInstant(asOf)} is later than {exactInstant(data.newest)}, the newest instant that can be read. What is
      published becomes final 15 minutes later.
    </Empty>
  )
}
