import { Group, Paper, Skeleton, Stack, Title } from '@mantine/core'
import { useMemo } from 'react'
import type { FeedItem } from '../../api/feed.ts'
import { Words } from '../../components/loading/skeletons.tsx'
import { FeedEntry } from './feed-entry.tsx'
import { byDay } from './group-items.ts'

const format = new Intl.DateTimeFormat('en', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** Changes by day, the newest first. @param order the level of the headings: below that of what they are a part of */
export function FeedList({ items, order = 3 }: { items: FeedItem[]; order?: 2 | 3 }) {
  const days = useMemo(() => byDay(items), [items])
  return (
    <Stack gap="lg">
      {days.map(({ day, entries }) => (
        <section key={day} aria-label={day}>
          <Title order={order} size="sm" c="dimmed" fw={600} mb={6}>
            <time dateTime={day}>{format.format(new Date(`${day}T00:00:00Z`))}</time>
          </Title>
          <Paper withBorder>
            {entries.map((entry, n) => (
              <FeedEntry key={entry.key} entry={entry} isFirst={n === 0} />
            ))}
          </Paper>
        </section>
      ))}
    </Stack>
  )
}

const ENTRIES = 8

/** A day of changes that are loading. */
export const FeedLoading = () => (
  <section role="status" aria-label="Loading">
    <Title order={2} size="sm" mb={6}>
      <Words width={180} />
    </Title>
    <Paper withBorder>
      {Array.from({ length: ENTRIES }, (_, entry) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Group key={entry} gap="sm" p="sm" wrap="nowrap">
          <Skeleton height={26} circle style={{ flex: 'none' }} />
          <Stack gap={6} flex={1} miw={0}>
            <Words width={220 + (entry % 3) * 40} />
            <Words width={320} />
          </Stack>
        </Group>
      ))}
    </Paper>
  </section>
)
