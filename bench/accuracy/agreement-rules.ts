import { groupBy, joinKey } from '../../src/lib/collections.ts'
import { identityOf } from '../../src/prices/row-rules.ts'
import { isListed, type KnownLine, type Observation } from '../../src/prices/schema.ts'

/** How a verified price compares with what is served. */
export type Agreement = {
  outcome: 'equal' | 'differs' | 'price_not_listed' | 'model_not_listed' | 'provider_not_listed'
  provider: string
  resource: string
  dimension: string
  pricingTier: string
  verified: string
  /** The served price of the same line. */
  served?: string
  /** When it was first published. */
  servedSince?: string
  /** The index read the price on this page, on this day at the latest. */
  url?: string
  validatedOn?: string
}

/** Returns the prices of the index that people confirmed against the maker's page. */
export const verifiedOnly = (observations: Observation[]): Observation[] =>
  observations.filter(({ proof }) => proof?.confidence === 'verified')

/** Compares each verified price with the served price of the same line: same provider, model, dimension and tier. */
export function compareWithServed(verified: Observation[], known: Iterable<KnownLine>): Agreement[] {
  const served = [...known].filter(isListed)
  const providers = new Set(served.map(({ provider }) => provider))
  const models = new Set(served.flatMap((line) => namesOf(line).map((name) => joinKey(line.provider, name))))
  const lines = groupBy(
    served.flatMap((line) => namesOf(line).map((name) => ({ key: lineOf(line, name), row: line.current! }))),
    ({ key }) => key,
  )
  return verified.map((observed): Agreement => {
    const { provider, resource, canonicalResource, dimension, price, proof } = observed
    const identity = identityOf(observed)
    const names = [resource, canonicalResource].filter((name) => name !== undefined)
    const all = names.flatMap((name) => lines.get(lineOf(identity, name)) ?? []).map(({ row }) => row)
    // One model may have several names, of regions for example; the index has the price of one.
    const found = all.find((row) => Number(row.price) === Number(price)) ?? all[0]
    const same = { provider, resource, dimension, pricingTier: identity.pricingTier, verified: price }
    const seen = { url: proof?.url, validatedOn: proof?.validatedOn }
    if (found)
      return {
        outcome: Number(found.price) === Number(price) ? 'equal' : 'differs',
        ...same,
        served: found.price,
        servedSince: found.recordedAt,
        ...seen,
      }
    const isModelListed = names.some((name) => models.has(joinKey(provider, name)))
    const outcome = isModelListed
      ? 'price_not_listed'
      : providers.has(provider)
        ? 'model_not_listed'
        : 'provider_not_listed'
    return { outcome, ...same, ...seen }
  })
}

const namesOf = ({ resource, current }: KnownLine): string[] =>
  current?.canonicalResource ? [resource, current.canonicalResource] : [resource]

type Line = { provider: string; dimension: string; unit: string; currency: string; pricingTier: string }

const lineOf = ({ provider, dimension, unit, currency, pricingTier }: Line, name: string): string =>
  joinKey(provider, name, dimension, unit, currency, pricingTier)
