import { Paper, Stack, Text, Title } from '@mantine/core'
import { useMemo } from 'react'
import type { FeedItem } from '../../api/feed.ts'
import { FeedEntry } from './feed-entry.tsx'
import { byDay } from './group-items.ts'

const format = new Intl.DateTimeFormat('en', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** Changes by day, the newest first. */
export function FeedList({ items }: { items: FeedItem[] }) {
  const days = useMemo(() => byDay(items), [items])
  return (
    <Stack gap="lg">
      {days.map(({ day, entries }) => (
        <section key={day} aria-label={day}>
          <Title order={3} size="sm" c="dimmed" fw={600} mb={6}>
            <time dateTime={day}>{format.format(new Date(`${day}T00:00:00Z`))}</time>
          </Title>
          <Paper withBorder>
            {entries.map((entry, n) => (
              <FeedEntry key={entry.key} entry={entry} isFirst={n === 0} />
            ))}
          </Paper>
        </section>
      ))}
      {items.length === 0 && <Text c="dimmed">Nothing.</Text>}
    </Stack>
  )
}
