import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { feedQuery } from '../../../api/feed.ts'
import { Placeholder } from '../../../components/loading/skeletons.tsx'
import { Section } from '../../../components/section.tsx'
import { Known } from '../../../components/states/known.tsx'
import { FeedList } from '../../changes/feed-list.tsx'
import { isForgotten, KEPT } from '../../changes/kept.ts'

/** Events of a resource that its page lists. */
const MAX_EVENTS = 50

type Props = { provider: string; resource: string; asOf: string | undefined }

/** What was sent to webhooks about a resource. */
export function ResourceEvents({ provider, resource, asOf }: Props) {
  const query = useQuery(feedQuery({ providers: provider, resource, asOf, limit: String(MAX_EVENTS) }))
  const { data, isPlaceholderData } = query
  const isGone = isForgotten(asOf, new Date().toISOString())
  const none = isGone
    ? 'Events of that time are no longer stored. Older changes are in the chart above.'
    : 'No events in the last 30 days. Older changes are in the chart above.'
  return (
    <Section title="Events" about={`What was sent to webhooks about it. ${KEPT}`} isOld={isPlaceholderData}>
      <Known query={query}>{!data && <Placeholder height={120} />}</Known>
      {data?.items.length === 0 && (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      )}
      {data && data.items.length > 0 && <FeedList items={data.items} />}
      {data?.next && (
        <Text size="sm" c="dimmed">
          These are the newest {MAX_EVENTS}. “What changed” shows earlier ones.
        </Text>
      )}
    </Section>
  )
}
