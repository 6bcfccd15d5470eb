import { useInfiniteQuery } from '@tanstack/react-query'
import { olderAttempts } from '../../api/webhooks.ts'
import { NextPage } from '../../components/states/next-page.tsx'
import { Attempts } from './attempts.tsx'

type Delivery = { id: string; olderAttempts?: string }

/** The attempts before those that are shown, a page for each click, the newest page first. */
export function OlderAttempts({ webhookId, delivery }: { webhookId: string; delivery: Delivery }) {
  const first = delivery.olderAttempts
  const pages = useInfiniteQuery({
    queryKey: ['webhook', webhookId, 'deliveries', delivery.id, 'attempts before', first],
    queryFn: async ({ pageParam }) => (await olderAttempts(webhookId, delivery.id, pageParam)).delivery,
    initialPageParam: first ?? '',
    getNextPageParam: (page) => page.olderAttempts,
    enabled: false,
  })
  if (first === undefined) return null
  const { data, hasNextPage } = pages
  return (
    <>
      {data?.pages.map((page, index) => (
        <Attempts key={page.olderAttempts ?? index} attempts={page.attempts} title="Earlier attempts" />
      ))}
      {(data === undefined || hasNextPage) && <NextPage query={pages}>Show earlier attempts</NextPage>}
    </>
  )
}
