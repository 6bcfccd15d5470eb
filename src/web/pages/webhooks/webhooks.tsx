import { Anchor, Button, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useProviderNames } from '../../api/provider-names.ts'
import { usePageData } from '../../api/use-page-data.ts'
import { statisticsQuery, type Webhook, type WebhookStatistics, webhooksQuery } from '../../api/webhooks.ts'
import { DataTable } from '../../components/data-table.tsx'
import { Page } from '../../components/page.tsx'
import { useWorkspace } from '../../components/shell/use-workspace.ts'
import { Empty } from '../../components/states/empty.tsx'
import { eventsInWords, listed } from './form/event-words.ts'
import { LastAttempt } from './statistics.tsx'
import { attempted, durationText, successRate } from './statistics-texts.ts'
import { StateBadge } from './webhook-state.tsx'

const MANY_TYPES = 3

/** The webhooks of the workspace. */
export function Webhooks() {
  const { workspaceId } = useWorkspace().workspace!
  const { webhooks, most } = usePageData(webhooksQuery(workspaceId)).data ?? {}
  const isFull = webhooks !== undefined && webhooks.length >= most!
  const create = isFull ? (
    <Button disabled>Create a webhook</Button>
  ) : (
    <Button component={Link} to="/webhooks/new" search={{ workspace: workspaceId } as never}>
      Create a webhook
    </Button>
  )
  return (
    <Page
      title="Webhooks"
      about={`Signed requests to your server when a price or a document changes. ${webhooks?.length ?? '…'} of ${most ?? '…'} are in use.${isFull ? ' Delete one to create another.' : ''}`}
      actions={webhooks?.length !== 0 && create}
    >
      {webhooks?.length === 0 ? (
        <Empty title="No webhooks yet" action={create}>
          Create one, send it a test, and see within five minutes how your endpoint responds.
        </Empty>
      ) : (
        <WebhookTable workspaceId={workspaceId} webhooks={webhooks} />
      )}
    </Page>
  )
}

function WebhookTable({ workspaceId, webhooks }: { workspaceId: string; webhooks: Webhook[] | undefined }) {
  const nameOf = useProviderNames()
  const { data } = useQuery(statisticsQuery(workspaceId))
  const statisticsOf = ({ id }: Webhook) => data?.webhooks.find(({ webhookId }) => webhookId === id)
  return (
    <DataTable
      minWidth={860}
      columns={['Name', 'State', 'Receives', 'Last 24 hours', 'Last 30 days', 'Last attempt']}
      highlightOnHover
      rowHeight={63}
    >
      {webhooks?.map((webhook) => (
        <Table.Tr key={webhook.id}>
          <Table.Td maw={{ base: 220, sm: 380 }}>
            <Anchor
              component={Link}
              to="/webhooks/$webhookId"
              params={{ webhookId: webhook.id } as never}
              search={{ workspace: webhook.workspaceId } as never}
              fw={500}
              size="sm"
              underline="hover"
              style={{ overflowWrap: 'anywhere' }}
            >
              {webhook.name}
            </Anchor>
            <Text size="xs" c="dimmed" truncate title={webhook.url}>
              {webhook.url}
            </Text>
          </Table.Td>
          <Table.Td>
            <StateBadge webhook={webhook} />
          </Table.Td>
          <Table.Td>{receives(webhook, nameOf)}</Table.Td>
          <Answers webhook={webhook} statistics={statisticsOf(webhook)} />
        </Table.Tr>
      ))}
    </DataTable>
  )
}

/** How its endpoint answered. */
function Answers({ webhook, statistics }: { webhook: Webhook; statistics: WebhookStatistics | undefined }) {
  if (!statistics?.lastAttempt) return <Table.Td colSpan={3}>{statistics ? 'No attempts yet' : ''}</Table.Td>
  const { day, month, lastAttempt } = statistics
  return (
    <>
      <PeriodCell period={day} />
      <PeriodCell period={month} />
      <Table.Td>
        <LastAttempt webhook={webhook} last={lastAttempt} />
      </Table.Td>
    </>
  )
}

const PeriodCell = ({ period }: { period: WebhookStatistics['day'] }) => (
  <Table.Td style={{ whiteSpace: 'nowrap' }}>
    {attempted(period) === 0 ? (
      '–'
    ) : (
      <>
        <Text size="sm">{successRate(period)} succeeded</Text>
        <Text size="xs" c="dimmed">
          {attempted(period).toLocaleString('en')} {attempted(period) === 1 ? 'delivery' : 'deliveries'}
          {period.medianMs !== undefined && ` · ${durationText(period.medianMs)}`}
        </Text>
      </>
    )}
  </Table.Td>
)

function receives({ eventTypes, providers }: Webhook, nameOf: (provider: string) => string): string {
  const what =
    eventTypes.length > MANY_TYPES ? `${eventTypes.length} kinds of events` : listed(eventTypes.map(eventsInWords))
  const from = providers.includes('*')
    ? 'every provider'
    : providers.length > MANY_TYPES
      ? `${providers.length} providers`
      : listed(providers.map(nameOf))
  return `${what} of ${from}`
}
