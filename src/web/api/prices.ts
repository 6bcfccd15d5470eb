import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Answer } from '../../app/contract.ts'
import type * as prices from '../../app/contracts/prices.ts'
import { call } from './connection/client.ts'

export type PackedPrices = Answer<typeof prices.readPrices>
export type ConfirmedBy = 'provider' | 'independent'
export type PriceKind = PackedPrices['kinds'][number]
export type Series = Answer<typeof prices.readSeries>
export type SeriesRow = Series['rows'][number]
export type Evidence = Answer<typeof prices.readEvidence>
export type UpcomingPrice = Series['upcoming'][number]

/** A past instant never changes. Answers about now are as fresh as all others. */
const freshness = (asOf: string | undefined) => (asOf === undefined ? {} : { staleTime: Number.POSITIVE_INFINITY })

/** Names the answers about prices now. */
export const isOfNow = ({ queryKey: [name, asOf] }: { queryKey: readonly unknown[] }): boolean =>
  (name === 'prices' || name === 'series') && asOf === undefined

/** Every current price. `providers` is for those that price in credits. */
export const pricesQuery = (asOf: string | undefined, providers: string | undefined, confirmed?: ConfirmedBy) =>
  queryOptions({
    queryKey: ['prices', asOf, providers, confirmed],
    queryFn: () =>
      call<typeof prices.readPrices>('GET', '/v1/app/prices', { query: { asOf, providers, confirmed } as never }),
    ...freshness(asOf),
    placeholderData: keepPreviousData,
  })

type Wanted = { asOf?: string | undefined; group?: string; resources?: [string, string][] }

/** The history of some resources, or of the members of a group. */
export const seriesQuery = ({ asOf, group, resources }: Wanted) =>
  queryOptions({
    queryKey: ['series', asOf, group, resources],
    queryFn: () =>
      call<typeof prices.readSeries>('GET', '/v1/app/series', {
        query: { asOf, group, resources: resources && JSON.stringify(resources) } as never,
      }),
    ...freshness(asOf),
  })

/** Where one price was read, and who else shows it. */
export const evidenceQuery = (contentHash: string) =>
  queryOptions({
    queryKey: ['evidence', contentHash],
    queryFn: () =>
      call<typeof prices.readEvidence>('GET', '/v1/app/evidence/:contentHash', { params: { contentHash } }),
    staleTime: 60_000,
  })
