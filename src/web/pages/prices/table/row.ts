import type { ConfirmedBy, PriceKind } from '../../../api/prices.ts'

/** `next`: what it is announced to change to. */
export type Price = {
  kind: PriceKind
  price: string
  value: number
  recordedAt: string
  next?: { price: string; at: string }
}

/** Who sells what, as one source lists it. */
export type RowName = { provider: string; seller: string; resource: string; source: string }

/** A resource at a seller, as one source lists it. */
export type Row = RowName & {
  key: string
  prices: Price[]
  since: string
  /** Who confirmed every one of its prices. */
  confirmedBy?: ConfirmedBy
  /** What a search looks into, in small letters. */
  text: string
}

/** When one of these prices was recorded last. */
export const newest = (prices: Price[]): string =>
  prices
    .map(({ recordedAt }) => recordedAt)
    .sort()
    .at(-1) ?? ''
