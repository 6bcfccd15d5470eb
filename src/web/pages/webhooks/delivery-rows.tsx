import { ActionIcon, Anchor, Table, Text, Tooltip } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Delivery, Webhook } from '../../api/webhooks.ts'
import { DataTable } from '../../components/data-table.tsx'
import { useSubject } from '../../components/hooks/use-subject.ts'
import { Moment } from '../../components/values/moment.tsx'
import { shownDay } from '../../instants.ts'
import { answerOf } from '../delivery/answer.ts'
import { roundOf } from '../delivery/next-round.ts'
import { detailsOf } from '../delivery/subject.ts'
import { resendRefusal, useResend } from '../delivery/use-resend.ts'
import { DeliveryBadge } from './delivery-badge.tsx'

const NOWRAP = { whiteSpace: 'nowrap' } as const
const COLUMNS = [
  { name: 'Time', isNarrow: true },
  'Event',
  'State',
  'Last response',
  { name: 'Attempts', right: true },
  'Next attempt',
]

type RowsProps = { webhook: Webhook | undefined; deliveries: Delivery[] | undefined }

/** Deliveries by the day in which they were created, the newest first. */
export function DeliveryRows({ webhook, deliveries }: RowsProps) {
  return (
    <DataTable minWidth={780} columns={COLUMNS} spacing={4} rowHeight={48} actions highlightOnHover>
      {webhook &&
        deliveries?.map((delivery, n) => [
          dayOf(delivery) !== dayOf(deliveries[n - 1]) && <Day key={dayOf(delivery)} at={delivery.createdAt} />,
          <Row key={delivery.id} webhook={webhook} delivery={delivery} />,
        ])}
    </DataTable>
  )
}

const dayOf = (delivery: Delivery | undefined): string | undefined => delivery?.createdAt.slice(0, 10)

const Day = ({ at }: { at: string }) => (
  <Table.Tr>
    <Table.Th colSpan={COLUMNS.length + 1} scope="rowgroup" py={4} bg="var(--mantine-color-default-hover)">
      <Text size="xs" fw={600} c="dimmed">
        {shownDay(`${at.slice(0, 10)}T00:00:00Z`)}, UTC
      </Text>
    </Table.Th>
  </Table.Tr>
)

function Row({ webhook, delivery }: { webhook: Webhook; delivery: Delivery }) {
  const { attempts, createdAt, nextTryAt, cycle, notSent } = delivery
  const own = attempts.filter((attempt) => attempt.cycle === cycle)
  const last = attempts.at(-1)
  return (
    <Table.Tr>
      <Table.Td style={NOWRAP}>
        <Moment at={createdAt} isTimeOfDay />
      </Table.Td>
      <Table.Td maw={{ base: 200, sm: 420 }}>
        <What webhook={webhook} delivery={delivery} />
      </Table.Td>
      <Table.Td>
        <DeliveryBadge delivery={delivery} />
      </Table.Td>
      <Table.Td maw={260}>
        <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          {notSent ? 'The webhook was paused.' : last ? answerOf(last) : '–'}
          {last && own.length === 0 && !notSent && (
            <Text span c="dimmed" inherit>
              {' '}
              (before it was resent)
            </Text>
          )}
        </Text>
      </Table.Td>
      <Table.Td ta="right">{own.length}</Table.Td>
      <Table.Td style={NOWRAP}>
        {!nextTryAt ? '–' : webhook.state === 'paused' ? 'none while paused' : <NextTry at={nextTryAt} />}
      </Table.Td>
      <Table.Td ta="right">
        {delivery.status !== 'pending' && <Resend webhook={webhook} deliveryId={delivery.id} />}
      </Table.Td>
    </Table.Tr>
  )
}

function What({ webhook, delivery }: { webhook: Webhook; delivery: Delivery }) {
  const { id, eventType, eventId } = delivery
  const about = [useSubject()(delivery), detailsOf(delivery)].filter(Boolean).join(' · ')
  return (
    <>
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
        {about || shortId(eventId)}
      </Text>
    </>
  )
}

function Resend({ webhook, deliveryId }: { webhook: Webhook; deliveryId: string }) {
  const ask = useResend(webhook, deliveryId)
  const refusal = resendRefusal(webhook)
  return (
    <Tooltip label={refusal ?? 'Resend'}>
      <ActionIcon variant="subtle" color="gray" onClick={ask} disabled={refusal !== undefined} aria-label="Resend">
        <IconRefresh size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

function NextTry({ at }: { at: string }) {
  const round = roundOf(at, Date.now())
  return round ? <Moment at={round} /> : 'next run'
}

/** Ids differ at their ends. */
const shortId = (id: string): string => (id.length > 24 ? `${id.slice(0, 8)}…${id.slice(-12)}` : id)
