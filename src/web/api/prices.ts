import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '../../app/contracts.ts'
import * as prices from '../../app/prices/endpoints.ts'
import { call } from './connection/client.ts'
import { shownAt } from './shown-at.ts'

export type PackedPrices = AnswerOf<typeof prices.readPrices>
export type ConfirmedBy = 'provider' | 'independent'
export type PriceKind = PackedPrices['kinds'][number]
export type Series = AnswerOf<typeof prices.readSeries>
export type SeriesRow = Series['rows'][number]
export type Evidence = AnswerOf<typeof prices.readEvidence>
export type UpcomingPrice = Series['upcoming'][number]

/** A past instant never changes. Answers about now are as fresh as all others. */
const freshness = (asOf: string | undefined) => (asOf === undefined ? {} : { staleTime: Number.POSITIVE_INFINITY })

/** Names the answers about prices now. */
export const isOfNow = ({ queryKey }: { queryKey: readonly unknown[] }): boolean =>
  (queryKey[0] === 'prices' || queryKey[0] === 'series') && queryKey.at(-1) === undefined

/** Every current price. `providers` is for those that price in credits. */
export const pricesQuery = (asOf: string | undefined, providers: string | undefined, confirmed?: ConfirmedBy) =>
  queryOptions({
    queryKey: ['prices', providers, confirmed, asOf],
    queryFn: () => call(prices.readPrices, { query: { asOf, providers, confirmed } as never }),
    ...freshness(asOf),
    placeholderData: keepPreviousData,
  })

type SeriesSelection = { asOf?: string | undefined; group?: string; resources?: [string, string][] }

/** The history of some resources, or of the members of a group. */
export const seriesQuery = ({ asOf, group, resources }: SeriesSelection) =>
  queryOptions({
    ...shownAt(['series', group, resources], asOf),
    queryFn: () =>
      call(prices.readSeries, {
        query: { asOf, group, resources: resources && JSON.stringify(resources) } as never,
      }),
    ...freshness(asOf),
  })

/** Where one price was read, and who else shows it. */
export const evidenceQuery = (contentHash: string) =>
  queryOptions({
    queryKey: ['evidence', contentHash],
    queryFn: () => call(prices.readEvidence, { params: { contentHash } }),
    staleTime: 60_000,
  })
