import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Answer } from '../../app/contract.ts'
import type * as feed from '../../app/contracts/feed.ts'
import type * as webhooks from '../../app/contracts/webhooks.ts'
import { call } from './connection/client.ts'

export type FeedItem = Answer<typeof feed.listFeed>['items'][number]
export type Overview = Answer<typeof feed.readOverview>
type Filter = Partial<
  Record<'types' | 'providers' | 'resource' | 'direction' | 'minSignificance' | 'asOf' | 'limit' | 'before', string>
>

const listFeed = (filter: { [name in keyof Filter]: Filter[name] | undefined }) =>
  call<typeof feed.listFeed>('GET', '/v1/app/feed', { query: filter as never })

/** The newest changes that meet a filter. */
export const feedQuery = (filter: { [name in keyof Filter]: Filter[name] | undefined }) =>
  queryOptions({ queryKey: ['feed', filter], queryFn: () => listFeed(filter) })

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
    queryFn: ({ pageParam: after }) =>
      call<typeof feed.listRecordedChanges>('GET', '/v1/app/feed/recorded', { query: { ...filter, after } as never }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  })

export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: () => call<typeof feed.readOverview>('GET', '/v1/app/overview', {}),
})

/** The webhooks of a workspace, as far as the page of changes shows how they are. */
export const webhookHealthQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['webhook-health', workspace],
    queryFn: () => call<typeof webhooks.listWebhooks>('GET', '/v1/webhooks', { query: { workspace } }),
  })

export const feedAddressQuery = queryOptions({
  queryKey: ['feed-address'],
  queryFn: () => call<typeof feed.readFeedAddress>('GET', '/v1/account/feed', {}),
})
export const createFeedAddress = () => call<typeof feed.createFeedAddress>('POST', '/v1/account/feed', {})
export const deleteFeedAddress = () => call<typeof feed.deleteFeedAddress>('DELETE', '/v1/account/feed', {})
