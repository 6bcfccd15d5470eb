import { Badge, Group, Table, Text } from '@mantine/core'
import { usePageData } from '../../api/use-page-data.ts'
import { type Watch, watchesQuery } from '../../api/watches.ts'
import { DataTable } from '../../components/data-table.tsx'
import { ButtonLink, TextLink } from '../../components/links.tsx'
import { Page } from '../../components/page.tsx'
import { useWorkspace } from '../../components/shell/use-workspace.ts'
import { Empty } from '../../components/states/empty.tsx'
import { Moment } from '../../components/values/moment.tsx'
import { MAX_WATCHES } from '../../limits.ts'
import { NoMails } from './no-mails.tsx'
import { WatchActions } from './watch-actions.tsx'
import { changesOf, frequencyText, subjectOf } from './watch-texts.ts'

/** What is mailed to the signed-in user. */
export function Watches() {
  const { account } = useWorkspace()
  const data = usePageData(watchesQuery).data
  return (
    <Page
      title="What you watch"
      about={`Changes are mailed to ${account.email}. You have ${data?.watches.length ?? '…'} of at most ${MAX_WATCHES} watches.`}
      back={{ to: '/account', label: 'Account' }}
    >
      {data && <NoMails mails={data.mails} isConfirmed={account.emailVerifiedAt !== null} />}
      {data?.watches.length === 0 ? (
        <Empty title="You watch nothing yet" action={<ButtonLink to="/prices">See all prices</ButtonLink>}>
          Open a model, a comparison or a document, and choose Watch: its changes are mailed to you.
        </Empty>
      ) : (
        <WatchTable watches={data?.watches} />
      )}
    </Page>
  )
}

const WatchTable = ({ watches }: { watches: Watch[] | undefined }) => (
  <DataTable minWidth={640} columns={['What', 'How often', 'Changes', 'Since']} actions>
    {watches?.map((watch) => (
      <Table.Tr key={watch.watchId}>
        <Table.Td maw={360} style={{ overflowWrap: 'anywhere' }}>
          <Subject watch={watch} />
        </Table.Td>
        <Table.Td>
          <Group gap="xs" wrap="nowrap">
            <Text size="sm">{frequencyText(watch.frequency)}</Text>
            {watch.pausedAt !== null && (
              <Badge variant="light" color="gray" tt="none">
                paused
              </Badge>
            )}
          </Group>
        </Table.Td>
        <Table.Td>
          <Text size="sm">{changesOf(watch)}</Text>
        </Table.Td>
        <Table.Td>
          <Moment at={watch.createdAt} />
        </Table.Td>
        <Table.Td ta="right">
          <WatchActions watch={watch} />
        </Table.Td>
      </Table.Tr>
    ))}
  </DataTable>
)

/** Leads to the page of what is watched. */
function Subject({ watch }: { watch: Watch }) {
  const text = subjectOf(watch)
  if (watch.group?.deleted) return <Text size="sm">{text} (deleted)</Text>
  return (
    <TextLink {...(pageOf(watch) as { to: string })} preload={false} size="sm" fw={500}>
      {text}
    </TextLink>
  )
}

function pageOf({ provider, resource, document, group }: Watch) {
  if (group) return { to: '/compare/$group', params: { group: group.id } }
  if (document) return { to: '/documents/$provider/$document', params: { provider, document } }
  if (resource) return { to: '/prices/$provider/$resource', params: { provider, resource } }
  return { to: '/prices', search: { providers: [provider] } }
}
