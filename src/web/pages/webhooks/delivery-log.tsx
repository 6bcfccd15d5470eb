import { Anchor, Badge, Group, Table, Text } from '@mantine/core'
import { IconCheck, IconClock, IconLoader, IconPlayerPause, IconX } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Delivery, deliveriesQuery, type Webhook } from '../../api/webhooks.ts'
import { DataTable } from '../../components/data-table.tsx'
import { Empty } from '../../components/empty.tsx'
import { Moment } from '../../components/moment.tsx'
import { useSubject } from '../../components/use-subject.ts'
import { LOG_DAYS, LOG_LENGTH } from '../../limits.ts'
import { answerOf, deliveryState } from '../delivery/answer.ts'
import { roundOf } from '../delivery/next-round.ts'

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

/** The newest 50 deliveries, read again while the page is open. */
export function DeliveryLog({ webhook }: { webhook: Webhook }) {
  const { data, isRefetchError } = useSuspenseQuery(deliveriesQuery(webhook.id))
  const { deliveries } = data
  if (deliveries.length === 0) {
    return (
      <Empty title="Nothing was sent yet">
        Events go out within five minutes of being published. Send a test to see how your endpoint answers.
      </Empty>
    )
  }
  return (
    <>
      <Group justify="space-between" mb="xs">
        <Text size="sm" c="dimmed">
          The newest {deliveries.length === LOG_LENGTH ? `${LOG_LENGTH} ` : ''}deliveries of the last {LOG_DAYS} days.
        </Text>
        <Text size="sm" c="dimmed" role="status">
          {isRefetchError ? 'No connection: this is what was known last.' : 'Live'}
        </Text>
      </Group>
      <DataTable
        minWidth={720}
        columns={['Event', 'State', 'Last answer', { name: 'Attempts', right: true }, 'Created', 'Next attempt']}
        highlightOnHover
      >
        {deliveries.map((delivery) => (
          <Row key={delivery.id} webhook={webhook} delivery={delivery} />
        ))}
      </DataTable>
    </>
  )
}

function NextTry({ at }: { at: string }) {
  const round = roundOf(at, Date.now())
  return round ? <Moment at={round} /> : 'next round'
}

/** Ids differ at their ends. */
const shortId = (id: string): string => (id.length > 24 ? `${id.slice(0, 8)}…${id.slice(-12)}` : id)

function Row({ webhook, delivery }: { webhook: Webhook; delivery: Delivery }) {
  const { id, eventType, eventId, attempts, createdAt, nextTryAt, cycle } = delivery
  const own = attempts.filter((attempt) => attempt.cycle === cycle)
  const last = attempts.at(-1)
  const about = useSubject()(delivery)
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
        <Text size="xs" c="dimmed" title={eventId} truncate>
          {about ?? shortId(eventId)}
        </Text>
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
