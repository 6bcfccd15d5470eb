import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf, BodyOf } from '../../app/contracts.ts'
import * as accounts from '../../app/operator/accounts/endpoints.ts'
import * as accuracy from '../../app/operator/accuracy/endpoints.ts'
import * as catalog from '../../app/operator/aliases/endpoints.ts'
import * as check from '../../app/operator/checks/endpoints.ts'
import * as prices from '../../app/operator/prices/endpoints.ts'
import * as providers from '../../app/operator/providers/endpoints.ts'
import * as review from '../../app/operator/review/endpoints.ts'
import * as sources from '../../app/operator/sources/endpoints.ts'
import * as workspaces from '../../app/operator/workspaces/endpoints.ts'
import { call } from './connection/client.ts'

/** What operators look at changes without them: lists are read again this often while they are shown. */
const REFRESH_MS = 30_000

type ReviewList = AnswerOf<typeof review.listReviewItems>
export type QueueItem = ReviewList['items'][number]
export type QueueCounts = ReviewList['all']
export type ItemDetails = AnswerOf<typeof review.readReviewItem>
export type ItemLine = ItemDetails['lines'][number]
export type ClosedItem = NonNullable<ItemDetails['closed']>
export type Decisions = BodyOf<typeof review.decideReviewItems>
export type DecideAnswer = AnswerOf<typeof review.decideReviewItems>

type ReviewSearch = {
  [name in 'kind' | 'provider' | 'source' | 'reason' | 'resource' | 'olderThan' | 'all']?: string
}

export const reviewQuery = (filter: ReviewSearch) =>
  queryOptions({
    queryKey: ['review', filter],
    queryFn: () => call(review.listReviewItems, { query: filter as Record<string, never> }),
    refetchInterval: REFRESH_MS,
  })
export const reviewItemQuery = (itemId: string) =>
  queryOptions({
    queryKey: ['review-item', itemId],
    queryFn: () => call(review.readReviewItem, { params: { itemId } }),
  })
export const decideItems = (body: Decisions) => call(review.decideReviewItems, { body })

export type ResourceRow = AnswerOf<typeof prices.listResourceRows>['rows'][number]

export const resourceRowsQuery = (resource: { provider: string; resource: string }) =>
  queryOptions({
    queryKey: ['resource-rows', resource],
    queryFn: () => call(prices.listResourceRows, { query: resource }),
  })
export const correctPrice = (contentHash: string, body: { price: string; reason: string }) =>
  call(prices.correctPrice, {
    params: { contentHash },
    body,
  })
export const withdrawPrice = (contentHash: string, body: { reason: string }) =>
  call(prices.withdrawPrice, {
    params: { contentHash },
    body,
  })
export const restorePrice = (contentHash: string, body: { reason: string }) =>
  call(prices.restorePrice, {
    params: { contentHash },
    body,
  })

export type Accuracy = AnswerOf<typeof accuracy.readAccuracy>
export type AccuracyGroup = NonNullable<Accuracy['newest']>['groups'][number]
export type ContradictedPrice = AnswerOf<typeof accuracy.listContradicted>['prices'][number]

export const accuracyQuery = queryOptions({
  queryKey: ['accuracy'],
  queryFn: () => call(accuracy.readAccuracy, {}),
})
export const contradictedQuery = (provider: string) =>
  queryOptions({
    queryKey: ['contradicted', provider],
    queryFn: () => call(accuracy.listContradicted, { query: { provider } }),
  })

export type Source = AnswerOf<typeof sources.listSources>['sources'][number]
export type SourceDetails = AnswerOf<typeof sources.readSource>

export const sourcesQuery = queryOptions({
  queryKey: ['sources'],
  queryFn: () => call(sources.listSources, {}),
  refetchInterval: REFRESH_MS,
})
export const sourceQuery = (source: string) =>
  queryOptions({
    queryKey: ['source', source],
    queryFn: () => call(sources.readSource, { params: { source } }),
    refetchInterval: REFRESH_MS,
  })
export const snapshotQuery = (hash: string) =>
  queryOptions({
    queryKey: ['snapshot', hash],
    queryFn: () => call(sources.readSnapshot, { params: { hash } }),
    staleTime: Number.POSITIVE_INFINITY,
  })
export const collectSource = (source: string) => call(sources.collectSource, { params: { source } })

export const startCheck = () => call(check.startCheck, {})

type Aliases = AnswerOf<typeof catalog.listAliases>
export type AliasGroup = Aliases['groups'][number]
export type AliasProposal = Aliases['proposals'][number]
export type Member = AliasGroup['members'][number]

export const aliasesQuery = queryOptions({
  queryKey: ['operator-aliases'],
  queryFn: () => call(catalog.listAliases, {}),
})
export const acceptProposals = (names: string[] | 'all') => call(catalog.acceptProposals, { body: { names } })
export const createGroup = (body: { name: string; members: Member[] }) => call(catalog.createGroup, { body })
export const saveGroup = (groupId: string, body: { name: string; members: Member[]; ifRevision: number }) =>
  call(catalog.saveGroup, { params: { groupId }, body })
export const deleteGroup = (groupId: string) => call(catalog.deleteGroup, { params: { groupId } })

export type Provider = AnswerOf<typeof providers.listProviders>['providers'][number]

export const providersQuery = queryOptions({
  queryKey: ['operator-providers'],
  queryFn: () => call(providers.listProviders, {}),
})

export type AccountOverview = AnswerOf<typeof accounts.listAccounts>['accounts'][number]

export const accountsQuery = queryOptions({
  queryKey: ['operator-accounts'],
  queryFn: () => call(accounts.listAccounts, {}),
})
export const changeAccount = (
  accountId: string,
  body: { operator?: boolean; disabled?: boolean; successor?: string },
) =>
  call(accounts.changeAccountState, {
    params: { accountId },
    body,
  })
export const resetTotp = (accountId: string) => call(accounts.resetTotp, { params: { accountId } })
export const resetPasskeys = (accountId: string) => call(accounts.resetPasskeys, { params: { accountId } })
export type WorkspaceUse = AnswerOf<typeof workspaces.listAllWorkspaces>['workspaces'][number]
export const workspaceUsesQuery = queryOptions({
  queryKey: ['operator', 'workspaces'],
  queryFn: () => call(workspaces.listAllWorkspaces, {}),
})
export const changeQuota = (workspaceId: string, body: BodyOf<typeof workspaces.changeQuota>) =>
  call(workspaces.changeQuota, { params: { workspaceId }, body })
export const unlinkAccount = (accountId: string) => call(accounts.resetIdentities, { params: { accountId } })
export const endAccountSessions = (accountId: string) =>
  call(accounts.endAccountSessions, {
    params: { accountId },
  })
