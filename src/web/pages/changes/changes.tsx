import { Grid, Group, MultiSelect, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { visitorQuery } from '../../api/account.ts'
import { feedPagesQuery, overviewQuery } from '../../api/feed.ts'
import { isOfNow } from '../../api/prices.ts'
import { ButtonLink } from '../../components/links.tsx'
import { Page } from '../../components/page.tsx'
import { Empty } from '../../components/states/empty.tsx'
import { Known } from '../../components/states/known.tsx'
import { NextPage } from '../../components/states/next-page.tsx'
import { SIGNIFICANCES } from '../documents/significance.tsx'
import { AsOfPicker, PastNotice } from '../prices/as-of.tsx'
import { FeedExport } from './feed-export.tsx'
import { FeedList, FeedLoading } from './feed-list.tsx'
import { isForgotten, KEPT } from './kept.ts'
import { Overview } from './overview.tsx'
import { RecordedChanges } from './recorded.tsx'
import { type ChangesSearch, TYPES } from './search.ts'

const route = getRouteApi('/reading/')

/** What changed, the newest first. */
export function Changes() {
  const search = route.useSearch()
  const { types, providers, direction, minSignificance, asOf } = search
  const filter = {
    types: types?.join(','),
    providers: providers?.join(','),
    direction,
    minSignificance,
    asOf,
  }
  const pages = useInfiniteQuery(feedPagesQuery(filter))
  const { data, hasNextPage } = pages
  const { data: visitor } = useQuery(visitorQuery)
  const { data: overview } = useQuery(overviewQuery)
  const items = data?.pages.flatMap((page) => page.items) ?? []
  useForgetPrices(items[0]?.id)
  const isNarrowed = Boolean(types || providers || direction || minSignificance)
  const isGone = isForgotten(asOf, overview?.newest ?? new Date().toISOString())
  const actions = (
    <>
      <FeedExport items={items} search={search} isSignedIn={Boolean(visitor?.session)} />
      <AsOfPicker asOf={asOf} newest={overview?.newest} first={overview?.first} />
    </>
  )
  return (
    <Page title="What changed" about="Prices, models and legal documents, as they were published." actions={actions}>
      <PastNotice asOf={asOf} isPartly />
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, md: 8.5 }}>
          <Stack>
            <Filters search={search} />
            <Known query={pages}>{!data && <FeedLoading />}</Known>
            {data && items.length > 0 && <FeedList items={items} order={2} />}
            {data && !hasNextPage && (
              <RecordedChanges
                search={search}
                none={
                  items.length === 0 ? (
                    <Nothing asOf={asOf} isNarrowed={isNarrowed} isGone={isGone} />
                  ) : (
                    <Text size="sm" c="dimmed">
                      {KEPT} Earlier prices are in the history of each model and machine.
                    </Text>
                  )
                }
              />
            )}
            {hasNextPage && <NextPage query={pages}>Show earlier changes</NextPage>}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 3.5 }}>
          <Overview isSignedIn={Boolean(visitor?.session)} isPast={asOf !== undefined} />
        </Grid.Col>
      </Grid>
    </Page>
  )
}

/** Prices that were read before a change are read again: no page may say something else than this one. */
function useForgetPrices(newestChange: string | undefined): void {
  const queryClient = useQueryClient()
  const seen = useRef(newestChange)
  useEffect(() => {
    if (seen.current !== undefined && seen.current !== newestChange)
      void queryClient.invalidateQueries({ predicate: isOfNow })
    seen.current = newestChange
  }, [queryClient, newestChange])
}

type NothingProps = { asOf: string | undefined; isNarrowed: boolean; isGone: boolean }

function Nothing({ asOf, isNarrowed, isGone }: NothingProps) {
  const prices = (
    <ButtonLink to="/prices" search={{ asOf }}>
      See all prices
    </ButtonLink>
  )
  if (isGone)
    return (
      <Empty title="The changes of that time are no longer stored" action={prices}>
        {KEPT} Prices shows what was current then, and the history of each model and machine shows every step.
      </Empty>
    )
  if (isNarrowed) return <Empty title="No changes match">Remove a filter to see more.</Empty>
  if (asOf)
    return (
      <Empty title="Nothing had changed by then" action={prices}>
        {KEPT} Prices imported on first start do not count as changes.
      </Empty>
    )
  return (
    <Empty title="Nothing has changed yet" action={prices}>
      Sources are checked every five minutes. Prices imported on first start do not count as changes.
    </Empty>
  )
}

function Filters({ search }: { search: ChangesSearch }) {
  const navigate = route.useNavigate()
  const { data } = useQuery(overviewQuery)
  const set = (change: Partial<ChangesSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const listed = (values: string[]) => (values.length > 0 ? values : undefined)
  return (
    <Group gap="xs" align="flex-start">
      <MultiSelect
        aria-label="Providers"
        placeholder={search.providers ? undefined : 'All providers'}
        data={data?.providers.map(({ provider, name }) => ({ value: provider, label: name })) ?? []}
        value={search.providers ?? []}
        onChange={(providers) => set({ providers: listed(providers) })}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'All providers' }}
        hidePickedOptions
        style={{ flex: '1 1 180px' }}
      />
      <MultiSelect
        aria-label="Kinds of changes"
        placeholder={search.types ? undefined : 'All kinds'}
        data={TYPES}
        value={search.types ?? []}
        onChange={(types) => set({ types: listed(types) })}
        clearable
        clearButtonProps={{ 'aria-label': 'All kinds' }}
        style={{ flex: '1 1 180px' }}
      />
      <Select
        aria-label="Changes of documents"
        value={search.minSignificance ?? 'low'}
        onChange={(least) => set({ minSignificance: least === 'medium' || least === 'high' ? least : undefined })}
        data={SIGNIFICANCES}
        allowDeselect={false}
        w={190}
      />
      <SegmentedControl
        aria-label="Direction"
        value={search.direction ?? ''}
        onChange={(direction) => set({ direction: (direction || undefined) as ChangesSearch['direction'] })}
        data={[
          { value: '', label: 'Any' },
          { value: 'up', label: '▲ Up' },
          { value: 'down', label: '▼ Down' },
        ]}
      />
    </Group>
  )
}
