import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { createFeedAddress, deleteFeedAddress, feedAddressQuery } from '../../api/feed.ts'
import { useConfirmed } from '../../components/hooks/use-confirmed.tsx'
import { Failure } from '../../components/states/failure.tsx'
import { CopiedValue } from '../../components/values/copied-value.tsx'
import { Moment } from '../../components/values/moment.tsx'
import { Side, SideLoading, Unread } from './side.tsx'

/** The private address of the Atom feed: made, shown once, replaced and ended here. */
export function FeedAddress() {
  const { data, error: unread, refetch } = useQuery(feedAddressQuery)
  const making = useMutation({ mutationFn: createFeedAddress })
  const { data: made, reset } = making
  const replace = useConfirmed({
    title: 'Rotate the feed URL?',
    text: 'The old URL stops working. The new one is shown once.',
    button: 'Rotate',
    run: () => making.mutateAsync(),
  })
  const end = useConfirmed({
    title: 'Delete the private feed?',
    text: 'Feed readers that use its URL get no more changes.',
    button: 'Delete feed',
    run: deleteFeedAddress,
    onDone: reset,
  })
  if (!data && unread) return <Unread title="Atom feed" error={unread} retry={refetch} />
  if (!data) return <SideLoading title="Atom feed" />
  const { feed } = data
  return (
    <Side title="Atom feed">
      <Stack gap="xs">
        {making.error && !feed && <Failure error={making.error} />}
        {made && (
          <CopiedValue value={`${location.origin}${made.path}${location.search && feedSearch()}`} label="the address" />
        )}
        <Text size="sm" c="dimmed">
          {made
            ? 'Shown once. Anyone with this URL can read the feed. It includes the filters of this page.'
            : feed
              ? 'You have a private feed.'
              : 'A private URL for your feed reader.'}
          {!made && feed?.lastUsedAt && (
            <>
              {' '}
              Read <Moment at={feed.lastUsedAt} />.
            </>
          )}
        </Text>
        <Group gap="xs">
          <Button
            size="compact-sm"
            variant="default"
            onClick={feed ? replace : () => making.mutate()}
            loading={making.isPending}
          >
            {feed ? 'Rotate URL' : 'Create feed URL'}
          </Button>
          {feed && (
            <Button size="compact-sm" variant="default" onClick={end}>
              Delete feed
            </Button>
          )}
        </Group>
      </Stack>
    </Side>
  )
}

const FILTERS = ['types', 'providers', 'direction', 'minSignificance']

/** The filters of the page's address, as the feed takes them. */
function feedSearch(search: string = location.search): string {
  const found = [...new URLSearchParams(search)].filter(([name]) => FILTERS.includes(name))
  const query = found.map(([name, value]) => `${name}=${encodeURIComponent(listOf(value))}`)
  return query.length > 0 ? `?${query.join('&')}` : ''
}

/** Lists are JSON in the address of a page, and have commas in that of a feed. */
function listOf(value: string): string {
  try {
    return [JSON.parse(value)].flat().join(',')
  } catch {
    return value
  }
}
