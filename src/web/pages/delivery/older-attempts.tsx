import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { olderAttempts } from '../../api/webhooks.ts'
import { Attempts } from './attempts.tsx'

type Delivery = { id: string; olderAttempts?: string }

/** The attempts before those that are shown, a page for each click, the newest page first. */
export function OlderAttempts({ webhookId, delivery }: { webhookId: string; delivery: Delivery }) {
  const first = delivery.olderAttempts
  const { data, fetchNextPage, hasNextPage, isFetching } = useInfiniteQuery({
    queryKey: ['webhook', webhookId, 'deliveries', delivery.id, 'attempts before', first],
    queryFn: async ({ pageParam }) => (await olderAttempts(webhookId, delivery.id, pageParam)).delivery,
    initialPageParam: first ?? '',
    getNextPageParam: (page) => page.olderAttempts,
    enabled: false,
  })
  if (first === undefined) return null
  const more = data === undefined || hasNextPage
  return (
    <>
      {data?.pages.map((page, index) => (
        <Attempts key={page.olderAttempts ?? index} attempts={page.attempts} title="Earlier attempts" />
      ))}
      {more && (
        <Button variant="default" loading={isFetching} onClick={() => fetchNextPage()}>
          Show earlier attempts
        </Button>
      )}
    </>
  )
}
