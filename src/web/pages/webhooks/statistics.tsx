import { Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { statisticsQuery, type Webhook, type WebhookStatistics } from '../../api/webhooks.ts'
import { TextLink } from '../../components/links.tsx'
import { lazyPart } from '../../components/loading/lazy-part.ts'
import { Words } from '../../components/loading/skeletons.tsx'
import { Moment } from '../../components/values/moment.tsx'
import { attempted, durationText, successRate, unsuccessful } from './statistics-texts.ts'

/** How the endpoint of a webhook answered in the last 24 hours and 30 days. Nothing before its first attempt. */
export function Statistics({ webhook }: { webhook: Webhook }) {
  const { data, isPending } = useQuery(statisticsQuery(webhook.workspaceId))
  const own = data?.webhooks.find(({ webhookId }) => webhookId === webhook.id)
  if (isPending) return <StatisticsLoading />
  if (!own?.lastAttempt) return null
  return <Figures webhook={webhook} statistics={own} last={own.lastAttempt} />
}

type FiguresProps = LastProps & { statistics: WebhookStatistics }

function Figures({ webhook, statistics, last }: FiguresProps) {
  const { day, month } = statistics
  const [period, setPeriod] = useState(attempted(day) + day.notSent > 0 ? 'day' : 'month')
  return (
    <Stack gap={4} mb="md">
      <Group gap="xl" align="flex-start" style={{ rowGap: 8 }}>
        <Period title="Last 24 hours" period={day} />
        <Period title="Last 30 days" period={month} />
        <div>
          <Text size="xs" c="dimmed">
            Last attempt
          </Text>
          <LastAttempt webhook={webhook} last={last} />
        </div>
        <SegmentedControl
          size="xs"
          ml="auto"
          value={period}
          onChange={setPeriod}
          data={[
            { value: 'day', label: '24 hours' },
            { value: 'month', label: '30 days' },
          ]}
          aria-label="Period of the chart"
        />
      </Group>
      <Outcomes steps={period === 'day' ? day.steps : month.steps} by={period === 'day' ? 'hour' : 'day'} />
    </Stack>
  )
}

const OutcomesChart = lazyPart(() => import('./outcomes-chart.tsx'))
const CHART_HEIGHT = 90

type OutcomesProps = { steps: WebhookStatistics['day']['steps']; by: 'hour' | 'day' }

/** Since when deliveries fail: what became of them by the hour or the day. */
const Outcomes = ({ steps, by }: OutcomesProps) => (
  <Suspense fallback={<Skeleton h={CHART_HEIGHT} />}>
    <OutcomesChart
      steps={steps}
      height={CHART_HEIGHT}
      label={`Chart of deliveries by ${by}: succeeded, retrying, failed, not sent`}
    />
  </Suspense>
)

/** The room of the statistics. */
export const StatisticsLoading = () => (
  <Stack gap={4} mb="md" aria-hidden>
    <Group gap="xl" align="flex-start" style={{ rowGap: 8 }}>
      {['Last 24 hours', 'Last 30 days', 'Last attempt'].map((title) => (
        <div key={title}>
          <Text size="xs" c="dimmed">
            {title}
          </Text>
          <Text size="sm">
            <Words width={160} />
          </Text>
          <Text size="xs">
            <Words width={130} />
          </Text>
        </div>
      ))}
    </Group>
    <Skeleton h={CHART_HEIGHT} />
  </Stack>
)

const Period = ({ title, period }: { title: string; period: WebhookStatistics['day'] }) => (
  <div>
    <Text size="xs" c="dimmed">
      {title}
    </Text>
    <Text size="sm">
      {attempted(period) === 0 ? (
        'No deliveries'
      ) : (
        <>
          <b>{successRate(period)}</b> of {attempted(period).toLocaleString('en')}{' '}
          {attempted(period) === 1 ? 'delivery' : 'deliveries'} succeeded
        </>
      )}
    </Text>
    <Text size="xs" c="dimmed">
      {[
        unsuccessful(period),
        period.medianMs !== undefined && `median ${durationText(period.medianMs)}`,
        period.p95Ms !== undefined && `95th percentile ${durationText(period.p95Ms)}`,
      ]
        .filter(Boolean)
        .join(' · ')}
    </Text>
  </div>
)

type LastProps = { webhook: Webhook; last: NonNullable<WebhookStatistics['lastAttempt']> }

/** When the last attempt was made, and whether it succeeded: a link to its delivery. */
export const LastAttempt = ({ webhook, last }: LastProps) => (
  <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
    <TextLink
      to="/webhooks/$webhookId/deliveries/$deliveryId"
      params={{ webhookId: webhook.id, deliveryId: last.deliveryId } as never}
      search={{ workspace: webhook.workspaceId } as never}
    >
      {last.succeeded ? 'succeeded' : 'failed'}
    </TextLink>{' '}
    <Moment at={last.at} />
  </Text>
)
