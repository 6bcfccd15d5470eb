import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconExternalLink, IconRefresh } from '@tabler/icons-react'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import {
  type Attempt,
  deliveryQuery,
  type ExplainedDelivery,
  resendDelivery,
  type Webhook,
  webhookQuery,
} from '../../api/webhooks.ts'
import { capital } from '../../capital.ts'
import { TextLink } from '../../components/links.tsx'
import { Moment } from '../../components/moment.tsx'
import { Page } from '../../components/page.tsx'
import { useShownIn } from '../../components/shell/use-shown-in.ts'
import { useConfirmed } from '../../components/use-confirmed.tsx'
import { useSubject } from '../../components/use-subject.ts'
import { DeliveryBadge } from '../webhooks/delivery-log.tsx'
import { advice, answerOf } from './answer.ts'
import { Attempts } from './attempts.tsx'
import { Countdown } from './countdown.tsx'
import { clockTime, roundAfter } from './next-round.ts'
import { OlderAttempts } from './older-attempts.tsx'
import { Payload } from './payload.tsx'
import { Request } from './request.tsx'
import { RetrySchedule } from './retry-schedule.tsx'
import { StartRound } from './start-round.tsx'
import { detailsOf, pageOf } from './subject.ts'

const route = getRouteApi('/signed-in/webhooks/$webhookId/deliveries/$deliveryId')

/** One delivery: what was sent, what came back, what comes next, and what to do. */
export function DeliveryPage() {
  const { webhookId, deliveryId } = route.useParams()
  const { data } = useSuspenseQuery(deliveryQuery(webhookId, deliveryId))
  const { webhook } = useSuspenseQuery(webhookQuery(webhookId)).data
  const { delivery, schedule, temporalUrl } = data
  const about = useSubject()(delivery)
  const details = detailsOf(delivery)
  const subject = pageOf(delivery)
  useShownIn(webhook.workspaceId)
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
          <Text span display="block" size="xs" ff="monospace" mt={2}>
            {delivery.eventId}
          </Text>
        </>
      }
      badge={<DeliveryBadge delivery={delivery} />}
      back={{ to: '/webhooks/$webhookId', params: { webhookId }, label: webhook.name }}
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
          <Resend webhook={webhook} deliveryId={deliveryId} />
        </>
      }
    >
      <Outcome webhook={webhook} explained={data} />
      <RetrySchedule schedule={schedule} attempts={delivery.attempts} cycle={delivery.cycle} />
      <Attempts attempts={delivery.attempts} />
      <OlderAttempts webhookId={webhookId} delivery={delivery} />
      <Payload payload={delivery.payload} bytes={delivery.payloadBytes} />
      <Request webhook={webhook} delivery={delivery} />
    </Page>
  )
}

/** What a delivery's error says, as a sentence. */
const sentence = (text: string): string => capital(text) + (/[.!?]$/.test(text) ? '' : '.')

function Resend({ webhook, deliveryId }: { webhook: Webhook; deliveryId: string }) {
  const queryClient = useQueryClient()
  const isPaused = webhook.state === 'paused'
  const resend = useMutation({ mutationFn: () => resendDelivery(webhook.id, deliveryId) })
  const ask = useConfirmed({
    title: 'Resend this delivery?',
    text: 'The same event and body go out with the next round, newly signed, with all six attempts. Rounds start every five minutes.',
    isHarmless: true,
    button: 'Resend',
    run: async () => {
      await resend.mutateAsync()
      notifications.show({ message: `It goes out with the round at ${clockTime(roundAfter(0, Date.now()))}.` })
    },
    onDone: () => queryClient.invalidateQueries({ queryKey: ['webhook', webhook.id] }),
  })
  return (
    <Button
      leftSection={<IconRefresh size={16} aria-hidden />}
      onClick={ask}
      disabled={isPaused}
      title={isPaused ? 'The webhook is paused: resume it first.' : undefined}
      loading={resend.isPending}
    >
      Resend
    </Button>
  )
}

/** What a delivery came to, or what comes next, and what to do about it. */
function Outcome({ webhook, explained }: { webhook: Webhook; explained: ExplainedDelivery }) {
  const { delivery } = explained
  const { status, cycle, notSent, error, attempts, finishedAt } = delivery
  const last = attempts.findLast((attempt) => attempt.cycle === cycle)
  if (notSent) {
    return (
      <Alert color="orange" title="Not sent: the webhook was paused when this was due">
        <Text size="sm">
          {webhook.state === 'paused'
            ? 'Resume the webhook with “Resume and resend”: this and everything else that was not sent goes out.'
            : 'The webhook is active again. Resend this delivery to send it now.'}
        </Text>
      </Alert>
    )
  }
  if (status === 'succeeded') {
    return (
      <Alert color="teal" title="Delivered">
        <Text size="sm">
          {last?.status && `It answered ${last.status} after ${last.durationMs} ms`}
          {finishedAt && (
            <>
              , <Moment at={finishedAt} />
            </>
          )}
          .
        </Text>
      </Alert>
    )
  }
  if (status === 'failed') {
    return (
      <Alert color="red" title="Every attempt failed: nothing more is sent">
        <Text size="sm">
          {error && sentence(error)} Correct the endpoint, then resend: all six attempts begin again.
        </Text>
      </Alert>
    )
  }
  return <Waiting webhook={webhook} last={last} nextTryAt={delivery.nextTryAt} />
}

type WaitingProps = { webhook: Webhook; last: Attempt | undefined; nextTryAt: string | undefined }

/** A delivery that is not over: what the last attempt came to, and when the next one is made. */
function Waiting({ webhook, last, nextTryAt }: WaitingProps) {
  if (last?.outcome === 'started') {
    return (
      <Alert color="blue" title="Sending an attempt">
        <Text size="sm">
          It began <Moment at={last.at} />. Your endpoint has 5 seconds to answer.
        </Text>
      </Alert>
    )
  }
  const said = last?.outcome === 'unknown' ? 'The outcome of the last attempt is unknown' : 'The last attempt failed'
  return (
    <Alert color={last ? 'orange' : 'blue'} title={last ? said : 'Waiting for the first attempt'}>
      <Stack gap={4}>
        {last && (
          <Text size="sm">
            {sentence(answerOf(last))} {advice(last)}
          </Text>
        )}
        {nextTryAt && (
          <Group gap={6}>
            <Text size="sm" fw={500}>
              {last ? 'Next attempt:' : 'It is sent'} <Countdown to={nextTryAt} />
            </Text>
            {Date.parse(nextTryAt) <= Date.now() && webhook.state === 'active' && <StartRound />}
          </Group>
        )}
        {webhook.state === 'paused' && (
          <Text size="sm">The webhook is paused: if it still is when this is due, it is not sent.</Text>
        )}
      </Stack>
    </Alert>
  )
}
