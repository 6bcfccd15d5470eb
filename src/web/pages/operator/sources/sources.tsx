import { Alert, Anchor, Badge, Button, Group, SegmentedControl, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type Source, sourcesQuery } from '../../../api/operator.ts'
import { DataTable } from '../../../components/data-table.tsx'
import { FindField } from '../../../components/forms/find-field.tsx'
import { useChangeSearch } from '../../../components/hooks/use-change-search.ts'
import { useListSearch } from '../../../components/hooks/use-typed.ts'
import { Empty } from '../../../components/states/empty.tsx'
import { Known } from '../../../components/states/known.tsx'
import { Moment } from '../../../components/values/moment.tsx'
import { text } from '../../../search.ts'
import { hasWords } from '../../../words.ts'
import { Freshness } from '../freshness.tsx'
import { OperatorPage } from '../operator-page.tsx'
import { SnapshotDialog } from './snapshot-dialog.tsx'
import { SourceDrawer } from './source-drawer.tsx'
import { useCollect } from './use-collect.ts'

/** Where prices and documents are read from, and the outcomes. */
export const Sources = () => (
  <OperatorPage
    title="Sources"
    about="Where prices and documents are read from. A failing source keeps its last prices and is retried at growing intervals."
  >
    {() => <SourceList />}
  </OperatorPage>
)

const needsAttention = ({ problem, freshness, declared }: Source) =>
  declared && (problem !== undefined || freshness === 'stale')

function SourceList() {
  const query = useQuery(sourcesQuery)
  const { data } = query
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const change = useChangeSearch()
  const [typed, setTyped] = useListSearch()
  const show = (changed: { source?: string; snapshot?: string; only?: string }) => change(changed)
  const step = (changed: { source: string } | { snapshot: string }) => change(changed, true)
  const only = text(search.only) === 'problems' ? 'problems' : 'all'
  const open = text(search.source)
  const snapshot = text(search.snapshot)
  const sources = data?.sources
  const broken = sources?.filter(needsAttention)
  // What needs attention comes first.
  const ordered = sources && [...broken!, ...sources.filter((source) => !needsAttention(source))]
  const listed = (only === 'problems' ? broken : ordered)?.filter(({ source }) => hasWords(source, typed))
  return (
    <Stack>
      <Known query={query}>
        {data?.offline && <Offline />}
        <Group>
          <FindField label="Find a source" typed={typed} onType={setTyped} w={{ base: '100%', sm: 260 }} />
          <SegmentedControl
            aria-label="Which sources"
            value={only}
            onChange={(value) => show({ only: value === 'problems' ? value : undefined })}
            data={[
              { value: 'all', label: `All (${sources?.length ?? '…'})` },
              { value: 'problems', label: `Need attention (${broken?.length ?? '…'})` },
            ]}
          />
        </Group>
        {listed?.length === 0 ? (
          <Empty title={only === 'problems' ? 'No source needs attention' : 'No matching sources'}>
            {only === 'problems' ? 'Show all sources to see when each was read.' : 'Remove a word from the search.'}
          </Empty>
        ) : (
          <SourceTable sources={listed} isOffline={data?.offline === true} onOpen={(source) => step({ source })} />
        )}
        {open !== undefined && (
          <SourceDrawer
            source={open}
            onClose={() => show({ source: undefined })}
            onSnapshot={(hash) => step({ snapshot: hash })}
          />
        )}
        {snapshot !== undefined && <SnapshotDialog hash={snapshot} onClose={() => show({ snapshot: undefined })} />}
      </Known>
    </Stack>
  )
}

const Offline = () => (
  <Alert color="blue" title="This installation is offline">
    PRICETAPE_OFFLINE is set: prices come from the bundled lists, and no source is read. Remove the setting and restart
    to read them.
  </Alert>
)

type TableProps = { sources: Source[] | undefined; isOffline: boolean; onOpen: (source: string) => void }

const SourceTable = ({ sources, isOffline, onOpen }: TableProps) => (
  <DataTable
    minWidth={760}
    columns={['Source', 'State', 'Last checked', 'Last changed', 'Next', { name: 'Skipped rows', right: true }]}
    actions
    highlightOnHover
    rowHeight={62}
  >
    {sources?.map((source) => (
      <SourceRow key={source.source} source={source} isOffline={isOffline} onOpen={onOpen} />
    ))}
  </DataTable>
)

type RowProps = { source: Source; isOffline: boolean; onOpen: (source: string) => void }

function SourceRow({ source, isOffline, onOpen }: RowProps) {
  const collect = useCollect(source.source)
  const { declared, freshness, lastCheckedAt, lastChangedAt, nextDueAt, problem, rank, witness, ignored } = source
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere', maxWidth: 340 }}>
        <Anchor
          component="button"
          type="button"
          ta="left"
          size="sm"
          fw={500}
          underline="hover"
          onClick={() => onOpen(source.source)}
        >
          {source.source}
        </Anchor>
        <Text size="xs" c="dimmed">
          {source.kind === 'terms' ? 'document' : `prices · ${source.format}`}
          {rank === 'provider' && ' · the provider’s own'}
          {rank === 'verified' && ' · verified against the provider'}
          {witness && ' · comparison only'}
        </Text>
        {problem && declared && (
          <Text size="xs" className="problem" lineClamp={2}>
            {problem}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {declared ? (
          <Freshness value={freshness} />
        ) : (
          <>
            <Badge variant="default" tt="none">
              {source.endedAt ? 'ended' : 'off'}
            </Badge>
            {source.endsAt && (
              <Text size="xs" c="dimmed">
                its prices end <Moment at={source.endsAt} />
              </Text>
            )}
          </>
        )}
      </Table.Td>
      <Table.Td>{lastCheckedAt ? <Moment at={lastCheckedAt} /> : 'never'}</Table.Td>
      <Table.Td>{lastChangedAt ? <Moment at={lastChangedAt} /> : 'never'}</Table.Td>
      <Table.Td>
        {declared && !isOffline && !nextDueAt.startsWith('0001') ? (
          <Moment at={nextDueAt} />
        ) : declared && !isOffline ? (
          'with the next check'
        ) : (
          '–'
        )}
      </Table.Td>
      <Table.Td ta="right">{ignored.toLocaleString('en')}</Table.Td>
      <Table.Td ta="right">
        <Button
          size="compact-sm"
          variant="default"
          disabled={!declared}
          loading={collect.isPending || source.collecting}
          onClick={() => collect.mutate()}
          aria-label={`Run ${source.source} now`}
        >
          Run now
        </Button>
      </Table.Td>
    </Table.Tr>
  )
}
