import { Button } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { Failure } from './failure.tsx'

type Props = { query: UseInfiniteQueryResult; children: string }

/** Reads the next page of a list. Where it cannot be read, the list stays, and the same button tries again. */
export const NextPage = ({ query, children }: Props) => (
  <>
    {query.isFetchNextPageError && <Failure error={query.error!} />}
    <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
      {children}
    </Button>
  </>
)
