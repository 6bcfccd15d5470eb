import { joinKey } from '../lib/collections.ts'

/** Tells resources apart in a map: a provider and its own name of the resource. */
export const resourceKey = ({ provider, resource }: { provider: string; resource: string }): string =>
  joinKey(provider, resource)

/** Whether a price is in credits, or is what a credit costs. While one is published its provider prices in credits. */
export const isCredit = ({ dimension, currency }: { dimension: string; currency: string }): boolean =>
  dimension === 'credits' || currency.endsWith('_CREDIT')
