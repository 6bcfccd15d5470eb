import { Alert, Badge, Group, List, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ClosedItem, type QueueItem, reviewItemQuery } from '../../../api/operator.ts'
import { useProviderNames } from '../../../api/provider-names.ts'
import { Placeholder } from '../../../components/loading/skeletons.tsx'
import { Failure } from '../../../components/states/failure.tsx'
import { Moment } from '../../../components/values/moment.tsx'
import { BesideOne, KnownPrices, SnapshotLink, SourceLink } from './beside.tsx'
import { HeldDocument } from './held-document.tsx'
import { headOf, KIND_NAMES, sellerOf } from './kinds.ts'
import { PricesTable } from './prices/prices-table.tsx'
import type { Edits } from './prices/typed-prices.ts'

type Props = { item: QueueItem; edits?: Edits; onEdit: (edits: Edits) => void }

/** Everything that a decision about one item needs. */
export function ItemDetail({ item: listed, edits, onEdit }: Props) {
  // It is read by useShownItem, unless it is only passed.
  const { data, error, refetch } = useQuery({ ...reviewItemQuery(listed.id), enabled: false })
  const item = data?.item ?? listed
  return (
    <Paper withBorder p="md" component="section" aria-label="The item">
      <Stack gap="md">
        <Head {...item} />
        {error && <Failure error={error} retry={() => void refetch()} />}
        {!data && !error && <Placeholder height={220} />}
        {data?.closed && <ClosedNotice {...data.closed} />}
        {data && data.lines.length > 0 && (
          <PricesTable lines={data.lines} count={item.rows} edits={edits} onEdit={onEdit} />
        )}
        {data?.document && <HeldDocument {...data.document} />}
        {item.snapshot && <SnapshotLink snapshot={item.snapshot} />}
        {data && data.known.length > 0 && <KnownPrices prices={data.known} />}
        {(data || error) && <Absences item={item} priced={data?.known ?? []} />}
        <WithoutDecision ways={item.endsBy} listed={data?.lines.find(({ listed }) => listed)?.listed} />
        {data?.beside.map((context) => (
          <BesideOne key={context.contentHash} {...context} />
        ))}
      </Stack>
    </Paper>
  )
}

function Head(item: QueueItem) {
  const nameOf = useProviderNames()
  return (
    <div>
      <Text size="sm" c="dimmed">
        {KIND_NAMES[item.kind]} · {sellerOf(item, nameOf)} · from <SourceLink source={item.source} /> · waiting{' '}
        <Moment at={item.openedAt} lasting />
      </Text>
      <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
        {headOf(item).title}
      </Title>
      <Stack gap={4} mt={6} component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Why it waits">
        {item.reasons.map(({ code, name, meaning }) => (
          <Group key={code} component="li" gap={8} wrap="nowrap" align="baseline">
            <Badge variant="light" color="gray" fw={500} style={{ flexShrink: 0 }}>
              {name}
            </Badge>
            {saysMore(name, meaning) && (
              <Text size="sm" span>
                {meaning}
              </Text>
            )}
          </Group>
        ))}
      </Stack>
    </div>
  )
}

/** The reasons of documents are words already. */
const saysMore = (name: string, meaning: string): boolean => meaning.toLowerCase() !== `${name.toLowerCase()}.`

/** What ends the doubt when no one decides. */
const WithoutDecision = ({ ways, listed }: { ways: string[]; listed: string | undefined }) =>
  ways.length === 0 ? null : (
    <Text size="sm">
      <Text span size="sm" fw={600}>
        Without a decision:
      </Text>{' '}
      {[...ways, ...(listed ? [listed] : [])].join(' ')}
    </Text>
  )

const MOST_NAMES = 40
/** The title names this many. */
const NAMED_IN_TITLE = 2

/** What is missing, or listed in place of a price, where neither the question nor the table of prices names it. */
function Absences({ item: { kind, resources, texts }, priced }: { item: QueueItem; priced: { resource: string }[] }) {
  if (kind === 'price' || kind === 'mass_change' || kind === 'terms' || kind === 'rename') return null
  const all = [...texts, ...(kind === 'unreadable' ? [] : resources)]
  const inTable = new Set(priced.map(({ resource }) => resource))
  const names = all.filter((name) => !inTable.has(name))
  if (all.length <= NAMED_IN_TITLE || names.length === 0) return null
  return (
    <List size="sm" spacing={2}>
      {names.slice(0, MOST_NAMES).map((name) => (
        <List.Item key={name} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </List.Item>
      ))}
      {names.length > MOST_NAMES && <List.Item>and {names.length - MOST_NAMES} more</List.Item>}
    </List>
  )
}

/** How an item ended that someone else, or its source, was faster with. */
const ClosedNotice = ({ decision, decidedAt, decidedBy, reason }: ClosedItem) => (
  <Alert color="yellow" title="No longer waiting" role="status">
    {decision === 'superseded' ? (
      <Text size="sm">
        Its source changed, other sources confirmed it, or its prices were decided with another item (
        <Moment at={decidedAt} />
        ). Nothing is left to decide.
      </Text>
    ) : (
      <Text size="sm">
        {decidedBy ?? 'A person'} {decision} it <Moment at={decidedAt} />
        {reason ? `: ${reason}` : '.'}
      </Text>
    )}
  </Alert>
)
