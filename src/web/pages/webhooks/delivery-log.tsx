import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { deliveriesQuery, type Webhook } from '../../api/webhooks.ts'
import { Words } from '../../components/loading/skeletons.tsx'
import { Empty } from '../../components/states/empty.tsx'
import { Failure } from '../../components/states/failure.tsx'
import { LOG_DAYS, LOG_LENGTH } from '../../limits.ts'
import { DeliveryFilters } from './delivery-filters.tsx'
import { DeliveryRows } from './delivery-rows.tsx'
import { filterOf, type WebhookSearch } from './delivery-search.ts'
import { ResendFailed } from './resend-failed.tsx'
import { Statistics, StatisticsLoading } from './statistics.tsx'

/** The button that resends failed deliveries comes after they were counted. */
const BUTTON_HEIGHT = 30

type LogProps = { webhookId: string; webhook: Webhook | undefined; search: WebhookSearch }

/** How the endpoint answers, and the newest 50 deliveries that meet the search, read again while the page is open. */
export function DeliveryLog({ webhookId, webhook, search }: LogProps) {
  const filter = filterOf(search, Date.now())
  const isFiltered = Object.keys(filter).length > 0
  const { data, error, isPlaceholderData, isRefetchError, refetch } = useQuery(deliveriesQuery(webhookId, filter))
  // What met the filters until now says nothing about what there is without them.
  if (data?.deliveries.length === 0 && !isFiltered && !isPlaceholderData) {
    return (
      <Empty title="Nothing sent yet">
        Events go out within five minutes of being published. Send a test to see how your endpoint responds.
      </Empty>
    )
  }
  return (
    <>
      {webhook ? <Statistics webhook={webhook} /> : <StatisticsLoading />}
      <DeliveryFilters search={search} />
      {error && !data ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : (
        <>
          <Group justify="space-between" mb="xs" mih={BUTTON_HEIGHT}>
            <Group gap="sm">
              <Text size="sm" c="dimmed" role="status">
                {data ? countText(data, isFiltered) : <Words />}
              </Text>
              {webhook && <ResendFailed webhook={webhook} filter={filter} />}
            </Group>
            <Text size="sm" c="dimmed" role="status">
              {isRefetchError ? 'No connection: showing the last known state.' : 'Live'}
            </Text>
          </Group>
          {data?.deliveries.length === 0 ? (
            <Empty title="No matching deliveries">
              Remove a filter or a word from the search. The log keeps deliveries for {LOG_DAYS} days.
            </Empty>
          ) : (
            <DeliveryRows webhook={webhook} deliveries={data?.deliveries} />
          )}
        </>
      )}
    </>
  )
}

type DeliveryCount = { deliveries: unknown[]; matching: number; more: boolean }

/** How many deliveries there are, or meet the search, and how many of them are shown. */
function countText({ deliveries, matching, more }: DeliveryCount, isFiltered: boolean): string {
  const count = `${more ? 'more than ' : ''}${matching.toLocaleString('en')}`
  const all = isFiltered ? `${count} matching` : count
  const noun = matching === 1 ? 'delivery' : 'deliveries'
  if (deliveries.length === matching)
    return isFiltered ? `${all} ${noun}` : `${all} ${noun} in the last ${LOG_DAYS} days`
  return `The newest ${LOG_LENGTH} of ${all} ${noun}${isFiltered ? '' : ` in the last ${LOG_DAYS} days`}`
}
