import { Anchor, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { AuditEntry } from '../../api/audit.ts'
import { DataTable } from '../../components/data-table.tsx'
import { Moment } from '../../components/values/moment.tsx'
import { ACTION_TEXTS } from './audit-texts.ts'

type EntriesProps = {
  entries: AuditEntry[] | undefined
  isForOperators: boolean
  /** Shows what one person did. */
  onPerson: ((accountId: string) => void) | undefined
}

/** Who did what, a line each. */
export const Entries = ({ entries, isForOperators, onPerson }: EntriesProps) => (
  <DataTable
    minWidth={680}
    columns={['When', 'Who', 'What', ...(isForOperators ? ['Workspace'] : []), 'Address']}
    rowHeight={62}
  >
    {entries?.map((entry) => (
      <Table.Tr key={entry.entryId}>
        <Table.Td style={{ whiteSpace: 'nowrap' }}>
          <Moment at={entry.at} exact />
        </Table.Td>
        <Table.Td style={{ overflowWrap: 'anywhere' }}>
          <Person entry={entry} onPerson={onPerson} />
        </Table.Td>
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

function Person({ entry: { accountId, email }, onPerson }: { entry: AuditEntry } & Pick<EntriesProps, 'onPerson'>) {
  if (email === null || accountId === null || !onPerson) return email ?? 'a command'
  return (
    <Anchor component="button" type="button" size="sm" onClick={() => onPerson(accountId)} title="Only what they did">
      {email}
    </Anchor>
  )
}

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
