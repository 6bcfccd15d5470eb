import { Anchor, Badge, Group, Table, Text } from '@mantine/core'
import { IconCheck, IconClock, IconLoader, IconPlayerPause, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Delivery, deliveriesQuery, type Webhook } from '../../api/webhooks.ts'
import { DataTable } from '../../components/data-table.tsx'
import { Empty } from '../../components/empty.tsx'
import { Failure } from '../../components/failure.tsx'
import { Moment } from '../../components/moment.tsx'
import { Words } from '../../components/skeletons.tsx'
import { useSubject } from '../../components/use-subject.ts'
import { LOG_DAYS, LOG_LENGTH } from '../../limits.ts'
import { answerOf, deliveryState } from '../delivery/answer.ts'
import { roundOf } from '../delivery/next-round.ts'
import { detailsOf } from '../delivery/subject.ts'
import { DeliveryFilters } from './delivery-filters.tsx'
import { filterOf, type WebhookSearch } from './delivery-search.ts'
import { ResendFailed } from './resend-failed.tsx'
import { Statistics, StatisticsLoading } from './statistics.tsx'

/** The button that resends failed deliveries comes after they were counted. */
const BUTTON_HEIGHT = 30
const NOWRAP = { whiteSpace: 'nowrap' } as const
const STATES = {
  pending: { color: 'blue', label: 'pending', Icon: IconClock },
  sending: { color: 'blue', label: 'being sent', Icon: IconLoader },
  retrying: { color: 'orange', label: 'retrying', Icon: IconClock },
  succeeded: { color: 'teal', label: 'succeeded', Icon: IconCheck },
  failed: { color: 'red', label: 'failed', Icon: IconX },
  notSent: { color: 'gray', label: 'not sent', Icon: IconPlayerPause },
} as const

export function DeliveryBadge({ delivery }: { delivery: Pick<Delivery, 'status' | 'cycle' | 'notSent' | 'attempts'> }) {
  const { color, label, Icon } = STATES[deliveryState(delivery)]
  return (
    <Badge color={color} variant="light" leftSection={<Icon size={12} aria-hidden />}>
      {label}
    </Badge>
  )
}

type LogProps = { webhookId: string; webhook: Webhook | undefined; search: WebhookSearch }

/** How the endpoint answers, and the newest 50 deliveries that meet the search, read again while the page is open. */
export function DeliveryLog({ webhookId, webhook, search }: LogProps) {
  const filter = filterOf(search, Date.now())
  const isFiltered = Object.keys(filter).length > 0
  const { data, error, isRefetchError, refetch } = useQuery(deliveriesQuery(webhookId, filter))
  if (error && !data) return <Failure error={error} retry={() => void refetch()} />
  if (data?.deliveries.length === 0 && !isFiltered) {
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
        <Deliveries webhook={webhook} deliveries={data?.deliveries} />
      )}
    </>
  )
}

type Counted = { deliveries: unknown[]; matching: number; more: boolean }

/** How many deliveries there are, or meet the search, and how many of them are shown. */
function countText({ deliveries, matching, more }: Counted, isFiltered: boolean): string {
  const count = `${more ? 'more than ' : ''}${matching.toLocaleString('en')}`
  const all = isFiltered ? `${count} matching` : count
  const noun = matching === 1 ? 'delivery' : 'deliveries'
  if (deliveries.length === matching)
    return isFiltered ? `${all} ${noun}` : `${all} ${noun} in the last ${LOG_DAYS} days`
  return `The newest ${LOG_LENGTH} of ${all} ${noun}${isFiltered ? '' : ` in the last ${LOG_DAYS} days`}`
}

type DeliveriesProps = { webhook: Webhook | undefined; deliveries: Delivery[] | undefined }

function Deliveries({ webhook, deliveries }: DeliveriesProps) {
  return (
    <DataTable
      minWidth={720}
      columns={['Event', 'State', 'Last response', { name: 'Attempts', right: true }, 'Created', 'Next attempt']}
      highlightOnHover
      rowHeight={79}
    >
      {webhook && deliveries?.map((delivery) => <Row key={delivery.id} webhook={webhook} delivery={delivery} />)}
    </DataTable>
  )
}

function NextTry({ at }: { at: string }) {
  const round = roundOf(at, Date.now())
  return round ? <Moment at={round} /> : 'next run'
}

/** Ids differ at their ends. */
const shortId = (id: string): string => (id.length > 24 ? `${id.slice(0, 8)}…${id.slice(-12)}` : id)

function Row({ webhook, delivery }: { webhook: Webhook; delivery: Delivery }) {
  const { id, eventType, eventId, attempts, createdAt, nextTryAt, cycle } = delivery
  const own = attempts.filter((attempt) => attempt.cycle === cycle)
  const last = attempts.at(-1)
  const about = useSubject()(delivery)
  const details = detailsOf(delivery)
  return (
    <Table.Tr>
      <Table.Td maw={{ base: 170, sm: 300 }}>
        <Anchor
          component={Link}
          to="/webhooks/$webhookId/deliveries/$deliveryId"
          params={{ webhookId: webhook.id, deliveryId: id } as never}
          search={{ workspace: webhook.workspaceId } as never}
          fw={500}
          size="sm"
          underline="hover"
        >
          {eventType}
        </Anchor>
        <Text size="xs" c="dimmed" title={eventId} style={{ overflowWrap: 'anywhere' }}>
          {about ?? shortId(eventId)}
        </Text>
        {details && (
          <Text size="xs" c="dimmed" title={details} truncate>
            {details}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <DeliveryBadge delivery={delivery} />
      </Table.Td>
      <Table.Td maw={260}>
        <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          {delivery.notSent ? 'The webhook was paused.' : last ? answerOf(last) : '–'}
          {last && own.length === 0 && !delivery.notSent && (
            <Text span c="dimmed" inherit>
              {' '}
              (before it was resent)
            </Text>
          )}
        </Text>
      </Table.Td>
      <Table.Td ta="right">{own.length}</Table.Td>
      <Table.Td style={NOWRAP}>
        <Moment at={createdAt} />
      </Table.Td>
      <Table.Td style={NOWRAP}>
        {!nextTryAt ? '–' : webhook.state === 'paused' ? 'none while paused' : <NextTry at={nextTryAt} />}
      </Table.Td>
    </Table.Tr>
  )
}
