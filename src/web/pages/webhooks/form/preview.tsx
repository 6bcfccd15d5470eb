import { Alert, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { previewQuery } from '../../../api/webhooks.ts'
import { LOG_DAYS } from '../../../limits.ts'
import { countInWords, listed } from './event-words.ts'
import { subscriptionOf, type WebhookValues } from './form-values.ts'
import { whatArrives } from './sentence.ts'

const WAIT_MS = 300

/** What will arrive, in a sentence, and how many such events the last 30 days had. */
export function Preview({ values, nameOf }: { values: WebhookValues; nameOf: (id: string) => string }) {
  const [latest] = useDebouncedValue(values, WAIT_MS)
  const { data, error, isEnabled } = useQuery(previewQuery(subscriptionOf(latest)))
  return (
    <Alert variant="light" color="gray" icon={<IconInfoCircle aria-hidden />} title="What will arrive">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {whatArrives(values, nameOf)}
      </Text>
      {isEnabled && (
        <Text size="sm" mt={4} fw={500} role="status">
          {error ? error.message : data ? howMany(data) : `Counting the last ${LOG_DAYS} days …`}
        </Text>
      )}
    </Alert>
  )
}

function howMany({ events, byType }: { events: number; byType: Record<string, number> }): string {
  if (events === 0) return `No such events in the last ${LOG_DAYS} days.`
  const parts = Object.entries(byType)
    .sort(([, one], [, other]) => other - one)
    .map(([type, count]) => countInWords(type, count))
  return `The last ${LOG_DAYS} days had ${events.toLocaleString('en')} such ${events === 1 ? 'event' : 'events'}: ${listed(parts)}.`
}
