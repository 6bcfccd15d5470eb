import { Alert, Group, Stack, Text } from '@mantine/core'
import type { Attempt, ExplainedDelivery, Webhook } from '../../api/webhooks.ts'
import { capital } from '../../capital.ts'
import { Moment } from '../../components/values/moment.tsx'
import { advice, answerOf } from './answer.ts'
import { Countdown } from './countdown.tsx'
import { StartRound } from './start-round.tsx'

/** What a delivery's error says, as a sentence. */
const sentence = (text: string): string => capital(text) + (/[.!?]$/.test(text) ? '' : '.')

/** What a delivery came to, or what comes next, and what to do about it. */
export function Outcome({ webhook, explained }: { webhook: Webhook; explained: ExplainedDelivery }) {
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
          {last?.status && `Your endpoint returned HTTP ${last.status} (${last.durationMs} ms)`}
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
        <Text size="sm">{error && sentence(error)} Fix the endpoint, then resend: all six attempts start again.</Text>
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
      <Alert color="blue" title="Sending">
        <Text size="sm">
          Started <Moment at={last.at} />. Your endpoint has 5 seconds to answer.
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
