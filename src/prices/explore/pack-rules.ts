import type { ModelOf } from '../../aliases/group-rules.ts'
import { canonicalJson, type Json } from '../../lib/canonical-json.ts'
import { joinKey } from '../../lib/collections.ts'
import { type ShownUnit, shownUnit } from '../../lib/price-text.ts'
import type { PublishedRow } from '../history/history-rules.ts'

/** What the prices of many resources have in common. */
type PriceKind = ShownUnit & {
  dimension: string
  unit: string
  currency: string
  tier: Record<string, string>
  /** The GPU of the machine, and how many of them it has. */
  gpu?: string
  gpus?: number
}

/** Prices of many resources in few bytes: what repeats is listed once and named by its index. */
export type PackedPrices = {
  kinds: PriceKind[]
  /** When rows were recorded. */
  instants: string[]
  /** What is sold, at one seller or several. */
  models: PackedModel[]
  /** One resource of one source, its model, and its prices: kind, price, instant, and so on. */
  resources: { provider: string; resource: string; source: string; model: number; prices: (number | string)[] }[]
}

/** `group`: its alias group. `maker`: the slug of who makes it. */
type PackedModel = { name: string; group?: string; maker?: string }

type Row = PublishedRow & { pricingTier: Record<string, string> }

/** Puts rows together by their resource. */
export function packPrices(rows: Row[], conditions: Map<string, string>, known: ModelOf[] = []): PackedPrices {
  const kinds = createIndex<PriceKind>()
  const instants = createIndex<string>()
  const models = createIndex<PackedModel>()
  const knownModels = new Map(known.map((model) => [joinKey(model.provider, model.resource), model]))
  const modelAt = (provider: string, resource: string): number => {
    const model = knownModels.get(joinKey(provider, resource))
    if (!model) return models.at(joinKey('own', provider, resource), () => ({ name: resource }))
    const { name, group, canonical } = model
    const maker = canonical?.split('/')[0]
    return models.at(group ?? joinKey('canonical', canonical), () => ({
      name,
      ...(group && { group }),
      ...(maker && { maker }),
    }))
  }
  const resources = new Map<string, PackedPrices['resources'][number]>()
  for (const row of rows) {
    const { provider, resource, source, dimension, unit, currency, pricingTier: tier } = row
    const gpus = gpusOf(conditions.get(row.contentHash))
    const key = joinKey(provider, resource, source)
    const entry = resources.get(key) ?? {
      ...{ provider, resource, source },
      model: modelAt(provider, resource),
      prices: [],
    }
    resources.set(key, entry)
    const kind = { dimension, unit, currency, tier, ...gpus }
    const named = joinKey(dimension, unit, currency, canonicalJson(tier as Json), canonicalJson(gpus))
    entry.prices.push(
      kinds.at(named, () => ({ ...kind, ...shownUnit(unit) })),
      row.price,
      instants.at(row.recordedAt, () => row.recordedAt),
    )
  }
  return { kinds: kinds.values, instants: instants.values, models: models.values, resources: [...resources.values()] }
}

/** Reads what a price says of its machine: `8 × H100`, and `8 on one machine` where it is the price of one GPU. */
function gpusOf(condition = ''): { gpus?: number; gpu?: string } {
  const [, count, gpu] = /^(\d{1,4}) (?:× (.+)|on one machine|GPUs)$/.exec(condition) ?? []
  return { ...(count && { gpus: Number(count) }), ...(gpu && { gpu }) }
}

/** Gives every value a number, by its key. */
function createIndex<T>() {
  const numbers = new Map<string, number>()
  const values: T[] = []
  const at = (key: string, make: () => T): number => {
    const known = numbers.get(key)
    if (known !== undefined) return known
    numbers.set(key, values.length)
    return values.push(make()) - 1
  }
  return { values, at }
}
