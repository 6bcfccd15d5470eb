import { Button, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconDownload, IconX } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { type AuditEntry, allEntries, auditQuery } from '../../api/audit.ts'
import { FilterSelect } from '../../components/forms/filter-select.tsx'
import { useAction } from '../../components/hooks/use-action.ts'
import { useChangeSearch } from '../../components/hooks/use-change-search.ts'
import { lazyPart } from '../../components/loading/lazy-part.ts'
import { Empty } from '../../components/states/empty.tsx'
import { Known } from '../../components/states/known.tsx'
import { NextPage } from '../../components/states/next-page.tsx'
import { text } from '../../search.ts'
import { saveCsv } from '../prices/take-away/save-csv.ts'
import { Entries } from './audit-entries.tsx'
import { ACTION_TEXTS } from './audit-texts.ts'
import { OperatorPage } from './operator-page.tsx'

/** Calendars are loaded when they are wanted. */
const DownloadAudit = lazyPart(() => import('./download-audit.tsx'))

/** Who did what, everywhere. */
export const Audit = () => (
  <OperatorPage
    title="Audit log"
    about="Who did what in the app and on the command line, recorded together with each change. Entries are never edited."
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
  const accountId = text(search.who)
  const filter = { ...(workspace && { workspace }), ...(action && { action }), ...(accountId && { accountId }) }
  const log = useInfiniteQuery(auditQuery(filter, isForOperators))
  const entries = log.data?.pages.flatMap((page) => page.entries)
  const who = entries?.find((entry) => entry.accountId === accountId)?.email
  const [isWhole, whole] = useDisclosure(false)
  const save = useAction({
    mutationFn: () => allEntries(filter, isForOperators),
    onSuccess: (all) => saveCsv('audit-log', auditTable(all)),
    onError: ({ message }) => notifications.show({ color: 'red', title: 'Audit log not exported', message }),
  })
  return (
    <Stack>
      <Group gap="xs">
        <FilterSelect
          label="Action"
          any="Every action"
          searchable
          w={{ base: '100%', sm: 280 }}
          data={Object.entries(ACTION_TEXTS).map(([value, label]) => ({ value, label }))}
          value={action}
          onChange={(value) => change({ action: value })}
        />
        {accountId && (
          <Button
            variant="light"
            rightSection={<IconX size={14} aria-hidden />}
            onClick={() => change({ who: undefined })}
          >
            Only {who ?? 'one person'}
          </Button>
        )}
        {isForOperators && (
          <Button variant="default" ml="auto" onClick={whole.open}>
            Download all
          </Button>
        )}
        <Button
          variant="default"
          ml={isForOperators ? undefined : 'auto'}
          leftSection={<IconDownload size={16} aria-hidden />}
          loading={save.isPending}
          disabled={!entries || entries.length === 0}
          onClick={() => save.run()}
        >
          Download CSV
        </Button>
      </Group>
      {isWhole && (
        <Suspense>
          <DownloadAudit onClose={whole.close} />
        </Suspense>
      )}
      <Known query={log}>
        {entries?.length === 0 ? (
          <Empty title="No entries">Choose another action or check back later.</Empty>
        ) : (
          <Entries
            entries={entries}
            isForOperators={isForOperators}
            onPerson={accountId ? undefined : (chosen) => change({ who: chosen })}
          />
        )}
      </Known>
      {log.hasNextPage && (
        <Stack align="center">
          <NextPage query={log}>Older entries</NextPage>
        </Stack>
      )}
    </Stack>
  )
}

/** The entries as a table for a file, with ids in full. */
const auditTable = (entries: AuditEntry[]): unknown[][] => [
  ['at', 'email', 'accountId', 'action', 'workspace', 'workspaceId', 'subject', 'subjectName', 'address', 'detail'],
  ...entries.map((entry) => [
    ...[entry.at, entry.email, entry.accountId, entry.action, entry.workspace, entry.workspaceId],
    ...[entry.subject, entry.subjectName, entry.address, entry.detail],
  ]),
]
