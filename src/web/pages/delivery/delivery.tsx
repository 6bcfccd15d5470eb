import { Button, Group, Text } from '@mantine/core'
import { IconExternalLink, IconRefresh } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { usePageData } from '../../api/use-page-data.ts'
import { deliveryQuery, type ExplainedDelivery, type Webhook, webhookQuery } from '../../api/webhooks.ts'
import { useSubject } from '../../components/hooks/use-subject.ts'
import { TextLink } from '../../components/links.tsx'
import { Page } from '../../components/page.tsx'
import { useShownIn } from '../../components/shell/use-shown-in.ts'
import { CopyIcon } from '../../components/values/copied-value.tsx'
import { Moment } from '../../components/values/moment.tsx'
import { DeliveryBadge } from '../webhooks/delivery-badge.tsx'
import { Attempts } from './attempts.tsx'
import { DeliveryLoading } from './delivery-loading.tsx'
import { OlderAttempts } from './older-attempts.tsx'
import { Outcome } from './outcome.tsx'
import { Payload } from './payload.tsx'
import { Request } from './request.tsx'
import { RetrySchedule } from './retry-schedule.tsx'
import { detailsOf, pageOf } from './subject.ts'
import { resendRefusal, useResend } from './use-resend.ts'

const route = getRouteApi('/signed-in/webhooks/$webhookId/deliveries/$deliveryId')

/** One delivery: what was sent, what came back, what comes next, and what to do. */
export function DeliveryPage() {
  const { webhookId, deliveryId } = route.useParams()
  const explained = usePageData(deliveryQuery(webhookId, deliveryId)).data
  const webhook = usePageData(webhookQuery(webhookId)).data?.webhook
  useShownIn(webhook?.workspaceId)
  return webhook && explained ? (
    <Shown webhook={webhook} explained={explained} />
  ) : (
    <DeliveryLoading webhookId={webhookId} webhook={webhook} />
  )
}

type ShownProps = { webhook: Webhook; explained: ExplainedDelivery }

function Shown({ webhook, explained }: ShownProps) {
  const { delivery, schedule, temporalUrl } = explained
  const about = useSubject()(delivery)
  const details = detailsOf(delivery)
  const subject = pageOf(delivery)
  return (
    <Page
      title={delivery.eventType}
      about={
        <>
          {about && `${[about, details].filter(Boolean).join(', ')}. `}
          {subject && (
            <>
              <TextLink {...(subject as object)} to={subject.to}>
                {subject.label}
              </TextLink>
              .{' '}
            </>
          )}
          To {webhook.url}, created <Moment at={delivery.createdAt} />
          <Group component="span" gap={4} mt={2} wrap="nowrap">
            <Text span size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
              {delivery.eventId}
            </Text>
            <CopyIcon value={delivery.eventId} label="event id" isSmall />
          </Group>
        </>
      }
      badge={<DeliveryBadge delivery={delivery} />}
      back={{ to: '/webhooks/$webhookId', params: { webhookId: webhook.id }, label: webhook.name }}
      actions={
        <>
          {temporalUrl && (
            <Button
              component="a"
              href={temporalUrl}
              target="_blank"
              rel="noreferrer"
              variant="default"
              leftSection={<IconExternalLink size={16} aria-hidden />}
            >
              Workflow
            </Button>
          )}
          <Resend webhook={webhook} deliveryId={delivery.id} />
        </>
      }
    >
      <Outcome webhook={webhook} explained={explained} />
      <RetrySchedule schedule={schedule} attempts={delivery.attempts} cycle={delivery.cycle} />
      <Attempts attempts={delivery.attempts} />
      <OlderAttempts webhookId={webhook.id} delivery={delivery} />
      <Payload payload={delivery.payload} bytes={delivery.payloadBytes} />
      <Request webhook={webhook} delivery={delivery} />
    </Page>
  )
}

function Resend({ webhook, deliveryId }: { webhook: Webhook; deliveryId: string }) {
  const refusal = resendRefusal(webhook)
  return (
    <Button
      leftSection={<IconRefresh size={16} aria-hidden />}
      onClick={useResend(webhook, deliveryId)}
      disabled={refusal !== undefined}
      title={refusal}
    >
      Resend
    </Button>
  )
}
