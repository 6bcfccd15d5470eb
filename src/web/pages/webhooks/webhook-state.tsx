import { Alert, Badge, Text } from '@mantine/core'
import { IconAlertTriangle, IconPlayerPause } from '@tabler/icons-react'
import type { Webhook } from '../../api/webhooks.ts'
import { Moment } from '../../components/values/moment.tsx'
import { LOG_DAYS, PAUSE_FAILURES, PAUSE_HOURS } from '../../limits.ts'

export function StateBadge({ webhook: { state, failuresInRow } }: { webhook: Webhook }) {
  if (state === 'paused')
    return (
      <Badge color="orange" variant="light">
        paused
      </Badge>
    )
  return failuresInRow > 0 ? (
    <Badge color="red" variant="light">
      failing
    </Badge>
  ) : (
    <Badge color="teal" variant="light">
      active
    </Badge>
  )
}

/** Why a webhook is paused and what to do, or what would pause it while its attempts fail. */
export function StateNotice({ webhook }: { webhook: Webhook }) {
  const { state, pausedAt, pausedReason, willPause, failuresInRow } = webhook
  if (state === 'paused') {
    return (
      <Alert color="orange" icon={<IconPlayerPause aria-hidden />} title="Paused: nothing is sent">
        <Text size="sm">
          {pausedReason}{' '}
          {pausedAt && (
            <>
              That was <Moment at={pausedAt} />.
            </>
          )}{' '}
          Deliveries due in the meantime are kept for {LOG_DAYS} days. Fix the endpoint, then resume; “Resume and
          resend” also sends what was not sent.
        </Text>
      </Alert>
    )
  }
  if (!willPause) return null
  const { failuresLeft, notBefore } = willPause
  const passed = Date.parse(notBefore) <= Date.now()
  const failures = failuresLeft === 1 ? 'the next failed attempt' : `${failuresLeft} more failed attempts`
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={howMany(failuresInRow)}>
      <Text size="sm">
        It will pause with {failures}
        {!passed && (
          <>
            , but not before <Moment at={notBefore} exact />
          </>
        )}
        . One success starts the count again: a webhook pauses after {PAUSE_FAILURES} failures in a row, the first at
        least {PAUSE_HOURS} hours before the last. Tests do not count.
      </Text>
    </Alert>
  )
}

const howMany = (failures: number): string =>
  failures === 1 ? 'The last attempt failed' : `The last ${failures} attempts failed`
