import { Anchor, Button, Group, Select, Stack, Table, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { type AuditEntry, auditQuery } from '../../api/audit.ts'
import { DataTable } from '../../components/data-table.tsx'
import { Empty } from '../../components/empty.tsx'
import { Failure } from '../../components/failure.tsx'
import { Moment } from '../../components/moment.tsx'
import { Placeholder } from '../../components/placeholder.tsx'
import { useChangeSearch } from '../../components/use-change-search.ts'
import { text } from '../../search.ts'
import { ACTION_TEXTS } from './audit-texts.ts'
import { OperatorPage } from './operator-page.tsx'

/** Who did what, everywhere. */
export const Audit = () => (
  <OperatorPage
    title="Audit log"
    about="Who did what in the app and with commands, written in the moment of the change. Nothing is ever changed here."
  >
    {() => <AuditLog isForOperators />}
  </OperatorPage>
)

type Props = { isForOperators?: boolean; workspace?: string }

/** The log, newest first: of everything for operators, of one workspace for its admins. */
export function AuditLog({ isForOperators = false, workspace }: Props) {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const change = useChangeSearch()
  const action = text(search.action)
  const log = useInfiniteQuery(auditQuery({ workspace, action }, isForOperators))
  const entries = log.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <Stack>
      <Select
        aria-label="Action"
        placeholder="Every action"
        clearable
        searchable
        w={{ base: '100%', sm: 280 }}
        data={Object.entries(ACTION_TEXTS).map(([value, label]) => ({ value, label }))}
        value={action ?? null}
        clearButtonProps={{ 'aria-label': 'Every action' }}
        onChange={(value) => change({ action: value ?? undefined })}
      />
      {log.error && <Failure error={log.error} retry={() => void log.refetch()} />}
      {log.isPending && <Placeholder height={320} />}
      {log.data && entries.length === 0 && (
        <Empty title="Nothing was recorded">Choose another action, or look again later.</Empty>
      )}
      {entries.length > 0 && <Entries entries={entries} isForOperators={isForOperators} />}
      {log.hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            Older entries
          </Button>
        </Group>
      )}
    </Stack>
  )
}

const Entries = ({ entries, isForOperators }: { entries: AuditEntry[]; isForOperators: boolean }) => (
  <DataTable minWidth={680} columns={['When', 'Who', 'What', ...(isForOperators ? ['Workspace'] : []), 'Address']}>
    {entries.map((entry) => (
      <Table.Tr key={entry.entryId}>
        <Table.Td style={{ whiteSpace: 'nowrap' }}>
          <Moment at={entry.at} />
        </Table.Td>
        <Table.Td style={{ overflowWrap: 'anywhere' }}>{entry.email ?? 'a command'}</Table.Td>
        <Table.Td style={{ overflowWrap: 'anywhere', maxWidth: 420 }}>
          <Text size="sm">{ACTION_TEXTS[entry.action]}</Text>
          <Subject {...entry} />
        </Table.Td>
        {isForOperators && <Table.Td style={{ overflowWrap: 'anywhere' }}>{entry.workspace ?? '–'}</Table.Td>}
        <Table.Td c="dimmed">
          {entry.address ?? (typeof entry.detail.address === 'string' ? entry.detail.address : '–')}
        </Table.Td>
      </Table.Tr>
    ))}
  </DataTable>
)

/** Details that need no name before them. */
const SAY_THEMSELVES = ['name', 'names', 'question', 'provider']
const ID = /^[0-9a-f]{8}-|^[0-9a-f]{64}$/

const detailText = (name: string, value: unknown): string => {
  if (value === true) return name
  return SAY_THEMSELVES.includes(name) ? String(value) : `${name}: ${String(value)}`
}

function Subject({ action, subject, subjectName, workspaceId, detail }: AuditEntry) {
  const details = Object.entries(detail)
    .filter(([name, value]) => name !== 'address' && name !== 'webhookId' && value !== subject && value !== false)
    .map(([name, value]) => detailText(name, value))
  // An id says nothing to a person where a name or a question does.
  const named = subjectName ?? (subject && !ID.test(subject) ? subject : details.length > 0 ? undefined : subject)
  const page =
    action.startsWith('webhook_') && subjectName !== null && subject !== subjectName
      ? `/webhooks/${subject}`
      : action.startsWith('delivery_') && typeof detail.webhookId === 'string'
        ? `/webhooks/${detail.webhookId}/deliveries/${subject}`
        : undefined
  return (
    <Text size="xs" c="dimmed" lineClamp={3}>
      {named &&
        (page ? (
          <Anchor
            size="xs"
            renderRoot={(props) => <Link {...props} to={page as string} search={{ workspace: workspaceId } as never} />}
          >
            {page.includes('/deliveries/') ? 'The delivery' : named}
          </Anchor>
        ) : (
          named
        ))}
      {named && details.length > 0 && ' · '}
      {details.join(' · ')}
    </Text>
  )
}
