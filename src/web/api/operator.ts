import { queryOptions } from '@tanstack/react-query'
import type { Answer, Body } from '../../app/contract.ts'
import type * as accounts from '../../app/contracts/operator-accounts.ts'
import type * as accuracy from '../../app/contracts/operator-accuracy.ts'
import type * as catalog from '../../app/contracts/operator-catalog.ts'
import type * as check from '../../app/contracts/operator-check.ts'
import type * as prices from '../../app/contracts/operator-prices.ts'
import type * as review from '../../app/contracts/operator-review.ts'
import type * as sources from '../../app/contracts/operator-sources.ts'
import type * as passkeys from '../../app/contracts/passkeys.ts'
import type * as factor from '../../app/contracts/second-factor.ts'
import { call } from './connection/client.ts'

/** What operators look at changes without them: lists are read again this often while they are shown. */
const REFRESH_MS = 30_000

type ReviewList = Answer<typeof review.listReviewItems>
export type QueueItem = ReviewList['items'][number]
export type QueueCounts = ReviewList['all']
export type ItemDetails = Answer<typeof review.readReviewItem>
export type ItemLine = ItemDetails['lines'][number]
export type ClosedItem = NonNullable<ItemDetails['closed']>
export type Decisions = Body<typeof review.decideReviewItems>
export type Decided = Answer<typeof review.decideReviewItems>

type ReviewSearch = {
  [name in 'kind' | 'provider' | 'source' | 'reason' | 'resource' | 'olderThan' | 'all']?: string
}

export const reviewQuery = (filter: ReviewSearch) =>
  queryOptions({
    queryKey: ['review', filter],
    queryFn: () =>
      call<typeof review.listReviewItems>('GET', '/v1/operator/review', { query: filter as Record<string, never> }),
    refetchInterval: REFRESH_MS,
  })
export const reviewItemQuery = (itemId: string) =>
  queryOptions({
    queryKey: ['review-item', itemId],
    queryFn: () => call<typeof review.readReviewItem>('GET', '/v1/operator/review/:itemId', { params: { itemId } }),
  })
export const decideItems = (body: Decisions) =>
  call<typeof review.decideReviewItems>('POST', '/v1/operator/review/decisions', { body })

export type ResourceRow = Answer<typeof prices.listResourceRows>['rows'][number]

export const resourceRowsQuery = (resource: { provider: string; resource: string }) =>
  queryOptions({
    queryKey: ['resource-rows', resource],
    queryFn: () => call<typeof prices.listResourceRows>('GET', '/v1/operator/prices', { query: resource }),
  })
export const correctPrice = (contentHash: string, body: { price: string; reason: string }) =>
  call<typeof prices.correctPrice>('POST', '/v1/operator/prices/:contentHash/correct', {
    params: { contentHash },
    body,
  })
export const withdrawPrice = (contentHash: string, body: { reason: string }) =>
  call<typeof prices.withdrawPrice>('POST', '/v1/operator/prices/:contentHash/withdraw', {
    params: { contentHash },
    body,
  })
export const restorePrice = (contentHash: string, body: { reason: string }) =>
  call<typeof prices.restorePrice>('POST', '/v1/operator/prices/:contentHash/restore', {
    params: { contentHash },
    body,
  })

export type Accuracy = Answer<typeof accuracy.readAccuracy>
export type AccuracyGroup = NonNullable<Accuracy['newest']>['groups'][number]
export type ContradictedPrice = Answer<typeof accuracy.listContradicted>['prices'][number]

export const accuracyQuery = queryOptions({
  queryKey: ['accuracy'],
  queryFn: () => call<typeof accuracy.readAccuracy>('GET', '/v1/operator/accuracy', {}),
})
export const contradictedQuery = (provider: string) =>
  queryOptions({
    queryKey: ['contradicted', provider],
    queryFn: () =>
      call<typeof accuracy.listContradicted>('GET', '/v1/operator/accuracy/contradicted', { query: { provider } }),
  })

export type Source = Answer<typeof sources.listSources>['sources'][number]
export type SourceDetails = Answer<typeof sources.readSource>

export const sourcesQuery = queryOptions({
  queryKey: ['sources'],
  queryFn: () => call<typeof sources.listSources>('GET', '/v1/operator/sources', {}),
  refetchInterval: REFRESH_MS,
})
export const sourceQuery = (source: string) =>
  queryOptions({
    queryKey: ['source', source],
    queryFn: () => call<typeof sources.readSource>('GET', '/v1/operator/sources/:source', { params: { source } }),
    refetchInterval: REFRESH_MS,
  })
export const snapshotQuery = (hash: string) =>
  queryOptions({
    queryKey: ['snapshot', hash],
    queryFn: () => call<typeof sources.readSnapshot>('GET', '/v1/operator/snapshots/:hash', { params: { hash } }),
    staleTime: Number.POSITIVE_INFINITY,
  })
export const collectSource = (source: string) =>
  call<typeof sources.collectSource>('POST', '/v1/operator/sources/:source/collect', { params: { source } })

export const startCheck = () => call<typeof check.startCheck>('POST', '/v1/operator/check', {})

type Aliases = Answer<typeof catalog.listAliases>
export type AliasGroup = Aliases['groups'][number]
export type AliasProposal = Aliases['proposals'][number]
export type Member = AliasGroup['members'][number]

export const aliasesQuery = queryOptions({
  queryKey: ['operator-aliases'],
  queryFn: () => call<typeof catalog.listAliases>('GET', '/v1/operator/aliases', {}),
})
export const acceptProposals = (names: string[] | 'all') =>
  call<typeof catalog.acceptProposals>('POST', '/v1/operator/aliases/accept', { body: { names } })
export const createGroup = (body: { name: string; members: Member[] }) =>
  call<typeof catalog.createGroup>('POST', '/v1/operator/aliases', { body })
export const saveGroup = (groupId: string, body: { name: string; members: Member[]; ifRevision: number }) =>
  call<typeof catalog.saveGroup>('PUT', '/v1/operator/aliases/:groupId', { params: { groupId }, body })
export const deleteGroup = (groupId: string) =>
  call<typeof catalog.deleteGroup>('DELETE', '/v1/operator/aliases/:groupId', { params: { groupId } })

export type Provider = Answer<typeof catalog.listProviders>['providers'][number]

export const providersQuery = queryOptions({
  queryKey: ['operator-providers'],
  queryFn: () => call<typeof catalog.listProviders>('GET', '/v1/operator/providers', {}),
})

export type AccountOverview = Answer<typeof accounts.listAccounts>['accounts'][number]

export const accountsQuery = queryOptions({
  queryKey: ['operator-accounts'],
  queryFn: () => call<typeof accounts.listAccounts>('GET', '/v1/operator/accounts', {}),
})
export const changeAccount = (
  accountId: string,
  body: { operator?: boolean; disabled?: boolean; successor?: string },
) =>
  call<typeof accounts.changeAccountState>('PATCH', '/v1/operator/accounts/:accountId', {
    params: { accountId },
    body,
  })
export const resetTotp = (accountId: string) =>
  call<typeof factor.resetTotp>('DELETE', '/v1/operator/accounts/:accountId/totp', { params: { accountId } })
export const resetPasskeys = (accountId: string) =>
  call<typeof passkeys.resetPasskeys>('DELETE', '/v1/operator/accounts/:accountId/passkeys', { params: { accountId } })
export const endAccountSessions = (accountId: string) =>
  call<typeof accounts.endAccountSessions>('DELETE', '/v1/operator/accounts/:accountId/sessions', {
    params: { accountId },
  })
