import { Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { recordedPagesQuery } from '../../api/feed.ts'
import { Known } from '../../components/states/known.tsx'
import { NextPage } from '../../components/states/next-page.tsx'
import { FeedList, FeedLoading } from './feed-list.tsx'
import type { ChangesSearch } from './search.ts'

/** What the price history can say of changes. */
const RECORDED = ['price.changed', 'resource.added', 'resource.removed']

/** Whether anything of the price history meets the filters. */
const canHave = ({ types }: ChangesSearch): boolean => types?.some((type) => RECORDED.includes(type)) ?? true

type Props = {
  search: ChangesSearch
  /** Shown where there is nothing. */
  none: ReactNode
}

/** Changes that no event tells: those of imported history, and those whose events are no longer stored. */
export function RecordedChanges({ search, none }: Props) {
  const { types, providers, direction, asOf } = search
  const filter = { types: types?.join(','), providers: providers?.join(','), direction, asOf }
  const pages = useInfiniteQuery({ ...recordedPagesQuery(filter), enabled: canHave(search) })
  const { data, hasNextPage } = pages
  if (!canHave(search)) return none
  if (!data)
    return (
      <Known query={pages}>
        <FeedLoading />
      </Known>
    )
  const items = data.pages.flatMap((page) => page.items)
  if (items.length === 0 && !hasNextPage) return none
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        From the price history: no events were sent for these changes, or they are no longer stored.
      </Text>
      <FeedList items={items} order={2} />
      {hasNextPage && <NextPage query={pages}>Show earlier changes</NextPage>}
    </Stack>
  )
}
