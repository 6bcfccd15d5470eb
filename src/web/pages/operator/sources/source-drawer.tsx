import { Anchor, Badge, Button, Drawer, Group, Stack, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type SourceDetails, sourceQuery } from '../../../api/operator.ts'
import { Placeholder } from '../../../components/loading/skeletons.tsx'
import { Failure } from '../../../components/states/failure.tsx'
import { Moment } from '../../../components/values/moment.tsx'
import { useCollect } from './use-collect.ts'

type Props = { source: string; onClose: () => void; onSnapshot: (hash: string) => void }

/** One source: its newest checks, and what they left out. */
export function SourceDrawer({ source, onClose, onSnapshot }: Props) {
  const { data, error, refetch } = useQuery(sourceQuery(source))
  return (
    <Drawer opened onClose={onClose} position="right" size="xl" title={<Text fw={600}>{source}</Text>}>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <Placeholder height={240} />}
      {data && <Details {...data} onSnapshot={onSnapshot} />}
    </Drawer>
  )
}

function Details({ source, outcomes, ignored, onSnapshot }: SourceDetails & Pick<Props, 'onSnapshot'>) {
  const collect = useCollect(source.source)
  const { fetchedUrl, problem, failures, lastDurationMs, declared } = source
  return (
    <Stack>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {fetchedUrl && /^https?:\/\//.test(fetchedUrl) ? (
            <Anchor href={fetchedUrl} target="_blank" rel="noreferrer noopener" size="sm">
              {fetchedUrl}
            </Anchor>
          ) : (
            `${source.kind === 'terms' ? 'A document' : source.format}, read every ${intervalText(source.intervalSeconds)}`
          )}
        </Text>
        <Button
          size="xs"
          disabled={!declared}
          loading={collect.isPending || source.collecting}
          onClick={() => collect.mutate()}
        >
          Run now
        </Button>
      </Group>
      {problem && (
        <Text size="sm" className="problem" style={{ overflowWrap: 'anywhere' }}>
          {problem} {failures > 1 && `${failures} times in a row.`}
        </Text>
      )}
      {lastDurationMs !== undefined && (
        <Text size="sm" c="dimmed">
          The last check took {(lastDurationMs / 1000).toLocaleString('en', { maximumFractionDigits: 1 })} s.
        </Text>
      )}
      <Title order={3} size="h5">
        Newest checks
      </Title>
      <Outcomes outcomes={outcomes} onSnapshot={onSnapshot} />
      {ignored.length > 0 && (
        <>
          <Title order={3} size="h5">
            Skipped rows
          </Title>
          <LeftOut ignored={ignored} />
        </>
      )}
    </Stack>
  )
}

/** A duration in its largest whole unit. */
function intervalText(seconds: number): string {
  const [unit, size] =
    seconds % 86_400 === 0 ? ['day', 86_400] : seconds % 3_600 === 0 ? ['hour', 3_600] : ['minute', 60]
  const count = Math.round(seconds / Number(size))
  return count === 1 ? `${unit}` : `${count} ${unit}s`
}

const COLORS = { changed: 'teal', unchanged: 'gray', quarantined: 'orange', failed: 'red' }

const Outcomes = ({ outcomes, onSnapshot }: Pick<SourceDetails, 'outcomes'> & Pick<Props, 'onSnapshot'>) =>
  outcomes.length === 0 ? (
    <Text size="sm">Never read.</Text>
  ) : (
    <Table fz="sm" verticalSpacing={6} aria-label="Newest checks">
      <Table.Tbody>
        {outcomes.map(({ at, outcome, httpStatus, reason, snapshotHash }) => (
          <Table.Tr key={at}>
            <Table.Td w={150}>
              <Badge variant="light" color={COLORS[outcome]} tt="none">
                {outcome}
              </Badge>
              <Text size="xs" c="dimmed">
                <Moment at={at} />
              </Text>
            </Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              {[httpStatus, reason].filter(Boolean).join(' · ')}{' '}
              {snapshotHash && (
                <Anchor component="button" type="button" size="sm" onClick={() => onSnapshot(snapshotHash)}>
                  Show response
                </Anchor>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )

const LeftOut = ({ ignored }: Pick<SourceDetails, 'ignored'>) => (
  <Table fz="sm" verticalSpacing={6} aria-label="Skipped rows">
    <Table.Tbody>
      {ignored.map(({ reason, count, example }) => (
        <Table.Tr key={reason}>
          <Table.Td ta="right">{count.toLocaleString('en')}</Table.Td>
          <Table.Td style={{ overflowWrap: 'anywhere' }}>
            {reason}
            <Text size="xs" c="dimmed" lineClamp={2}>
              {example}
            </Text>
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)
