import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '../../app/contracts.ts'
import * as feed from '../../app/feed/endpoints.ts'
import * as webhooks from '../../app/webhooks/endpoints.ts'
import { call } from './connection/client.ts'
import { shownAt } from './shown-at.ts'

export type FeedItem = AnswerOf<typeof feed.listFeed>['items'][number]
export type Overview = AnswerOf<typeof feed.readOverview>
type Filter = Partial<
  Record<'types' | 'providers' | 'resource' | 'direction' | 'minSignificance' | 'asOf' | 'limit' | 'before', string>
>

const listFeed = (filter: { [name in keyof Filter]: Filter[name] | undefined }) =>
  call(feed.listFeed, { query: filter as never })

/** The newest changes that meet a filter. */
export function feedQuery(filter: { [name in keyof Filter]: Filter[name] | undefined }) {
  const { asOf, ...others } = filter
  return queryOptions({ ...shownAt(['feed', others], asOf), queryFn: () => listFeed(filter) })
}

/** Changes page by page. */
export const feedPagesQuery = (filter: { [name in keyof Filter]: Filter[name] | undefined }) =>
  infiniteQueryOptions({
    queryKey: ['feed-pages', filter],
    queryFn: ({ pageParam }) => listFeed({ ...filter, before: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  })

type RecordedFilter = { [name in 'types' | 'providers' | 'direction' | 'asOf']?: string | undefined }

/** Changes that no event tells, from the price history, page by page. */
export const recordedPagesQuery = (filter: RecordedFilter) =>
  infiniteQueryOptions({
    queryKey: ['recorded-changes', filter],
    queryFn: ({ pageParam: after }) => call(feed.listRecordedChanges, { query: { ...filter, after } as never }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  })

export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: () => call(feed.readOverview, {}),
})

/** The webhooks of a workspace, as far as the page of changes shows how they are. */
export const webhookHealthQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['webhook-health', workspace],
    queryFn: () => call(webhooks.listWebhooks, { query: { workspace } }),
  })

export const feedAddressQuery = queryOptions({
  queryKey: ['feed-address'],
  queryFn: () => call(feed.readFeedAddress, {}),
})
export const createFeedAddress = () => call(feed.createFeedAddress, {})
export const deleteFeedAddress = () => call(feed.deleteFeedAddress, {})
